import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { levelAt } from '../../catalogue/lighting/plan/lamp-plan.ts';
import { noRole, type LampPlan, type Programme } from '../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../catalogue/lighting/plan/scheme.ts';
import { lightingDay } from '../../catalogue/lighting/sun.ts';
import { signInAdmin, type Client } from '../fixtures/api.ts';
import { placeOfSunset } from '../fixtures/dusk.ts';
import { startProduct, type Product } from '../fixtures/product.ts';

let product: Product;
let admin: Client;
let lamp: ChildProcess | undefined;
let planned: ChildProcess | undefined;
type Said = Record<string, unknown>[];
const said: Said = [];
const saidOfPlan: Said = [];

beforeAll(async () => {
  product = await startProduct();
  admin = await signInAdmin(product, 'Foreign-4711-lamp');
});
afterAll(async () => {
  lamp?.stdin?.end();
  planned?.stdin?.end();
  await product?.stop();
});

/** A lamp of another make, registered as this device: it says its levels by plan at the asked instants. */
async function play(id: number, into: Said, asked: readonly number[] = []): Promise<ChildProcess> {
  const document = await admin.get<unknown>('/api/asyncapi.json');
  const credentials = await admin.send<unknown>('POST', `/api/v1/devices/${id}/credentials`, {});
  const file = join(mkdtempSync(join(tmpdir(), 'foreign-')), 'lamp.json');
  writeFileSync(file, JSON.stringify({ document, credentials, deviceId: id, asked }));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/foreign-lamp.mjs'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => into.push(JSON.parse(line) as Said[number]));
  return child;
}

async function until<T>(read: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error(`${what} did not happen; the lamps said ${JSON.stringify([...said, ...saidOfPlan]).slice(0, 4000)}`);
}

describe('a device that knows only the served document', () => {
  it('is registered, connects, reports, obeys, and its command is confirmed by its reading', async () => {
    const { id } = await admin.send<{ id: number }>('POST', '/api/v1/devices', {
      family: 'single-lamp-controller',
      equipmentCode: 'FOREIGN-1',
      equipmentName: '别家的灯',
      workId: 1,
      power: 100,
    });
    lamp = await play(id, said);
    await until(() => said.find((line) => line['reported'] === 0), 'the first report');
    expect(said.find((line) => line['subscribed'])).toEqual({ subscribed: [1, 1] });
    await until(() => said.find((line) => 'settings' in line), 'the settings');

    const order = await admin.send<{ id: number; total: number }>('POST', '/api/v1/commands', {
      deviceIds: [id],
      command: 'dim',
      args: { level: 60 },
    });
    expect(order.total).toBe(1);
    const item = await until(async () => {
      const command = await admin.get<{ items: { state: string; proof: unknown; until: string | null }[] }>(
        `/api/v1/commands/${order.id}`,
      );
      return command.items.find((one) => one.state === 'confirmed');
    }, 'the confirmation');
    expect(item.proof).toMatchObject({ level: 60, relay: true });
    expect(item.until).not.toBeNull();

    const seen = await until(async () => {
      const { data } = await admin.get<{
        data: { code: string; state: string; level: number | null; online: boolean }[];
      }>('/api/v1/lamps?q=FOREIGN-1');
      return data.find((one) => one.state === 'dimmed');
    }, 'the dimmed lamp in the list');
    expect(seen).toMatchObject({ level: 60, online: true });
  });

  it('is asked in vain when it is gone: the command times out, it is never called done', async () => {
    lamp?.stdin?.end();
    // Half a minute of waiting for what never comes shows nothing that less does not.
    await admin.send('PUT', '/api/v1/command-settings', { limits: { acknowledgeSeconds: 3 } });
    const { data } = await admin.get<{ data: { id: number }[] }>('/api/v1/lamps?q=FOREIGN-1');
    const order = await admin.send<{ id: number }>('POST', '/api/v1/commands', {
      deviceIds: [data[0]?.id],
      command: 'off',
    });
    const state = await until(async () => {
      const command = await admin.get<{ items: { state: string }[] }>(`/api/v1/commands/${order.id}`);
      return ['queued', 'sent'].includes(command.items[0]?.state ?? '') ? undefined : command.items[0]?.state;
    }, 'an end of the command');
    expect(state).toBe('timedOut');
  });
});

