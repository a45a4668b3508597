import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import { single } from './spans.query.ts';

export interface DueDay {
  readonly deviceId: number;
  readonly day: string;
}

/** Days that are to be rolled by now, those that wait longest first. */
export async function findDueDays(tx: Transaction, now: Date, limit: number): Promise<DueDay[]> {
  const { rows } =
    await sql<DueDay>`SELECT device_id AS "deviceId", day::text AS day FROM rollup_day_due WHERE due_at <= ${now}
      ORDER BY due_at, device_id LIMIT ${limit}`.execute(tx);
  return rows;
}

/** Rolls these days out of their hours, anew where they were, and takes them off the list. */
export async function rollDays(tx: Transaction, due: readonly DueDay[]): Promise<void> {
  if (due.length === 0) return;
  const days = sql`unnest(${due.map((d) => d.deviceId)}::bigint[], ${due.map((d) => d.day)}::date[]) AS u(device_id, day)`;
  const [first, last] = [
    due.reduce((a, d) => (d.day < a ? d.day : a), '9999-12-31'),
    due.reduce((a, d) => (d.day > a ? d.day : a), '0001-01-01'),
  ];
  // A device that was deleted has no place any more, and nobody asks for it.
  const spans = sql`SELECT u.device_id, u.day, u.day::timestamp AT TIME ZONE a.time_zone AS from_at,
    (u.day + 1)::timestamp AT TIME ZONE a.time_zone AS to_at,
    (u.day + interval '12 hours') AT TIME ZONE a.time_zone AS noon
    FROM ${days} JOIN device d ON d.id = u.device_id JOIN work_area a ON a.id = d.work_area_id`;
  // With constants the database leaves the other months alone; zones are at most 14 hours off.
  const near = (column: ReturnType<typeof sql>) =>
    sql`${column} >= ${first}::date::timestamp AT TIME ZONE 'UTC' - interval '15 hours' AND ${column} < ${last}::date::timestamp AT TIME ZONE 'UTC' + interval '39 hours'`;
  await sql`WITH span AS MATERIALIZED (${spans}), hour AS MATERIALIZED (
      SELECT s.device_id, s.day, h.at, h.readings, h.flawed, h.keys, h.means, coalesce(h.lows, h.means) AS lows,
        coalesce(h.highs, h.means) AS highs, h.counts, h.last_keys, h.lasts
      FROM span s JOIN reading_hour h ON h.device_id = s.device_id AND h.at >= s.from_at AND h.at < s.to_at
        AND ${near(sql`h.at`)}
    ), heads AS (
      SELECT device_id, day, sum(readings)::int AS readings,
        ARRAY[sum(coalesce(flawed[1], 0)), sum(coalesce(flawed[2], 0)), sum(coalesce(flawed[3], 0))]::int[] AS flawed
        FROM hour GROUP BY device_id, day
    ), sums AS (
      SELECT h.device_id, h.day, q.id, sum(coalesce(q.n, h.readings))::int AS n,
        ${single(sql`(sum(q.mean::float8 * coalesce(q.n, h.readings)) / sum(coalesce(q.n, h.readings)))`)} AS mean,
        min(q.low) AS low, max(q.high) AS high
      FROM hour h CROSS JOIN LATERAL unnest(h.keys, h.means, h.lows, h.highs, h.counts) AS q(id, mean, low, high, n)
        GROUP BY h.device_id, h.day, q.id
    ), measured AS (
      SELECT device_id, day, array_agg(id ORDER BY id) AS keys, array_agg(mean ORDER BY id) AS means,
        array_agg(low ORDER BY id) AS lows, array_agg(high ORDER BY id) AS highs, array_agg(n ORDER BY id) AS counts,
        min(n) AS fewest
      FROM sums GROUP BY device_id, day
    ), ends AS (
      SELECT h.device_id, h.day, q.id, (max(ARRAY[extract(epoch FROM h.at)::float8, q.last]))[2] AS last FROM hour h
        CROSS JOIN LATERAL unnest(h.last_keys, h.lasts) AS q(id, last) GROUP BY h.device_id, h.day, q.id
    ), lasts AS (SELECT device_id, day, array_agg(id ORDER BY id) AS last_keys, array_agg(last ORDER BY id) AS lasts
      FROM ends GROUP BY device_id, day)
    INSERT INTO reading_day (device_id, day, readings, flawed, keys, means, lows, highs, counts, last_keys, lasts)
    SELECT h.device_id, h.day, h.readings, NULLIF(h.flawed, '{0,0,0}'::int[]), coalesce(m.keys, '{}'),
      coalesce(m.means, '{}'), NULLIF(m.lows, m.means), NULLIF(m.highs, m.means),
      CASE WHEN m.fewest < h.readings THEN m.counts END, coalesce(l.last_keys, '{}'), coalesce(l.lasts, '{}')
    FROM heads h LEFT JOIN measured m USING (device_id, day) LEFT JOIN lasts l USING (device_id, day)
      ORDER BY h.device_id, h.day
    ON CONFLICT (device_id, day) DO UPDATE SET readings = excluded.readings, flawed = excluded.flawed,
      keys = excluded.keys, means = excluded.means, lows = excluded.lows, highs = excluded.highs,
      counts = excluded.counts, last_keys = excluded.last_keys, lasts = excluded.lasts`.execute(tx);
  await sql`DELETE FROM energy_day e USING ${days} WHERE e.device_id = u.device_id AND e.day = u.day
    AND e.day BETWEEN ${first}::date AND ${last}::date`.execute(tx);
  await sql`WITH span AS MATERIALIZED (${spans})
    INSERT INTO energy_day (device_id, day, measured, estimated, calculated, am_measured, am_estimated, am_calculated,
      invalid_seconds, am_invalid_seconds, resets)
    SELECT s.device_id, s.day, sum(e.measured), sum(e.estimated), sum(e.calculated),
      coalesce(sum(e.measured) FILTER (WHERE e.at < s.noon), 0),
      coalesce(sum(e.estimated) FILTER (WHERE e.at < s.noon), 0),
      coalesce(sum(e.calculated) FILTER (WHERE e.at < s.noon), 0), sum(e.invalid_seconds)::int,
      coalesce(sum(e.invalid_seconds) FILTER (WHERE e.at < s.noon), 0)::int, sum(e.resets)::smallint
    FROM span s JOIN energy_hour e ON e.device_id = s.device_id AND e.at >= s.from_at AND e.at < s.to_at
      AND ${near(sql`e.at`)} GROUP BY s.device_id, s.day ORDER BY s.device_id, s.day`.execute(tx);
  await sql`DELETE FROM rollup_day_due r USING ${days} WHERE r.device_id = u.device_id AND r.day = u.day`.execute(tx);
}
