import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';

/** How long a reading of a lit and of an unlit lamp may hold, seconds: two reporting periods. */
export interface Hold {
  readonly lit: number;
  readonly unlit: number;
}
export interface Load {
  readonly at: Date;
  readonly watts: number;
  readonly lit: number;
  readonly reporting: number;
}

/** Steps of the curve in seconds: at whole quarters of an hour. */
export const stepSeconds = 900;

/**
 * Quarters of an hour within `span` that were never summed, then those that were and may have changed since; the newest
 * and the longest unsummed first.
 */
export async function findUnsummed(
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ at: Date; why: 'new' | 'late' | 'open' }[]> {
  const { rows } = await sql<{ at: Date; why: 'new' | 'late' | 'open' }>`
    SELECT w.at, CASE WHEN s.at IS NULL THEN 'new' WHEN s.due THEN 'late' ELSE 'open' END AS why
    FROM generate_series(to_timestamp(ceil(extract(epoch FROM ${from}::timestamptz) / ${stepSeconds}::int)
      * ${stepSeconds}::int), ${to}::timestamptz, make_interval(secs => ${stepSeconds})) AS w(at)
    LEFT JOIN area_load_step s ON s.at = w.at WHERE s.at IS NULL OR s.due OR NOT s.settled
    ORDER BY s.summed_at NULLS FIRST, w.at DESC`.execute(db);
  return rows;
}

/** Held while one quarter is summed: two processes that both believe to be the one come one after the other. */

/** A sum that has begun: what comes late from now on makes its quarter due, also while it is being made. */
export interface Begun {
  readonly at: Date;
  readonly summedAt: Date;
  /** Whether the hours it is made of are closed already. */ readonly closed: boolean;
}

/** Begins the sum of a quarter; committed before anything is read for it. */
export async function beginSum(tx: Transaction, at: Date, now: Date): Promise<Begun> {
  const {
    rows: [begun],
  } = await sql<{
    summedAt: Date;
    closed: boolean;
  }>`INSERT INTO area_load_step (at, summed_at, settled) SELECT ${at}, ${now}, false FROM rollup_state
    ON CONFLICT (at) DO UPDATE SET summed_at = excluded.summed_at, settled = false, due = false
    RETURNING summed_at AS "summedAt", (SELECT ${at} < closed_to FROM rollup_state) AS closed`.execute(tx);
  return { at, summedAt: begun?.summedAt ?? now, closed: begun?.closed ?? false };
}

/**
 * Sums a quarter of an hour of all areas: each lamp counts with its last reading up to then, as long as that may hold.
 * Nothing, when somebody began anew meanwhile.
 */
export async function sumStep(tx: Transaction, { at, summedAt, closed }: Begun, hold: Hold): Promise<void> {
  await takeLock(tx, 'loadSums');
  const { rows: own } = await sql`SELECT FROM area_load_step WHERE at = ${at} AND summed_at = ${summedAt}`.execute(tx);
  if (own.length === 0) return;
  const earlier = (seconds: number) => new Date(at.getTime() - seconds * 1000);
  await sql`DELETE FROM area_load WHERE at = ${at}`.execute(tx);
  // Bounds reckoned here: with a sum in SQL the tables of all days would be planned for, each time.
  await sql`
    INSERT INTO area_load (at, work_area_id, watts, lit, reporting)
    SELECT ${at}, d.work_area_id, sum(r.watts), count(*) FILTER (WHERE r.watts > 0.1 * d.rated_watts)::int,
      count(*)::int
    FROM device d CROSS JOIN LATERAL (
      SELECT (x.values->>'power')::float8 AS watts, x.at FROM reading x
      WHERE x.device_id = d.id AND x.at >= ${earlier(hold.unlit)} AND x.at <= ${at} AND x.values->>'power' IS NOT NULL
        ORDER BY x.at DESC LIMIT 1) r
    WHERE d.family = ${lampFamily} AND d.enabled
      AND r.at >= CASE WHEN r.watts > 0.1 * coalesce(d.rated_watts, 0) THEN ${earlier(hold.lit)}::timestamptz
      ELSE ${earlier(hold.unlit)}::timestamptz END
    GROUP BY d.work_area_id`.execute(tx);
  await sql`UPDATE area_load_step SET settled = ${closed} WHERE at = ${at}`.execute(tx);
}

/**
 * Readings of these hours (their beginnings, epoch milliseconds) came late: what was summed from them is summed again.
 */
export async function markLoadsDue(tx: Transaction, hours: readonly number[], hold: Hold): Promise<void> {
  await sql`UPDATE area_load_step s SET due = true
    FROM unnest(${hours.map((hour) => new Date(hour).toISOString())}::timestamptz[]) AS h(hour)
    WHERE s.at >= h.hour AND s.at < h.hour + make_interval(secs => ${3600 + hold.unlit}) AND NOT s.due`.execute(tx);
}

export async function forgetLoads(tx: Transaction, before: Date): Promise<void> {
  await sql`DELETE FROM area_load_step WHERE at < ${before}`.execute(tx);
}

/** What the lamps of these areas took, quarter by quarter; nothing for one that is not summed. */
export async function findLoads(
  db: Db,
  areas: 'all' | readonly number[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Load[]> {
  const { rows } = await sql<Load>`
    SELECT at, sum(watts) AS watts, sum(lit)::int AS lit, sum(reporting)::int AS reporting FROM area_load
    WHERE at >= ${from} AND at <= ${to}
      AND ${areas === 'all' ? sql`true` : sql`work_area_id = ANY(${[...areas]}::bigint[])`} GROUP BY at
      ORDER BY at`.execute(db);
  return rows;
}