const minuteMs = 60_000;
const anchor = { notBefore: null, notAfter: null, light: null } as const;
const period = { pattern: 'all', rampSeconds: 0 } as const;
const weekday: Programme = {
  on: { at: 'sunset', offsetMinutes: -10, ...anchor },
  off: { at: 'sunrise', offsetMinutes: 5, ...anchor },
  periods: [
    { start: 'on', level: 100, ...period },
    { start: { at: '23:00', offsetMinutes: 0 }, level: 60, pattern: 'alternateOne', rampSeconds: 0 },
    { start: { at: 'middle', offsetMinutes: 90 }, level: 40, pattern: 'alternateOne', rampSeconds: 0 },
    { start: { at: 'dawn', offsetMinutes: -20 }, level: 90, ...period },
  ],
  minimumMinutes: 10,
};
const weekend: Programme = {
  on: { at: 'dusk', offsetMinutes: 0, ...anchor, notBefore: '18:30' },
  off: { at: 'sunrise', offsetMinutes: -10, ...anchor, notAfter: '06:10' },
  periods: [
    { start: 'on', level: 80, ...period },
    { start: { at: '01:30', offsetMinutes: 0 }, level: 0, ...period },
    { start: { at: '05:00', offsetMinutes: 0 }, level: 70, pattern: 'alternateOne', rampSeconds: 0 },
  ],
  minimumMinutes: 10,
};
const content: SchemeContent = {
  mode: 'alternateOne',
  programmes: [
    { key: 1, name: '平日', programme: weekday },
    { key: 2, name: '周末', programme: weekend },
  ],
  calendar: {
    rules: [{ programme: 2, label: '周末', enabled: true, when: [{ kind: 'weekdays', days: [6, 7] }] }],
    default: 1,
  },
  rotation: 'nightly',
  floorExceptions: [],
};
const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());

describe('a device that works by a plan from the served document alone', () => {
  it('obeys calendar and alternate pattern: its levels of sixty nights are those of the kernel', async () => {
    // Six hours after its sunset: nothing is held back around dusk.
    const place = placeOfSunset(Date.now() - 360 * minuteMs);
    const { latitude, longitude, timeZone } = place;
    const made = async (path: string, body: object): Promise<number> =>
      (await admin.send<{ id: number }>('POST', path, body)).id;
    const workId = await made('/api/v1/records/work-area', {
      ...{ workCode: 'PL', workName: '方案片区', latitude, longitude, timeZone },
    });
    const roadId = await made('/api/v1/records/road', {
      ...{ workId, roadCode: 'PL-1', roadName: '方案路', roadClass: 'lane' },
    });
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      // The same hundredth of a degree: the pattern alone makes lamps differ.
      const at = { workId, roadId, latitude: latitude + n * 0.0003, longitude };
      const lamppostId = await made('/api/v1/devices', {
        ...{ family: 'lamp-pole', equipmentCode: `PL-P${n}`, equipmentName: `灯杆 ${n}` },
        ...{ equipmentTypeId: 'equipment_type_13', ...at },
      });
      ids.push(
        await made('/api/v1/devices', {
          ...{ family: 'single-lamp-controller', equipmentCode: `PL-L${n}`, equipmentName: `灯 ${n}` },
          ...{ lamppostId, power: 100, ...at },
        }),
      );
    }
    const [, , id = 0] = ids;
    await admin.send('POST', `/api/v1/rows/${roadId}/order`, {});
    const { rows } = await admin.get<{ rows: { side: string; poles: { lamps: { id: number }[] }[] }[] }>(
      `/api/v1/rows?roadId=${roadId}`,
    );
    const row = rows.find(({ poles }) => poles.length === ids.length) ?? expect.fail('no row of all poles');
    const position = row.poles.findIndex(({ lamps }) => lamps.some((one) => one.id === id));

    const plan: LampPlan = {
      place,
      role: { ...noRole, position, rowLength: ids.length, right: row.side === 'right', rotation: 'nightly' },
      programmeOn: (day) => (isWeekend(day) ? weekend : weekday),
    };
    const today = lightingDay(place, Date.now());
    // Three minutes around a step the suns of two makers may differ.
    const asked = Array.from({ length: 2300 }, (_none, index) => today.from + index * 37 * minuteMs).filter(
      (at) => levelAt(plan, at - 3 * minuteMs) === levelAt(plan, at + 3 * minuteMs),
    );
    planned = await play(id, saidOfPlan, asked);
    await until(() => saidOfPlan.find((line) => 'settings' in line), 'the first settings');

    const scheme = await admin.send<{ id: number; version: number }>('POST', '/api/v1/schemes', {
      ...{ code: 'PL-01', name: '隔一亮一', workAreaId: workId },
    });
    const saved = await admin.send<{ version: number }>('PUT', `/api/v1/schemes/${scheme.id}/draft`, {
      ...{ version: scheme.version, content },
    });
    await admin.send('POST', `/api/v1/schemes/${scheme.id}/versions`, { version: saved.version });
    const publication = await admin.send<{ id: number }>('POST', '/api/v1/publications', {
      ...{ schemeId: scheme.id, scope: { roadIds: [roadId] }, canary: null },
      acceptedFindings: ['farFromTwilight', 'darker'],
      ...{ effectiveFrom: today.day, reason: '隔一亮一' },
    });
    const obeyed = await until(() => saidOfPlan.find((line) => typeof line['plan'] === 'string'), 'the plan');
    const levels = asked.map((at) => levelAt(plan, at));
    expect(obeyed['levels']).toEqual(levels);
    // Each programme, and the dark of the pattern, is among them.
    expect(new Set(levels)).toEqual(new Set([0, 100, 60, 40, 90, 80, 70]));
    const item = await until(async () => {
      const { items } = await admin.get<{ items: { deviceId: number; reportedHash: string | null }[] }>(
        `/api/v1/publications/${publication.id}`,
      );
      return items.find((one) => one.deviceId === id && one.reportedHash !== null);
    }, 'its hash');
    expect(item.reportedHash).toBe(obeyed['plan']);
  });
});
