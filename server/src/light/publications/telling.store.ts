import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A lamp whose turn has come, and what it is to follow. */
export interface Turn {
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
}

/** Lamps that may be told, from one on. What is not published stays as it was; a return leads to what was before. */
export async function findTurns(
  tx: Transaction,
  id: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Turn[]> {
  const { rows } = await sql<Turn>`SELECT i.device_id AS "deviceId", d.work_area_id AS "workAreaId",
      CASE WHEN p.reverts IS NULL THEN coalesce(p.scheme_version_id, i.before_scheme_version_id)
        ELSE b.before_scheme_version_id END AS "schemeVersionId",
      CASE WHEN p.reverts IS NULL THEN coalesce(p.template_version_id, i.before_template_version_id)
        ELSE b.before_template_version_id END AS "templateVersionId"
    FROM publication_item i JOIN publication p ON p.id = i.publication_id JOIN device d ON d.id = i.device_id
    LEFT JOIN publication_item b ON b.publication_id = p.reverts AND b.device_id = i.device_id
    WHERE i.publication_id = ${id} AND i.state = 'pending' AND i.device_id > ${after}
    ORDER BY i.device_id LIMIT ${limit} FOR UPDATE OF i`.execute(tx);
  return rows;
}

export async function writeTold(
  tx: Transaction,
  id: number,
  told: readonly { readonly deviceId: number; readonly hash: string | null }[],
  at: Date,
): Promise<void> {
  await sql`UPDATE publication_item i SET state = 'told', told_at = ${at}, plan_hash = t.hash
    FROM unnest(${told.map((t) => t.deviceId)}::bigint[], ${told.map((t) => t.hash)}::text[]) AS t(id, hash)
    WHERE i.publication_id = ${id} AND i.device_id = t.id`.execute(tx);
}

/** Lamps that were told and did not say so since: a process that died may have told the rows alone. */
export async function findUnreported(db: Db, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT i.device_id AS id FROM publication_item i
    WHERE i.open AND i.state IN ('told', 'away') AND i.reported_at IS NULL AND i.device_id > ${after}
    ORDER BY i.device_id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Writes which lamps say that they run what they were told; how many. */
export async function writeReported(tx: Transaction, id: number, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`UPDATE publication_item i SET reported_at = ${at},
      state = CASE WHEN i.state = 'told' THEN 'reported' ELSE i.state END
    FROM plan_report r WHERE i.publication_id = ${id} AND i.reported_at IS NULL AND i.told_at IS NOT NULL
      AND r.device_id = i.device_id AND r.plan_hash = i.plan_hash`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** A lamp that was told and has not proven it. */
export interface Unproven {
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly toldAt: Date;
  readonly state: string;
  readonly proof: StoredProof | null;
}
export interface StoredProof {
  readonly stepAt: string;
  readonly expected: number;
  readonly observed: number | null;
  readonly readingAt: string | null;
  readonly misses: number;
}
export async function findUnproven(db: Db, id: number, after: number, limit: number): Promise<Unproven[]> {
  const { rows } = await sql<Unproven>`SELECT i.device_id AS "deviceId", d.work_area_id AS "workAreaId",
      d.rated_watts AS "ratedWatts", i.told_at AS "toldAt", i.state, i.proof
    FROM publication_item i JOIN device d ON d.id = i.device_id
    WHERE i.publication_id = ${id} AND i.state IN ('told', 'reported', 'away') AND i.device_id > ${after}
    ORDER BY i.device_id LIMIT ${limit}`.execute(db);
  return rows;
}

export interface Seen {
  readonly deviceId: number;
  readonly at: Date;
  readonly values: Readonly<Record<string, unknown>>;
}
/** Measured readings of lamps within a time each, oldest first. */
export async function findReadings(
  db: Db,
  spans: readonly { readonly deviceId: number; readonly from: number; readonly to: number }[],
): Promise<Seen[]> {
  const time = (ms: number) => new Date(ms).toISOString();
  const { rows } = await sql<Seen>`SELECT r.device_id AS "deviceId", r.at, r.values
    FROM unnest(${spans.map((s) => s.deviceId)}::bigint[], ${spans.map((s) => time(s.from))}::timestamptz[],
      ${spans.map((s) => time(s.to))}::timestamptz[]) AS s(id, since, till)
    JOIN LATERAL (SELECT device_id, at, values FROM reading WHERE device_id = s.id AND at >= s.since AND at <= s.till
      AND quality IN (0, 3) ORDER BY at LIMIT 200) r ON true ORDER BY r.device_id, r.at`.execute(db);
  return rows;
}

export interface Verdict {
  readonly deviceId: number;
  readonly state: 'proven' | 'diverged' | 'away' | null;
  readonly proof: StoredProof;
}
/** Writes what planned steps showed; state null: only what was seen. */
export async function writeVerdicts(
  tx: Transaction,
  id: number,
  verdicts: readonly Verdict[],
  at: Date,
): Promise<void> {
  await sql`UPDATE publication_item i SET state = coalesce(s.state, i.state), proof = s.proof::jsonb,
      proven_at = CASE WHEN s.state = 'proven' THEN ${at}::timestamptz ELSE i.proven_at END
    FROM unnest(${verdicts.map((v) => v.deviceId)}::bigint[], ${verdicts.map((v) => v.state)}::text[],
      ${verdicts.map((v) => JSON.stringify(v.proof))}::text[]) AS s(id, state, proof)
    WHERE i.publication_id = ${id} AND i.device_id = s.id AND i.state IN ('told', 'reported', 'away')`.execute(tx);
}

export interface FirstPart {
  readonly total: number;
  /** Proven, diverged, away, or seen to do otherwise once. */
  readonly decided: number;
  readonly away: number;
  readonly proven: number;
  readonly able: number;
  readonly reported: number;
  readonly alarms: number;
}
/** What the first part came to. `able`: lamps in reach that can say which plan they run. */
export async function countFirst(tx: Transaction, id: number): Promise<FirstPart> {
  const { rows } = await sql<FirstPart>`SELECT count(*)::int AS total,
      count(*) FILTER (WHERE i.state IN ('proven', 'diverged', 'away')
        OR (i.proof->>'misses')::int > 0)::int AS decided,
      count(*) FILTER (WHERE i.state = 'away')::int AS away,
      count(*) FILTER (WHERE i.state = 'proven')::int AS proven,
      count(*) FILTER (WHERE i.state <> 'away' AND (r.capabilities ? 'plan' OR i.reported_at IS NOT NULL))::int AS able,
      count(*) FILTER (WHERE i.state <> 'away' AND i.reported_at IS NOT NULL)::int AS reported,
      count(*) FILTER (WHERE s.fault IN ('L101', 'L110', 'L111', 'L112', 'L115')
        AND s.fault_since > i.told_at)::int AS alarms
    FROM publication_item i LEFT JOIN plan_report r ON r.device_id = i.device_id
    LEFT JOIN device_state s ON s.device_id = i.device_id
    WHERE i.publication_id = ${id} AND i.canary AND i.told_at IS NOT NULL AND i.state <> 'superseded'`.execute(tx);
  return rows[0] ?? { total: 0, decided: 0, away: 0, proven: 0, able: 0, reported: 0, alarms: 0 };
}
