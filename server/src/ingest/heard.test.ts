import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../light/commands/index.ts';
import { defaultThresholds } from '../light/lamps/index.ts';
import { createJudging } from '../watch/presence/index.ts';
import { startBus } from '../platform/bus/index.ts';
import { createLog } from '../platform/log.ts';
import { testClock } from '../testing/clock.ts';
import { testDatabase } from '../testing/database.ts';
import { givenArea, givenDevice } from '../testing/devices.ts';
import { DevicesHeard } from './devices-heard.ts';
import { createIngest } from './index.ts';

// Noon: lamps are dark and report every hour, controllers every five minutes.
const noon = Date.parse('2026-11-21T04:00:00Z');
const [second, minute, hour] = [1000, 60_000, 3_600_000];
const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const clock = testClock(new Date(noon));
const bus = await startBus(database.connection, log);
const touched = new Set<number>();
const start = () =>
  createIngest({
    db,
    bus,
    clock,
    log,
    proofs: createProofs({ bus }),
    stored: (ids) => ids.forEach((id) => touched.add(id)),
  });
const judge = () =>
  createJudging({
    db,
    clock,
    thresholds: defaultThresholds,
    periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
    announce: () => undefined,
    onError: (thrown) => {
      throw thrown;
    },
  });
/** Of the test that runs. */
const devices: number[] = [];
let [ingest, judging] = [start(), judge()];

beforeAll(() => givenArea(db));
afterEach(() => devices.splice(0));
afterAll(async () => {
  await ingest.stop();
  await bus.stop();
});

const now = () => clock.now().getTime();
interface Way {
  readonly viaId?: number | null;
  readonly at?: number;
  readonly quality?: 'measured' | 'stale';
}
/** Something for each of the families below. */
const values = { voltage: 226, voltageA: 226, temperature: 20 };
const reads = (deviceId: number, { viaId = null, at = now(), quality = 'measured' }: Way = {}) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId }),
    username: null,
    payload: encode({ sentAt: timeText(now()), readings: [{ at: timeText(at), values, quality }] }),
  });
const acks = (deviceId: number, viaId: number | null = null) =>
  ingest.take({
    topic: topicOf({ kind: 'acks', deviceId, viaId }),
    username: null,
    payload: encode({ commandId: '17', accepted: true, executedAt: timeText(now()) }),
  });
const says = (deviceId: number, online: boolean, { byItself = true, retained = false } = {}) =>
  ingest.take({
    topic: topicOf({ kind: 'status', deviceId, viaId: null }),
    username: null,
    retained,
    payload: encode(byItself ? { online, at: timeText(now()) } : { online }),
  });

/** Time goes by while somebody listens and judges; what happens in each step is told at its end. */
async function pass(
  milliseconds: number,
  what: () => Promise<unknown> = () => Promise.resolve(),
  stepMs = 5 * minute,
): Promise<void> {
  for (let left = milliseconds; left > 0; left -= stepMs) {
    for (let step = 0; step < stepMs; step += minute) {
      clock.set(new Date(now() + minute));
      await db.updateTable('connection_watch').set({ seen_at: clock.now() }).execute();
    }
    await what();
    await judging.judge(devices);
    await judging.sweep();
  }
}
const stateOf = (id: number) =>
  db.selectFrom('device_state').select(['state', 'online', 'fault']).where('device_id', '=', id).executeTakeFirst();
const latestOf = (id: number) =>
  db
    .selectFrom('device_latest')
    .select(['at', 'received_at', 'heard_at'])
    .where('device_id', '=', id)
    .executeTakeFirst();
