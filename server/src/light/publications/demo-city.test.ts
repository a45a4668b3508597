import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Handover } from '../../../../simulator/city/handover.ts';
import { disobedientCount } from '../../../../simulator/city/obedience.ts';
import { generateCity } from '../../../../simulator/city/index.ts';
import { createAgenda } from '../../../../simulator/fleet/agenda.ts';
import { lampBacklog } from '../../../../simulator/fleet/backlog.ts';
import { createFleet } from '../../../../simulator/fleet/fleet.ts';
import { lampSettings } from '../../../../simulator/fleet/settings.ts';
import { createLampPlans, createToldSettings } from '../plans/index.ts';
import { createSteps, publicationsRoutes, type Steps } from './index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { createDevices } from '../../register/devices/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDemo, type Demo } from '../../shell/demo/index.ts';

/** What the demonstration says of its publications is proven by what its lamps measured. */
const folder = mkdtempSync(join(tmpdir(), 'lampyris-demo-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const minuteMs = 60_000;
const files = openFiles(join(folder, 'files'));
let demo!: Demo;
let steps!: Steps;
let told!: ReturnType<typeof createToldSettings>;
const app = await testApp({
  routes: (parts) => {
    const plans = createLampPlans(parts.bus);
    const devices = createDevices({ ...parts, keys: openKeys(join(folder, 'secret.key')) });
    demo = createDemo({ ...parts, answering: parts.db, devices, files, enabled: true, lamps: 300, folder });
    steps = createSteps({ ...parts, plans });
    told = createToldSettings(parts.db, plans);
    return publicationsRoutes({ ...parts, plans });
  },
});
const { db, call, clock } = app;

interface Listed {
  readonly id: number;
  readonly phase: string;
  readonly scheme: { readonly code: string; readonly schedule?: true };
  readonly total: number;
  readonly states: Readonly<Record<string, number>>;
}
const list = async () =>
  (await call<{ data: Listed[] }>('/api/v1/publications')).body.data.toSorted((a, b) =>
    a.scheme.code.localeCompare(b.scheme.code),
  );

test(
  'its schemes, published a day ago, are proven by the readings of the day; who disobeys is found',
  { timeout: 90_000 },
  async () => {
    const handover: Handover = await demo.start({ kind: 'embedded' } as Broker, 'mqtt://127.0.0.1:1884');
    const start = clock.now().getTime();
    await steps.turn();
    const [first, second, third, pilot] = await list();
    expect([first?.phase, second?.phase, third?.phase]).toEqual(['proving', 'proving', 'proving']);
    expect(pilot).toMatchObject({ phase: 'judging', scheme: { code: 'JN-05' } });
    expect(pilot?.states['told']).toBeGreaterThan(0);

    const fleet = createFleet({
      handover,
      memory: {
        token: handover.token,
        startedAt: start,
        delivered: false,
        weekDelivered: false,
        dramas: true,
        lamps: {},
        cabinets: {},
      },
      agenda: createAgenda(),
      now: () => start,
      failed: () => undefined,
    });
    const place = [...(await loadPlaces(db)).values()][0] ?? expect.fail('a place');
    const settings = await told.of(handover.lampIds, start);
    await sql`CREATE TABLE reading_demo PARTITION OF reading DEFAULT`.execute(db);
    for (const [index, player] of fleet.lamps.entries()) {
      const id = handover.lampIds[index] ?? 0;
      const { timeZone, sunOffsetMinutes, latitude, longitude } = place;
      const message = {
        ...{ version: 1, serverTime: new Date(start).toISOString(), timeZone, sunOffsetMinutes, latitude, longitude },
        ...{ table: player.lamp.settings.table, reportSeconds: { lit: 900, unlit: 3600 } },
        ...settings.get(id),
      };
      player.lamp.adopt(lampSettings(message as Parameters<typeof lampSettings>[0], player.lamp.settings));
      const readings = lampBacklog(player, start).map(({ at, values }) => ({
        at: new Date(at - player.lamp.spec.clockOffsetMs).toISOString(),
        values,
      }));
      await sql`INSERT INTO reading (at, device_id, received_at, values)
      SELECT r.at, ${id}, now(), r.values FROM jsonb_to_recordset(${JSON.stringify(readings)}::jsonb)
        AS r(at timestamptz, values jsonb) ON CONFLICT DO NOTHING`.execute(db);
    }

    clock.set(new Date(start + 5 * minuteMs));
    for (let turns = 0; turns < 3; turns += 1) await steps.turn();
    const published = (await list()).filter(({ scheme }) => scheme.code !== 'JN-05');
    expect(published.map(({ phase }) => phase)).toEqual(['done', 'done', 'done', 'done']);
    // Some lamps have schedule settings of their own.
    expect(published.at(-1)).toMatchObject({ scheme: { schedule: true }, total: 2 });
    const city = generateCity({ seed: handover.seed, lamps: handover.lamps });
    const sound = new Map(
      city.lamps.flatMap((lamp, index) =>
        lamp.fault === null ? [[handover.lampIds[index] ?? 0, lamp.obedience] as const] : [],
      ),
    );
    const { rows } = await sql<{ id: number; state: string }>`SELECT device_id AS id, state FROM publication_item
    WHERE publication_id = ANY(${published.map(({ id }) => id)}::bigint[])`.execute(db);
    const wrong = rows.flatMap(({ id, state }) => {
      const obedience = sound.get(id);
      if (obedience === undefined) return [];
      return state === (obedience === 'wrongPlan' ? 'diverged' : 'proven') ? [] : [[id, obedience, state]];
    });
    expect(wrong).toEqual([]);
    // The list of the simulator, which the server never gets.
    const disobedient = [...sound].flatMap(([id, obedience]) => (obedience === 'wrongPlan' ? [id] : []));
    expect(disobedient).toHaveLength(disobedientCount(handover.lamps));
    // All that a publication reached are found, and no other sound lamp. The pilot is not proven yet.
    const { rows: unproven } = await sql<{ id: number }>`SELECT device_id AS id FROM publication_item
    WHERE device_id = ANY(${disobedient}::bigint[]) AND publication_id = ${pilot?.id}`.execute(db);
    const found = rows.flatMap(({ id, state }) => (sound.has(id) && state === 'diverged' ? [id] : []));
    expect(found.length).toBeGreaterThan(0);
    expect([...found, ...unproven.map(({ id }) => id)].toSorted((a, b) => a - b)).toEqual(
      disobedient.toSorted((a, b) => a - b),
    );
  },
);
