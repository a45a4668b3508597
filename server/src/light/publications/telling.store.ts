import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import { askedScheme, askedTemplate, asking, isUntold, type MaybeCoordinates } from '../plans/index.ts';

/** A lamp whose turn has come, what it is to follow, and where it stood when that was weighed. */
export interface Turn extends MaybeCoordinates {
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
}

/** Lamps that may be told, from one on. */
export async function findTurns(
  tx: Transaction,
  id: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Turn[]> {
  const { rows } = await sql<Turn>`SELECT i.device_id AS "deviceId", d.work_area_id AS "workAreaId",
      ${askedScheme} AS "schemeVersionId", ${askedTemplate} AS "templateVersionId", i.latitude, i.longitude
    FROM publication_item i ${asking} JOIN device d ON d.id = i.device_id
    WHERE i.publication_id = ${id} AND ${isUntold} AND NOT i.waiting AND i.device_id > ${after}
    ORDER BY i.device_id LIMIT ${limit} FOR UPDATE OF i`.execute(tx);
  return rows;
}

/** They were told, and are watched from then on. */
export async function writeTold(
  tx: Transaction,
  id: number,
  told: readonly { readonly deviceId: number; readonly hash: string | null }[],
  { at, lookAt = at }: { readonly at: Date; readonly lookAt?: Date },
): Promise<void> {
  await sql`UPDATE publication_item i SET state = 'told', told_at = ${at}, plan_hash = t.hash
    FROM unnest(${told.map((t) => t.deviceId)}::bigint[], ${told.map((t) => t.hash)}::text[]) AS t(id, hash)
    WHERE i.publication_id = ${id} AND i.device_id = t.id`.execute(tx);
  await sql`INSERT INTO publication_watch (publication_id, device_id, look_at)
    SELECT ${id}, t.id, ${lookAt} FROM unnest(${told.map((t) => t.deviceId)}::bigint[]) AS t(id)
    ON CONFLICT (publication_id, device_id) DO UPDATE SET look_at = excluded.look_at`.execute(tx);
}

export interface FirstPart {
  readonly total: number;
  /** Proven, diverged, away, seen to do otherwise once, or not watched any more. */
  readonly decided: number;
  readonly away: number;
  readonly proven: number;
  readonly able: number;
  readonly reported: number;
  /** Lamps with an alarm that began since they were told, whether it goes on or not. */
  readonly alarms: number;
}
/** What the first part came to. `able`: lamps in reach that can say which plan they run: those
 * that go by the table of each night say none. */
export async function countFirst(tx: Transaction, id: number): Promise<FirstPart> {
  const { rows } = await sql<FirstPart>`SELECT count(*)::int AS total,
      count(*) FILTER (WHERE i.state IN ('proven', 'diverged', 'away')
        OR w.look_at IS NULL OR (i.proof->>'misses')::int > 0)::int AS decided,
      count(*) FILTER (WHERE i.state = 'away')::int AS away,
      count(*) FILTER (WHERE i.state = 'proven')::int AS proven,
      count(*) FILTER (WHERE i.state <> 'away' AND ((r.capabilities ? 'plan' AND i.plan_hash IS NOT NULL)
        OR i.reported_at IS NOT NULL))::int AS able,
      count(*) FILTER (WHERE i.state <> 'away' AND i.reported_at IS NOT NULL)::int AS reported,
      count(*) FILTER (WHERE EXISTS (SELECT FROM fault_log f WHERE f.device_id = i.device_id AND f.began_at > i.told_at
        AND f.fault IN ('L101', 'L110', 'L111', 'L112', 'L115')))::int AS alarms
    FROM publication_item i LEFT JOIN plan_report r ON r.device_id = i.device_id
    LEFT JOIN publication_watch w ON w.publication_id = i.publication_id AND w.device_id = i.device_id
    WHERE i.publication_id = ${id} AND i.canary AND i.told_at IS NOT NULL AND i.state <> 'superseded'`.execute(tx);
  return rows[0] ?? { total: 0, decided: 0, away: 0, proven: 0, able: 0, reported: 0, alarms: 0 };
}

/** What the step that was judged last showed of a lamp of the first part. */
interface FirstProof {
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly stepAt: Date;
  readonly expected: number;
  readonly observed: number | null;
}
export async function findFirstProofs(tx: Transaction, id: number): Promise<FirstProof[]> {
  const { rows } = await sql<FirstProof>`SELECT i.device_id AS "deviceId", d.work_area_id AS "workAreaId",
      d.rated_watts AS "ratedWatts", (i.proof->>'stepAt')::timestamptz AS "stepAt",
      (i.proof->>'expected')::float8 AS expected, (i.proof->>'observed')::float8 AS observed
    FROM publication_item i JOIN device d ON d.id = i.device_id
    WHERE i.publication_id = ${id} AND i.canary AND i.told_at IS NOT NULL AND i.state <> 'superseded'
      AND i.proof IS NOT NULL ORDER BY i.device_id`.execute(tx);
  return rows;
}
