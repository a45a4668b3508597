import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { timeText } from '../../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../../ingest/index.ts';
import { startBus } from '../../../platform/bus/index.ts';
import { createLog } from '../../../platform/log.ts';
import { testClock } from '../../../testing/clock.ts';
import { testDatabase } from '../../../testing/database.ts';
import { givenArea } from '../../../testing/devices.ts';
import { writtenLog } from '../../../testing/written-log.ts';
import { createProofs } from '../../../light/commands/index.ts';
import { createRoller } from '../index.ts';

/** Readings, and the roller that sums them up. Call it at the top of a test file. */
export async function rolledHistory() {
  const database = await testDatabase();
  const { db } = database;
  const log = createLog('silent');
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  /** An evening of the area, lamps lit since 17 o'clock (17:05 there). */
  const start = Date.parse('2026-11-21T12:00:00Z');
  const clock = testClock(new Date(start));
  const bus = await startBus(database.connection, log);
  const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
  // So few readings at once that the devices of most tests are reckoned in several pieces.
  const roller = createRoller({ db, clock, log, readingsAtOnce: 5 });
  const written = writtenLog('error');

  beforeAll(() => givenArea(db));
  afterAll(async () => {
    await ingest.stop();
    await bus.stop();
  });

  const now = () => clock.now().getTime();
  const send = (deviceId: number, readings: readonly (readonly [number, Record<string, unknown>])[]) =>
    ingest.take({
      topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
      username: null,
      payload: Buffer.from(
        JSON.stringify({
          sentAt: timeText(now()),
          readings: readings.map(([at, values]) => ({ at: timeText(at), values })),
        }),
      ),
    });
  /** A lamp that counted from `kwh` on, `kwhAnHour` an hour, every quarter of an hour up to now. */
  const counted = (from: number, to: number, kwh: number, kwhAnHour: number): [number, Record<string, unknown>][] =>
    Array.from({ length: Math.floor((to - from) / (15 * minute)) + 1 }, (_, i) => [
      from + i * 15 * minute,
      { level: 100, power: kwhAnHour * 1000, relay: true, energy: Number((kwh + (kwhAnHour * i) / 4).toFixed(3)) },
    ]);

  const hoursOf = async (deviceId: number) =>
    (
      await sql<{ at: Date; readings: number; key: string; mean: number; low: number; high: number; n: number }>`
  SELECT h.at, h.readings, q.key, v.mean, coalesce(v.low, v.mean) AS low, coalesce(v.high, v.mean) AS high,
    coalesce(v.n, h.readings) AS n
  FROM reading_hour h CROSS JOIN LATERAL unnest(h.keys, h.means, h.lows, h.highs, h.counts) AS v(id, mean, low, high, n)
    JOIN history_quantity q ON q.id = v.id WHERE h.device_id = ${deviceId} ORDER BY h.at, q.key`.execute(db)
    ).rows;
  /** The same from the readings, by plain SQL. */
  const oracle = async (deviceId: number, to: number) =>
    (
      await sql`
  SELECT r.hour AS at, r.readings, e.key, avg(e.value::float8)::real AS mean, min(e.value::float8)::real AS low,
    max(e.value::float8)::real AS high, count(*)::int AS n
  FROM (SELECT date_trunc('hour', at, 'UTC') AS hour, values,
    count(*) OVER (PARTITION BY date_trunc('hour', at, 'UTC'))::int AS readings FROM reading
    WHERE device_id = ${deviceId} AND at < ${new Date(to)}) r
  CROSS JOIN LATERAL jsonb_each(r.values) e WHERE e.key IN ('level', 'power', 'voltage')
    GROUP BY r.hour, r.readings, e.key ORDER BY r.hour, e.key`.execute(db)
    ).rows;
  const energyOf = async (deviceId: number) =>
    (
      await sql<{ at: Date; measured: number; estimated: number; calculated: number; invalid: number; resets: number }>`
  SELECT at, measured, estimated, calculated, invalid_seconds AS invalid, resets FROM energy_hour
    WHERE device_id = ${deviceId} ORDER BY at`.execute(db)
    ).rows;
  const total = (rows: readonly { measured: number; estimated: number; calculated: number }[]) =>
    rows.reduce((sum, row) => sum + row.measured + row.estimated + row.calculated, 0);
  const waiting = async () =>
    (await sql<{ n: number }>`SELECT count(*)::int AS n FROM rollup_late`.execute(db)).rows[0]?.n;

  return {
    db,
    log,
    minute,
    hour,
    day,
    start,
    clock,
    roller,
    written,
    now,
    send,
    counted,
    hoursOf,
    oracle,
    energyOf,
    total,
    waiting,
  };
}
