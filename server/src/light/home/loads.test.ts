import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { createProofs } from '../commands/index.ts';
import { createRoller } from '../../history/readings/index.ts';
import { defaultThresholds } from '../lamps/index.ts';
import { findCurve } from './home.store.ts';
import { createHome, createLoadSums, holdOf, markLoadsDue } from './index.ts';
import { beginSum, findLoads, stepSeconds, sumStep } from './loads.store.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Seven in the evening there, lamps lit for two hours. */
const start = Date.parse('2026-11-21T11:00:00Z');
const periods = { litSeconds: 900, unlitSeconds: 3600 };
const hold = holdOf(periods);
const lit = { level: 100, power: 90, relay: true };

const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const clock = testClock(new Date(start));
const bus = await startBus(database.connection, log);
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
const roller = createRoller({ db, clock, log, cameLate: (tx, hours) => markLoadsDue(tx, hours, hold) });
const loads = createLoadSums({ db, clock, hold });

const now = () => clock.now().getTime();
const say = (deviceId: number, at: number, values: object) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(JSON.stringify({ sentAt: timeText(now()), readings: [{ at: timeText(at), values }] })),
  });
const everything = (from: number, to: number) => ({ from: new Date(from), to: new Date(to) });
/** Area by area, what is kept of a quarter. */
const kept = async (at: number) =>
  (
    await sql<{ area: number; watts: number; lit: number; reporting: number }>`
  SELECT work_area_id AS area, watts, lit, reporting FROM area_load WHERE at = ${new Date(at)} ORDER BY 1`.execute(db)
  ).rows;
const summed = async () =>
  (
    await sql<{
      at: Date;
      summedAt: Date;
      settled: boolean;
    }>`SELECT at, summed_at AS "summedAt", settled FROM area_load_step WHERE at > ${new Date(start - 40 * hour)}
      ORDER BY at`.execute(db)
  ).rows;

