import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Handover } from '../../../../simulator/city/handover.ts';
import { createIngest, type Ingest } from '../../ingest/index.ts';
import { createDeviceAccess, linkBy } from '../../wires/link/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { startChild } from '../../testing/child.ts';
import { testApp } from '../../testing/app.ts';
import {
  commandsRoutes,
  createCommandFeature,
  createDispatcher,
  createLimits,
  createProofs,
} from '../../light/commands/index.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { createDevices } from '../../register/devices/index.ts';
import { createDemo, handoverFile, startSimulator, type Demo, type RunningSimulator } from './index.ts';

/** The whole way: a seeded city, its simulator as a process, the real broker, and what arrives in the database. */
const folder = mkdtempSync(join(tmpdir(), 'lampyris-play-'));
const log = createLog('silent');
const clock = systemClock((thrown) => {
  throw thrown;
});
const stops: (() => unknown)[] = [];
let broker!: EmbeddedBroker;
let ingest!: Ingest;
let demo!: Demo;
let handover!: Handover;
let simulator!: RunningSimulator;

const app = await testApp({
  routes: async ({ db, bus }) => {
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: null,
      tls: null,
      log,
      authenticate: createDeviceAccess({ db }),
    });
    ingest = createIngest({
      db,
      bus,
      clock,
      log,
      proofs: createProofs({ bus }),
      stored: (ids) => bus.publish('devices.changed', { ids }),
    });
    stops.push(await ingest.start(broker));
    const limits = createLimits({ db, clock });
    const dispatcher = createDispatcher({ db, clock, bus, link: linkBy(broker), log, limits });
    stops.push(dispatcher.start(), createDeviceSettings({ db, clock, bus, link: linkBy(broker), log }).start());
    demo = createDemo({
      db,
      answering: db,
      bus,
      clock,
      log,
      devices: createDevices({ db, bus, clock, log, keys: openKeys(join(folder, 'secret.key')) }),
      files: openFiles(join(folder, 'files')),
      enabled: true,
      lamps: 120,
      folder,
    });
    return commandsRoutes(createCommandFeature({ db, clock, bus, limits, queued: () => dispatcher.wake() }));
  },
});
const { db, call } = app;
const caller = async () => (await app.sessions.authenticate(app.adminToken, { background: true }))!;

