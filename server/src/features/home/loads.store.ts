import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { lampFamily } from '../lamps/index.ts';

/** How long a reading of a lit and of an unlit lamp may hold, seconds: two reporting periods. */
export interface Hold { readonly lit: number; readonly unlit: number }
export interface Load { readonly at: Date; readonly watts: number; readonly lit: number; readonly reporting: number }

/** Steps of the curve in seconds: at whole quarters of an hour. */
export const stepSeconds = 900;

/** Quarters of an hour within `span` that were never summed, then those that were and may have changed since; the newest and the longest unsummed first. */
export async function findUnsummed(db: Db, { from, to }: { readonly from: Date; readonly to: Date }): Promise<{ at: Date; isNew: boolean }[]> {
  const { rows } = await sql<{ at: Date; isNew: boolean }>`
    SELECT w.at, s.at IS NULL AS "isNew"
    FROM generate_series(to_timestamp(ceil(extract(epoch FROM ${from}::timestamptz) / ${stepSeconds}::int) * ${stepSeconds}::int), ${to}::timestamptz, make_interval(secs => ${stepSeconds})) AS w(at)
    LEFT JOIN area_load_step s ON s.at = w.at WHERE s.at IS NULL OR s.due OR NOT s.settled
    ORDER BY s.summed_at NULLS FIRST, w.at DESC`.execute(db);
  return rows;
}

/** Sums one quarter of an hour of all areas anew: each lamp counts with its last reading up to then, as long as that may hold. */
export async function sumStep(tx: Transaction, at: Date, hold: Hold, now: Date): Promise<void> {
  // What is read after this was written in hours that were open, or is marked when it comes: nothing falls between.
  await sql`INSERT INTO area_load_step (at, summed_at, settled) SELECT ${at}, ${now}, ${at} < closed_to FROM rollup_state
    ON CONFLICT (at) DO UPDATE SET summed_at = excluded.summed_at, settled = excluded.settled, due = false`.execute(tx);
  await sql`DELETE FROM area_load WHERE at = ${at}`.execute(tx);
  await sql`
    INSERT INTO area_load (at, work_area_id, watts, lit, reporting)
    SELECT ${at}, d.work_area_id, sum(r.watts), count(*) FILTER (WHERE r.watts > 0.1 * d.rated_watts)::int, count(*)::int
    FROM device d CROSS JOIN LATERAL (
      SELECT (x.values->>'power')::float8 AS watts, x.at FROM reading x
      WHERE x.device_id = d.id AND x.at >= ${at}::timestamptz - make_interval(secs => ${hold.unlit}) AND x.at <= ${at} AND x.values->>'power' IS NOT NULL ORDER BY x.at DESC LIMIT 1) r
    WHERE d.family = ${lampFamily} AND d.enabled
      AND r.at >= ${at}::timestamptz - make_interval(secs => CASE WHEN r.watts > 0.1 * coalesce(d.rated_watts, 0) THEN ${hold.lit}::int ELSE ${hold.unlit}::int END)
    GROUP BY d.work_area_id`.execute(tx);
}

/** Readings of these hours (their beginnings, epoch milliseconds) came late: what was summed from them is summed again. */
export async function markLoadsDue(tx: Transaction, hours: readonly number[], hold: Hold): Promise<void> {
  await sql`UPDATE area_load_step s SET due = true FROM unnest(${hours.map((hour) => new Date(hour).toISOString())}::timestamptz[]) AS h(hour)
    WHERE s.at >= h.hour AND s.at < h.hour + make_interval(secs => ${3600 + hold.unlit}) AND NOT s.due`.execute(tx);
}

export async function forgetLoads(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM area_load_step WHERE at < ${before}`.execute(db);
}

/** What the lamps of these areas took, quarter by quarter; nothing for one that is not summed. */
export async function findLoads(db: Db, areas: 'all' | readonly number[], { from, to }: { readonly from: Date; readonly to: Date }): Promise<Load[]> {
  const { rows } = await sql<Load>`
    SELECT at, sum(watts) AS watts, sum(lit)::int AS lit, sum(reporting)::int AS reporting FROM area_load
    WHERE at >= ${from} AND at <= ${to} AND ${areas === 'all' ? sql`true` : sql`work_area_id = ANY(${[...areas]}::bigint[])`} GROUP BY at ORDER BY at`.execute(db);
  return rows;
}
