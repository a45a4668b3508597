import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/**
 * What is on its way to lamps: publications that have not told them yet, and exceptions, or ends of exceptions, that wait
 * for a second person.
 */

/** What a publication asks of the lamp of its item `i`: what is not published stays, a return leads to what was before. */
export const askedScheme = sql<number | null>`CASE WHEN p.reverts IS NULL
  THEN coalesce(p.scheme_version_id, i.before_scheme_version_id) ELSE b.before_scheme_version_id END`;
export const askedTemplate = sql<number | null>`CASE WHEN p.reverts IS NULL
  THEN coalesce(p.template_version_id, i.before_template_version_id) ELSE b.before_template_version_id END`;
/** To the item `i`: its publication, and the lamp in what that takes back. */
export const asking = sql`JOIN publication p ON p.id = i.publication_id
  LEFT JOIN publication_item b ON b.publication_id = p.reverts AND b.device_id = i.device_id`;
/** Its lamp was not told yet. */
export const isUntold = sql<boolean>`i.open AND i.told_at IS NULL`;

/** Assignments, and as the newest of each lamp what a publication will tell it; never from an earlier day on than now. */
export const assignmentsComing = (now: Date) => sql`(SELECT device_id, id, from_day, scheme_version_id,
    template_version_id, latitude, longitude, withdrawn_at FROM plan_assignment
  UNION ALL SELECT i.device_id, 9223372036854775807, greatest(p.effective_from,
    ((${now}::timestamptz AT TIME ZONE a.time_zone) - interval '12 hours')::date), ${askedScheme}, ${askedTemplate},
    i.latitude, i.longitude, NULL
  FROM publication_item i ${asking} JOIN device l ON l.id = i.device_id JOIN work_area a ON a.id = l.work_area_id
  WHERE ${isUntold})`;

/** The end of the exception `e` waits for a second person. */
const endIsAsked = (now: Date) =>
  sql`(e.ending->>'approved' IS NULL AND (e.ending->>'expiresAt')::timestamptz > ${now})`;
/** From when on the exception `e` holds and when it ends, if all that waits is agreed to now. */
export const holdsFromComing = (now: Date) =>
  sql`coalesce(e.holds_from, CASE WHEN e.state = 'awaitingApproval' THEN date_trunc('minute', ${now}::timestamptz) END)`;
export const endedAtComing = (now: Date) =>
  sql`coalesce(e.ended_at, CASE WHEN ${endIsAsked(now)} THEN date_trunc('minute', ${now}::timestamptz) END)`;

/** Those of these lamps to which something is on its way. */
export async function findComing(
  from: Db | Transaction,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`SELECT i.device_id AS id FROM publication_item i
      WHERE i.device_id = ANY(${[...ids]}::bigint[]) AND ${isUntold}
    UNION SELECT x.device_id FROM plan_exception e JOIN plan_exception_item x ON x.exception_id = e.id
      WHERE e.state IN ('awaitingApproval', 'planned', 'inForce') AND (e.state = 'awaitingApproval' OR ${endIsAsked(now)})
        AND x.cannot IS NULL AND x.device_id = ANY(${[...ids]}::bigint[])`.execute(from);
  return new Set(rows.map(({ id }) => id));
}
