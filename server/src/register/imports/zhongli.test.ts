import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices } from '../devices/index.ts';
import { createTasks, startTaskRunner, type TaskKinds } from '../../desk/tasks/index.ts';
import { createImports, importsRoutes, importTasks } from './index.ts';

const data = join(import.meta.dirname, '../../../../../shared/data');
const inventory = join(data, 'zhongli_street_lamps.csv.gz');

/**
 * A real inventory with its real dirt: every row is either written or told why not. Skipped where the data is not at
 * hand.
 */
test.skipIf(!existsSync(inventory))(
  'the lamp poles of a real district: each bad row with its reason, the good ones where the district lies',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lampyris-zhongli-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const files = openFiles(join(folder, 'files'));
    const keys = openKeys(join(folder, 'secret.key'));
    let kinds!: TaskKinds;
    const app = await testApp({
      routes: (parts) => {
        const steps = importTasks({
          ...parts,
          files,
          devices: createDevices({ ...parts, keys }),
          areasOf: parts.sessions.workAreasOf,
        });
        kinds = {
          ...steps,
          'export.login-log': steps['import.check'],
          'export.operation-log': steps['import.check'],
          'export.devices': steps['import.check'],
        } as TaskKinds;
        return importsRoutes(createImports({ ...parts, files, tasks: createTasks({ ...parts, files, kinds }) }));
      },
    });
    const stop = startTaskRunner({
      db: app.db,
      connection: app.database.connection,
      bus: app.bus,
      clock: app.clock,
      files,
      log: app.log,
      kinds,
    });
    afterAll(() => stop());
    await app.db.insertInto('work_area').values({ work_code: 'ZL', work_name: '中壢區' }).execute();

    interface Imported {
      id: number;
      plan: object;
      counts: { new: number; error: number };
      task: { state: string } | null;
      newRoads: unknown[];
      unknownWords: Record<string, { word: string; rows: number }[]>;
    }
    const uploaded = await app.call<Imported & { columns: { title: string }[] }>(
      '/api/v1/imports?family=lamp-pole&name=zhongli.csv',
      { body: gunzipSync(readFileSync(inventory)), headers: { 'content-type': 'application/octet-stream' } },
    );
    const { id, columns } = uploaded.body;
    const at = (title: string) => columns.findIndex((column) => column.title === title);
    const step = async (what: string, body: object): Promise<Imported> => {
      expect((await app.call(`/api/v1/imports/${id}/${what}`, { body })).status).toBe(201);
      for (;;) {
        const one = (await app.call<Imported>(`/api/v1/imports/${id}`)).body;
        if (one.task && !['queued', 'running'].includes(one.task.state)) return one;
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
    };
    const fields = {
      equipmentCode: { column: at('流水號') },
      equipmentName: { column: at('編號') },
      workId: { value: 'ZL' },
      equipmentTypeId: { value: 'equipment_type_13' },
      roadId: { column: at('路街') },
      area: { column: at('里') },
      longitude: { column: at('X') },
      latitude: { column: at('Y') },
      power: { column: at('瓦數') },
      material: { column: at('類型') },
    };
    const used = new Set(Object.values(fields).flatMap((source) => ('column' in source ? [source.column] : [])));
    const plan = {
      fields,
      ignored: columns.flatMap((_column, index) => (used.has(index) ? [] : [index])),
      system: 'EPSG:3826',
      words: {},
      existing: 'update',
      createRoads: true,
      acceptFar: false,
    };
    const first = await step('check', plan);
    const words = Object.fromEntries(
      (first.unknownWords['material'] ?? []).map(({ word }) => [word, word.includes('水泥') ? 'concrete' : '']),
    );
    const checked = await step('check', { ...plan, words: { material: words } });
    const reasons = (
      await app.call<{ problems: { field: string; rule: string; rows: number }[] }>(`/api/v1/imports/${id}/rows`)
    ).body.problems;
    expect(checked.counts).toEqual({ new: 14_260, update: 0, unchanged: 0, error: 62 });
    expect(reasons.map(({ field, rule, rows }) => [field, rule, rows])).toEqual([
      ['longitude', 'zeroPosition', 54],
      ['longitude', 'farAway', 8],
    ]);
    const applied = await step('apply', { rows: 'valid' });
    expect(applied.task?.state).toBe('done');
    const { rows } = await sql<{
      longitude: number;
      latitude: number;
    }>`SELECT longitude, latitude FROM device WHERE family = 'lamp-pole' AND longitude IS NOT NULL`.execute(app.db);
    expect(rows.length).toBe(14_250);
    const rings = district();
    // Some lamps stand on the district's border roads, and the polygon is a simplified one.
    const inside = rows.filter(({ longitude, latitude }) => isInside(rings, longitude, latitude)).length;
    expect(inside / rows.length).toBeGreaterThan(0.98);
  },
  120_000,
);

type Ring = readonly (readonly [number, number])[];
interface Feature {
  properties: Record<string, unknown>;
  geometry: { type: string; coordinates: unknown };
}

/** The outer rings of the district that keeps the inventory. */
function district(): Ring[] {
  const { features } = JSON.parse(gunzipSync(readFileSync(join(data, 'taoyuan_districts.geojson.gz'))).toString()) as {
    features: Feature[];
  };
  const found = features.find(({ properties }) => Object.values(properties).includes('中壢區'));
  const polygons =
    found?.geometry.type === 'MultiPolygon'
      ? (found.geometry.coordinates as Ring[][])
      : [found?.geometry.coordinates as Ring[]];
  return polygons.flatMap((polygon) => (polygon[0] ? [polygon[0]] : []));
}

/** Even-odd rule. */
const isInside = (rings: readonly Ring[], x: number, y: number): boolean =>
  rings.some((ring) => {
    let inside = false;
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
      const [[xi, yi], [xj, yj]] = [ring[i] ?? [0, 0], ring[j] ?? [0, 0]];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
    return inside;
  });
