import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import { boundsOf, instant, single, unitTable, type Unit } from './spans.query.ts';

/** Rolls the readings of these hours into a row an hour and device, anew where there is one. */
export async function rollHours(tx: Transaction, units: readonly Unit[]): Promise<void> {
  if (units.length === 0) return;
  const { from, to } = boundsOf(units);
  await sql`WITH raw AS MATERIALIZED (
      -- Device by device down the tree, whatever the database believes of a table it has not looked at yet.
      SELECT u.device_id, date_trunc('hour', r.at, 'UTC') AS hour, r.at, r.quality, r.values
      FROM ${unitTable(units)} CROSS JOIN LATERAL (SELECT r.at, r.quality, r.values FROM reading r WHERE r.device_id = u.device_id AND r.at >= u.from_at AND r.at < u.to_at
        AND r.at >= ${instant(from)}::timestamptz AND r.at < ${instant(to)}::timestamptz OFFSET 0) r
    ), heads AS (
      SELECT device_id, hour, count(*)::int AS readings, ARRAY[count(*) FILTER (WHERE quality = 1), count(*) FILTER (WHERE quality = 2), count(*) FILTER (WHERE quality = 3)]::int[] AS flawed
      FROM raw GROUP BY device_id, hour
    ), sums AS (
      SELECT raw.device_id, raw.hour, q.id, q.kind = 'measured' AS measured, count(*)::int AS n, ${single(sql`avg(v.x)`)} AS mean, ${single(sql`min(v.x)`)} AS low, ${single(sql`max(v.x)`)} AS high,
        -- The value of the latest instant: arrays are compared from their first element on.
        (max(ARRAY[extract(epoch FROM raw.at)::float8, v.x]) FILTER (WHERE q.kind <> 'measured'))[2] AS last
      -- OFFSET 0: the value is reckoned once, not once for each of its uses.
      FROM raw CROSS JOIN LATERAL jsonb_each(raw.values) AS e JOIN history_quantity q ON q.key = e.key
        CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(e.value) WHEN 'number' THEN e.value::float8 WHEN 'boolean' THEN (e.value = 'true')::int::float8 WHEN 'string' THEN array_position(q.options, e.value #>> '{}')::float8 - 1 END AS x OFFSET 0) v
      WHERE v.x IS NOT NULL GROUP BY raw.device_id, raw.hour, q.id, q.kind
    ), rolled AS (
      SELECT device_id, hour, array_agg(id ORDER BY id) FILTER (WHERE measured) AS keys, array_agg(mean ORDER BY id) FILTER (WHERE measured) AS means, array_agg(low ORDER BY id) FILTER (WHERE measured) AS lows,
        array_agg(high ORDER BY id) FILTER (WHERE measured) AS highs, array_agg(n ORDER BY id) FILTER (WHERE measured) AS counts, min(n) FILTER (WHERE measured) AS fewest,
        array_agg(id ORDER BY id) FILTER (WHERE NOT measured) AS last_keys, array_agg(last ORDER BY id) FILTER (WHERE NOT measured) AS lasts
      FROM sums GROUP BY device_id, hour
    )
    INSERT INTO reading_hour (device_id, at, readings, flawed, keys, means, lows, highs, counts, last_keys, lasts)
    SELECT h.device_id, h.hour, h.readings, NULLIF(h.flawed, '{0,0,0}'::int[]), coalesce(r.keys, '{}'), coalesce(r.means, '{}'), NULLIF(r.lows, r.means), NULLIF(r.highs, r.means),
      CASE WHEN r.fewest < h.readings THEN r.counts END, coalesce(r.last_keys, '{}'), coalesce(r.lasts, '{}')
    FROM heads h LEFT JOIN rolled r USING (device_id, hour) ORDER BY h.device_id, h.hour
    ON CONFLICT (device_id, at) DO UPDATE SET readings = excluded.readings, flawed = excluded.flawed, keys = excluded.keys, means = excluded.means, lows = excluded.lows, highs = excluded.highs,
      counts = excluded.counts, last_keys = excluded.last_keys, lasts = excluded.lasts`.execute(tx);
  await dueDays(
    tx,
    sql`SELECT u.device_id, h.at FROM ${unitTable(units)}
      CROSS JOIN LATERAL (SELECT h.at FROM reading_hour h WHERE h.device_id = u.device_id AND h.at >= u.from_at
      AND h.at < u.to_at
    AND h.at >= ${instant(from)}::timestamptz AND h.at < ${instant(to)}::timestamptz OFFSET 0) h`,
  );
}

/** So long after its end a day is rolled: its last hour is, and the reading after it has come. */
const dayGrace = '90 minutes';

/** The days that these hours (`device_id, at`) lie in are to be rolled: when they are over, or at once. */
export async function dueDays(tx: Transaction, hours: ReturnType<typeof sql>): Promise<void> {
  await sql`INSERT INTO rollup_day_due (device_id, day, due_at)
    SELECT DISTINCT h.device_id, l.day, ((l.day + 1)::timestamp AT TIME ZONE a.time_zone) + ${dayGrace}::interval
    FROM (${hours}) h JOIN device d ON d.id = h.device_id JOIN work_area a ON a.id = d.work_area_id
      CROSS JOIN LATERAL (SELECT (h.at AT TIME ZONE a.time_zone)::date AS day) l
    ON CONFLICT DO NOTHING`.execute(tx);
}