let lamps: number[] = [];
beforeAll(async () => {
  await givenArea(db);
  await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude)
    VALUES (2, 'A2', '城东', 120.3, 30.3)`.execute(db);
  lamps = await Promise.all(
    Array.from({ length: 12 }, (_, i) => givenDevice(db, { workAreaId: 1 + (i % 2), roadId: null, enabled: i !== 11 })),
  );
  // By night and by day, some silent for a while or for good, some dimmed, one that tells no power.
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (const [i, id] of lamps.entries()) {
    for (let at = start - 26 * hour; at < start; at += (random() < 0.1 ? 150 : 13) * minute) {
      const on = new Date(at).getUTCHours() >= 9 && random() < 0.9;
      await say(
        id,
        at,
        i === 10
          ? { voltage: 230 }
          : on
            ? { ...lit, power: 60 + 30 * random() }
            : { level: 0, power: random() < 0.5 ? 0 : 9, relay: false },
      );
    }
  }
});
afterAll(async () => {
  await ingest.stop();
  await bus.stop();
});

describe('the sums of the curve', () => {
  it('are what the readings say, quarter by quarter', async () => {
    await clock.advance(minute / 2);
    await loads.turn();
    const [from, to] = [start - 25 * hour, start];
    const told = (await findLoads(db, 'all', everything(from, to))).map(({ at, ...load }) => ({
      step: (at.getTime() - from) / stepSeconds / 1000,
      ...load,
    }));
    const reckoned = await findCurve(db, sql<boolean>`true`, everything(from, to), stepSeconds, hold);
    const rounded = (rows: readonly { step: number; watts: number; lit: number; reporting: number }[]) =>
      rows.map((row) => ({ ...row, watts: row.watts.toFixed(6) }));
    expect(told.length).toBe(101);
    expect(rounded(told)).toEqual(rounded(reckoned));
    expect(new Set(told.map((row) => row.reporting)).size).toBeGreaterThan(3);
  });

  it('of open hours follow what comes; those of closed ones stay until something comes late', async () => {
    await clock.advance(3 * minute);
    await roller.roll();
    await loads.turn();
    const before = await summed();
    expect(before.filter(({ settled }) => !settled).map(({ at }) => at.getTime())).toEqual([start]);
    const [lamp = 0] = lamps;
    const whole = async (at: number) => (await kept(at)).reduce((sum, { watts }) => sum + watts, 0);
    const again = async () => {
      await clock.advance(minute);
      await roller.roll();
      await loads.turn();
      return (await summed())
        .filter(({ summedAt }) => summedAt.getTime() === now())
        .map(({ at }) => (at.getTime() - start) / minute);
    };
    const [open, closed] = [await whole(start), await whole(start - 2 * hour)];
    await say(lamp, start, { ...lit, power: 500 });
    expect(await again()).toEqual([0]);
    expect(await whole(start)).toBeGreaterThan(open + 400);
    await say(lamp, start - 2 * hour - minute / 2, { ...lit, power: 700 });
    // As long as a reading of that hour may hold.
    expect(await again()).toEqual(Array.from({ length: 13 }, (_, i) => -180 + 15 * i));
    expect(await whole(start - 2 * hour)).toBeGreaterThan(closed + 600);
    expect(await again()).toEqual([0]);
  });

  it('miss nothing that comes late while they are made, for the first time or again', async () => {
    const [, , lamp = 0] = lamps;
    const at = new Date(start - 3 * hour);
    const wattsOf = (rows: readonly { watts: number }[]) => rows.reduce((sum, { watts }) => sum + watts, 0).toFixed(6);
    const interrupted = async (power: number, seconds: number) => {
      const begun = await db.transaction().execute((tx) => beginSum(tx, at, clock.now()));
      const { rolled } = await db.transaction().execute(async (tx) => {
        await sumStep(tx, begun, hold);
        await say(lamp, at.getTime() - seconds * 1000, { ...lit, power });
        const rolling = roller.roll();
        // It is through, or waits for this transaction.
        await Promise.race([rolling, lockWaiters(db, 1).catch(() => undefined)]);
        return { rolled: rolling };
      });
      await rolled;
      await clock.advance(minute);
      await loads.turn();
    };
    await sql`DELETE FROM area_load_step WHERE at = ${at}`.execute(db);
    for (const [power, seconds] of [
      [600, 90],
      [900, 30],
    ] as const) {
      const before = wattsOf(await kept(at.getTime()));
      await interrupted(power, seconds);
      expect(wattsOf(await kept(at.getTime()))).toBe(
        wattsOf(await findCurve(db, sql<boolean>`true`, everything(at.getTime(), at.getTime()), stepSeconds, hold)),
      );
      expect(wattsOf(await kept(at.getTime()))).not.toBe(before);
      await db.transaction().execute((tx) => markLoadsDue(tx, [at.getTime() - hour], hold));
    }
  });

  it('begun by another process meanwhile are left to it', async () => {
    const at = new Date(start);
    const first = await db.transaction().execute((tx) => beginSum(tx, at, new Date(now() - 1)));
    const second = await db.transaction().execute((tx) => beginSum(tx, at, clock.now()));
    await Promise.all([first, second].map((one) => db.transaction().execute((tx) => sumStep(tx, one, hold))));
    await sql`DELETE FROM area_load WHERE at = ${at}`.execute(db);
    await db.transaction().execute((tx) => sumStep(tx, first, hold));
    expect(await kept(start)).toEqual([]);
    await db.transaction().execute((tx) => sumStep(tx, second, hold));
    expect((await kept(start)).length).toBe(2);
  });

  it('are told by area, with the lamps that are bound to the account beyond its areas', async () => {
    const home = createHome({ db, clock, thresholds: defaultThresholds, periods });
    const { id: crew } = await db
      .insertInto('account')
      .values({ username: 'crew', name_key: 'crew', password_hash: '-' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const of = async (workAreas: 'all' | number[], workAreaId: number | null, accountId = 0) => {
      const { lit: counts, powerKw, reporting } = await home.curve({ accountId, workAreas, workAreaId });
      return Math.max(...reporting) * 1000 + Math.max(...counts.map(Number)) + Math.max(...powerKw.map(Number)) / 1000;
    };
    const [all, east, west] = [await of('all', null), await of('all', 1), await of([2], null)];
    expect(Math.floor(all / 1000)).toBe(Math.floor(east / 1000) + Math.floor(west / 1000));
    expect(await of([1, 2], null, 77)).toBe(all);
    // An area is taken from the account: at once, whatever is remembered.
    expect(await of([1], null, 77)).toBe(east);
    expect(await of([], null, 78)).toBeLessThanOrEqual(0);
    await sql`INSERT INTO device_account (device_id, account_id) VALUES (${lamps[1]}, ${crew})`.execute(db);
    expect(Math.floor((await of([1], null, crew)) / 1000)).toBe(Math.floor(east / 1000) + 1);
    expect(Math.floor((await of([], 2, crew)) / 1000)).toBe(1);
    expect(Math.floor((await of([], 1, crew)) / 1000)).toBe(0);
  });

  it('leave the database in peace where one takes long, the newest first', async () => {
    await sql`DELETE FROM area_load_step`.execute(db);
    let at = now();
    const slow = createLoadSums({ db, hold, clock: { ...clock, now: () => new Date((at += 120)) } });
    await slow.turn();
    const first = await summed();
    expect(first.length).toBeLessThan(10);
    expect(first.at(-1)?.at.getTime()).toBe(start);
    await slow.turn();
    expect(await summed()).toEqual(first);
    at += 4000;
    await slow.turn();
    expect((await summed()).length).toBeGreaterThan(first.length);
  });

  it('of three days ago are forgotten', async () => {
    await clock.advance(90 * hour);
    await createLoadSums({ db, clock, hold }).turn();
    expect((await summed())[0]?.at.getTime()).toBeGreaterThan(start);
    expect(
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM area_load WHERE at <= ${new Date(start)}`.execute(db))
        .rows[0]?.n,
    ).toBe(0);
  });
});