const openOf = async (id: number) =>
  await db
    .selectFrom('connection_log')
    .select(['kind', 'reason', 'began_at'])
    .where('device_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
const device = async (family: string, parentId: number | null = null) => {
  const id = await givenDevice(db, { family, parentId });
  devices.push(id);
  await db
    .updateTable('device')
    .set({ created_at: new Date(now()) })
    .where('id', '=', id)
    .execute();
  return id;
};

describe('a device is heard by anything it says, when it comes', () => {
  it('late readings, even too late for the history, values told again, answers to commands, its status', async () => {
    const ways = {
      late: (id: number) => reads(id, { at: now() - 3 * hour }),
      tooLate: (id: number) => reads(id, { at: now() - 500 * 24 * hour }),
      retold: (id: number) => reads(id, { quality: 'stale' }),
      answer: (id: number) => acks(id),
      status: (id: number) => says(id, true),
    };
    const cameras = await Promise.all(
      Object.entries(ways).map(async ([way, speak]) => {
        const id = await device('security-camera');
        await reads(id);
        return { way, id, speak: () => speak(id), before: await latestOf(id) };
      }),
    );
    const online = async () =>
      Object.fromEntries(
        await Promise.all(cameras.map(async ({ way, id }) => [way, (await stateOf(id))?.online] as const)),
      );
    const all = (is: boolean) => ({ late: is, tooLate: is, retold: is, answer: is, status: is });
    await pass(20 * minute, () => Promise.all(cameras.map(({ speak }) => speak())));
    expect(await online()).toEqual(all(true));
    for (const { way, id, before } of cameras)
      expect(await latestOf(id), `${way}: latest values stay by their own time`).toEqual({
        ...before,
        heard_at: clock.now(),
      });
    const last = clock.now();
    await pass(15 * minute);
    expect(await online()).toEqual(all(true));
    await pass(minute, undefined, minute);
    expect(await online()).toEqual(all(false));
    for (const { id } of cameras)
      expect(await openOf(id)).toEqual([{ kind: 'offline', reason: 'silent', began_at: last }]);
    touched.clear();
    for (const { speak } of cameras) await speak();
    await expect.poll(() => [...touched]).toEqual(expect.arrayContaining(cameras.map(({ id }) => id)));
    await judging.judge(devices);
    expect(await online()).toEqual(all(true));
  });

  it('but not by what the broker says in its name, or kept, nor by what its controller retells', async () => {
    const controller = await device('central-controller');
    const [gone, kept, retold] = [
      await device('security-camera'),
      await device('security-camera'),
      await device('single-lamp-controller', controller),
    ];
    for (const id of [gone, kept, retold]) await reads(id);
    await pass(5 * minute, async () => {
      await says(gone, false, { byItself: false });
      await says(kept, true, { retained: true });
      await reads(retold, { viaId: controller, quality: 'stale', at: now() - minute });
    });
    for (const id of [gone, kept, retold]) expect((await latestOf(id))?.heard_at).toBeNull();
    expect((await latestOf(controller))?.heard_at).toEqual(clock.now());
  });

  it('written no oftener than it tells something, and not beside values that are renewed', async () => {
    const camera = await device('security-camera');
    const written = async () =>
      (
        await sql<{
          at: Date | null;
          version: string;
        }>`SELECT heard_at AS at, xmin::text AS version FROM device_latest WHERE device_id = ${camera}`.execute(db)
      ).rows[0];
    await reads(camera);
    await Promise.all([acks(camera), reads(camera)]);
    expect((await written())?.at).toBeNull();
    clock.set(new Date(now() + 20 * second));
    await acks(camera);
    const first = await written();
    expect(first?.at).toEqual(clock.now());
    clock.set(new Date(now() + 10 * second));
    await acks(camera);
    await reads(camera, { at: now() - hour });
    expect(await written()).toEqual(first);
  });

  it('also after the clock was set back, and by another process', async () => {
    const camera = await device('security-camera');
    await reads(camera);
    await pass(10 * minute, () => acks(camera));
    clock.set(new Date(now() - 6 * minute));
    await judging.sweep();
    expect((await latestOf(camera))?.heard_at).toEqual(clock.now());
    clock.set(new Date(now() + minute));
    await acks(camera);
    expect((await latestOf(camera))?.heard_at).toEqual(clock.now());
  });
});

describe('a lamp behind a controller', () => {
  it('that is heard is in reach, and so is the controller it is heard through, though that says nothing itself; after a restart too', async () => {
    const controller = await device('central-controller');
    const lamps = [
      await device('single-lamp-controller', controller),
      await device('single-lamp-controller', controller),
    ];
    await reads(controller);
    for (const lamp of lamps) await reads(lamp, { viaId: controller });
    let turn = 0;
    const speak = () => reads(lamps[(turn += 1) % 2] ?? 0, { viaId: controller });
    await pass(25 * minute, speak);
    const all = async () => Promise.all([controller, ...lamps].map(async (id) => (await stateOf(id))?.online));
    expect(await all()).toEqual([true, true, true]);
    await ingest.stop();
    [ingest, judging] = [start(), judge()];
    await pass(25 * minute, speak);
    expect(await all()).toEqual([true, true, true]);
    for (const id of [controller, ...lamps]) expect(await openOf(id)).toEqual([]);
    // Now nothing comes through it any more: it is lost, and whoever speaks through it with it.
    await pass(20 * minute);
    expect(await stateOf(controller)).toMatchObject({ online: false, fault: 'N302' });
    expect(await stateOf(lamps[0] ?? 0)).toMatchObject({ online: false, fault: 'N302' });
    // One of them is heard again: so are the controller and the others that are not silent themselves.
    touched.clear();
    await speak();
    await expect.poll(() => touched).toContain(controller);
    await judging.judge([...touched]);
    expect(await all()).toEqual([true, true, true]);
  });

  it('was heard when it said what the controller kept back, not when that comes', async () => {
    const controller = await device('central-controller');
    const lamp = await device('single-lamp-controller', controller);
    await reads(controller);
    await pass(5 * hour, () => reads(controller));
    const said = new Date(now() - 4 * hour);
    await reads(lamp, { viaId: controller, at: said.getTime() });
    await ingest.take({
      topic: topicOf({ kind: 'acks', deviceId: lamp, viaId: controller }),
      username: null,
      payload: encode({ commandId: '17', accepted: true, executedAt: timeText(said.getTime()) }),
    });
    await judging.judge([lamp]);
    expect(await stateOf(lamp)).toMatchObject({ online: false, fault: 'N301' });
    await acks(lamp, controller);
    await judging.judge([lamp]);
    expect(await stateOf(lamp)).toMatchObject({ online: true });
  });

  it('costs no writing while the controller reports itself', async () => {
    const controller = await device('central-controller');
    const lamp = await device('single-lamp-controller', controller);
    await pass(30 * minute, async () => {
      await reads(controller);
      clock.set(new Date(now() + 2 * minute));
      await reads(lamp, { viaId: controller });
    });
    expect((await latestOf(controller))?.heard_at).toBeNull();
  });

  it('that has a line of its own is in reach by that one, whatever becomes of the controller; without one it goes with it', async () => {
    const controller = await device('central-controller');
    const [own, other, behind] = [
      await device('single-lamp-controller', controller),
      await device('single-lamp-controller', controller),
      await device('single-lamp-controller', controller),
    ];
    await says(own, true);
    for (const id of [controller, own, other, behind]) await reads(id, id === behind ? { viaId: controller } : {});
    await pass(20 * minute, () => reads(other));
    expect(await stateOf(controller)).toMatchObject({ online: false, fault: 'N302' });
    expect(await stateOf(own)).toMatchObject({ online: true, fault: null });
    expect(await stateOf(other)).toMatchObject({ online: true, fault: null });
    expect(await stateOf(behind)).toMatchObject({ online: false, fault: 'N302' });
    expect(await openOf(behind)).toMatchObject([{ reason: 'gatewayLost' }]);
  });
});

it('a device is known that is registered, also when all are forgotten while others are read', async () => {
  const [known, other] = [await device('security-camera'), await device('security-camera')];
  const heard = new DevicesHeard(db);
  await heard.load(new Set([known]), now());
  const loading = heard.load(new Set([known, other]), now());
  heard.forget();
  expect(new Set((await loading).keys())).toEqual(new Set([known, other]));
});