beforeAll(async () => {
  handover = await demo.start(broker, `mqtt://127.0.0.1:${broker.port}`);
  simulator = startSimulator({ handoverFile: handoverFile(folder), lamps: handover.lamps, log, clock });
  await until('the faults are listed', () => Promise.resolve(existsSync(join(folder, 'faults.json'))));
});
afterAll(async () => {
  await simulator.stop();
  for (const stop of stops) await stop();
  await broker.stop();
  await ingest.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until something holds; looked at whenever devices sent something. */
async function until(what: string, holds: () => Promise<boolean>, seconds = 25): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not in ${seconds} s: ${what}`);
    await new Promise<void>((resolve) => {
      const stop = app.bus.subscribe('devices.changed', () => done());
      const timer = setTimeout(() => done(), 300);
      const done = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
    });
  }
}
const faults = () =>
  JSON.parse(readFileSync(join(folder, 'faults.json'), 'utf8')) as { fault: string; code: string; deviceId: number }[];
const withFault = (fault: string): number => faults().find((one) => one.fault === fault)?.deviceId ?? 0;
const soundLamp = async (): Promise<{ id: number; equipment_code: string }> => {
  const faulty = new Set(faults().map(({ deviceId }) => deviceId));
  const lamps = await db
    .selectFrom('device')
    .select(['id', 'equipment_code'])
    .where('family', '=', 'single-lamp-controller')
    .orderBy('id')
    .execute();
  const found = lamps.find(({ id }) => !faulty.has(id));
  if (!found) throw new Error('no sound lamp');
  return found;
};
const latest = async (id: number) =>
  await db.selectFrom('device_latest').selectAll().where('device_id', '=', id).executeTakeFirst();
const itemOf = async (commandId: number) =>
  (await call<{ items: { state: string; error: string | null }[] }>(`/api/v1/commands/${commandId}`)).body.items[0];
const order = async (body: object) => (await call<{ id: number }>('/api/v1/commands', { body })).body.id;
const count = async (where: ReturnType<typeof sql>) =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${where}`.execute(db)).rows[0]?.n ?? 0;

describe('the simulated city', () => {
  test('is live: every lamp that speaks has reported, lit as its moved sun says', async () => {
    const silent = faults().filter(({ fault }) => fault === 'N301').length;
    const heard = () =>
      count(
        sql`device_latest l JOIN device d ON d.id = l.device_id
          WHERE d.family = 'single-lamp-controller' AND l.at > now() - interval '5 minutes'`,
      );
    await until('every lamp reports', async () => (await heard()) >= 120 - silent);
    const lamp = await latest((await soundLamp()).id);
    expect(lamp?.values).toMatchObject({ commandLevel: 100, level: 100, relay: true });
    expect(
      await count(sql`device_latest l JOIN device d ON d.id = l.device_id WHERE d.family = 'central-controller'`),
    ).toBeGreaterThan(0);
    const everybody = () => Promise.resolve(broker.stats().connections === handover.credentials.length);
    await until('every line is up', everybody);
    // Settings were heard before the first word: no lamp changed its mind a moment later.
    expect(await count(sql`device_latest WHERE settings_version IS NOT NULL`)).toBeGreaterThan(40);
  });

  test('delivers the last 24 hours of every device, silent lamps up to their silence', async () => {
    const lamps = await db.selectFrom('device').select('id').where('family', '=', 'single-lamp-controller').execute();
    const devicesOfYesterday = () =>
      count(
        sql`(SELECT device_id FROM reading WHERE at < now() - interval '22 hours' GROUP BY device_id) AS r
          JOIN device d ON d.id = r.device_id WHERE d.family = 'single-lamp-controller'`,
      );
    await until('yesterday of every lamp', async () => (await devicesOfYesterday()) === lamps.length);
    const sound = await soundLamp();
    const { rows } = await sql<{
      at: Date;
      values: { level: number; energy: number };
    }>`SELECT at, values FROM reading WHERE device_id = ${sound.id} ORDER BY at`.execute(db);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.every((row, i) => i === 0 || row.values.energy >= (rows[i - 1]?.values.energy ?? 0))).toBe(true);
    expect(new Set(rows.map((row) => row.values.level))).toEqual(new Set([0, 100]));
    expect(await count(sql`reading WHERE quality <> 0`)).toBe(0);
    const silent = withFault('N301');
    expect(await count(sql`reading WHERE device_id = ${silent} AND at > now() - interval '3 hours'`)).toBe(0);
    expect(await count(sql`reading WHERE device_id = ${silent}`)).toBeGreaterThan(10);
  });

  test('has devices of every family that report live, with their last day behind them', async () => {
    const silentFamilies = async () => {
      const { rows } = await sql<{ family: string }>`SELECT d.family FROM device d
        LEFT JOIN device_latest l ON l.device_id = d.id
        WHERE d.id = ANY(${[...handover.equipmentIds]}::bigint[]) GROUP BY d.family
        HAVING max(l.at) IS NULL OR max(l.received_at) < now() - interval '1 hour'`.execute(db);
      return rows.map(({ family }) => family);
    };
    await until('each family is heard', async () => (await silentFamilies()).length === 0);
    const ofYesterday = () =>
      count(sql`(SELECT DISTINCT device_id FROM reading WHERE at < now() - interval '22 hours'
        AND device_id = ANY(${[...handover.equipmentIds]}::bigint[])) AS r`);
    await until('yesterday of each', async () => (await ofYesterday()) === handover.equipmentIds.length);
    expect(await count(sql`reading WHERE quality <> 0`)).toBe(0);
    const gateway = handover.equipmentIds[0] ?? 0;
    const before = (await latest(gateway))?.at ?? new Date();
    const id = await order({ deviceIds: [gateway], command: 'read' });
    await until('the gateway answers', async () => (await itemOf(id))?.state === 'confirmed');
    expect(((await latest(gateway))?.at ?? before) > before).toBe(true);
  });

  test('does what it is told and proves it', async () => {
    const lamp = await soundLamp();
    const id = await order({ deviceIds: [lamp.id], command: 'dim', args: { level: 40 } });
    await until('the lamp proves it', async () => (await itemOf(id))?.state === 'confirmed');
    expect((await latest(lamp.id))?.values).toMatchObject({ commandLevel: 40, level: 40, relay: true });
  });

  test('a stuck relay acknowledges and is never confirmed', async () => {
    const lamp = withFault('L112');
    const id = await order({ deviceIds: [lamp], command: 'off' });
    await until('a reading after the acknowledgement', async () => (await latest(lamp))?.values['commandLevel'] === 0);
    expect((await latest(lamp))?.values).toMatchObject({ relay: true, level: 100 });
    expect((await itemOf(id))?.state).toBe('acknowledged');
  });

  test('a scenario makes a lamp deaf', async () => {
    const lamps = await db
      .selectFrom('device')
      .select(['id', 'equipment_code'])
      .where('family', '=', 'single-lamp-controller')
      .where('parent_id', 'is', null)
      .orderBy('id', 'desc')
      .limit(40)
      .execute();
    const faulty = new Set(faults().map(({ deviceId }) => deviceId));
    const [deaf, other] = lamps.filter(({ id }) => !faulty.has(id));
    writeFileSync(
      join(folder, 'scenario.json'),
      JSON.stringify({ [deaf?.equipment_code ?? '']: 'deaf', [other?.equipment_code ?? '']: 'L113' }),
    );
    // The other lamp's reading tells that the scenario is in force.
    await until('the scenario is in force', async () => (await latest(other?.id ?? 0))?.values['relay'] === false);
    const id = await order({ deviceIds: [deaf?.id ?? 0], command: 'off' });
    const after = await order({ deviceIds: [(await soundLamp()).id], command: 'on' });
    await until('a later command is proved', async () => (await itemOf(after))?.state === 'confirmed');
    expect((await itemOf(id))?.state).toBe('sent');
  });

  test('hears that the evening ends: lamps follow the real sun', async () => {
    const versions = async () =>
      (
        await db
          .selectFrom('device_latest')
          .select('settings_version')
          .distinct()
          .where('settings_version', 'is not', null)
          .execute()
      ).map((row) => row.settings_version);
    const old = new Set(await versions());
    if (!(await demo.state(await caller())).demoEvening) return;
    await demo.endEvening(await caller(), (_action, work) => db.transaction().execute(work));
    await until('all tell the new version', async () => (await versions()).every((version) => !old.has(version)));
  });

  test('tells the week before behind that, its counters in one line', { timeout: 150_000 }, async () => {
    await until('the week is told', async () => (await demo.state(await caller())).history.week === 1, 120);
    expect((await demo.state(await caller())).history).toEqual({ day: 1, week: 1 });
    const lamp = await soundLamp();
    const { rows } = await sql<{ energy: number }>`SELECT (values->>'energy')::float8 AS energy FROM reading
      WHERE device_id = ${lamp.id} ORDER BY at`.execute(db);
    expect(await count(sql`reading WHERE device_id = ${lamp.id} AND at < now() - interval '6 days'`)).toBeGreaterThan(
      5,
    );
    expect(rows.every((row, i) => i === 0 || row.energy >= (rows[i - 1]?.energy ?? 0))).toBe(true);
    expect(await count(sql`reading WHERE quality <> 0`)).toBe(0);
  });

  test('comes back after a kill with its counters where they were', async () => {
    const lamp = await soundLamp();
    const energy = Number((await latest(lamp.id))?.values['energy']);
    const since = new Date();
    process.kill(simulator.pid() ?? 0, 'SIGKILL');
    await until('the lamp reports again', async () => ((await latest(lamp.id))?.received_at ?? since) > since);
    expect(Number((await latest(lamp.id))?.values['energy'])).toBeGreaterThanOrEqual(energy - 0.01);
  });
});

test('the simulator ends when its parent is killed', async () => {
  const script = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['simulator/main.ts', ${JSON.stringify(handoverFile(folder))}], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    console.log('pid ' + child.pid); setInterval(() => {}, 1000);`;
  const parent = startChild(process.execPath, ['-e', script]);
  const pid = Number(/pid (\d+)/.exec(await parent.line(/pid \d+/))?.[1]);
  parent.process.kill('SIGKILL');
  await parent.ended;
  const gone = async () => {
    try {
      process.kill(pid, 0);
      // A zombie that nobody waited for is gone as well.
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  await until('it is gone', gone, 15);
});
