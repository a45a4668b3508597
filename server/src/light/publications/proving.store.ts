import { sql } from 'kysely';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** Writes which lamps say that they run what they were told: of these, or of all that were told lately. */
export async function writeReported(tx: Transaction, ids: readonly number[] | 'all', at: Date): Promise<number> {
  const which = ids === 'all' ? sql`i.look_at IS NOT NULL` : sql`i.device_id = ANY(${[...ids]}::bigint[])`;
  const { numAffectedRows } = await sql`UPDATE publication_item i SET reported_at = ${at},
      state = CASE WHEN i.state = 'told' THEN 'reported' ELSE i.state END
    FROM plan_report r WHERE ${which} AND i.reported_at IS NULL AND i.told_at IS NOT NULL AND i.state <> 'superseded'
      AND r.device_id = i.device_id AND r.plan_hash = i.plan_hash`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface Unreported {
  readonly publicationId: number;
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly planHash: string | null;
  readonly toldAt: Date;
}
/** Lamps that are watched and did not say so since: a process that died may have told the rows alone. */
export async function findUnreported(db: Db, after: number, limit: number): Promise<Unreported[]> {
  const { rows } = await sql<Unreported>`SELECT i.publication_id AS "publicationId", i.device_id AS "deviceId",
      d.work_area_id AS "workAreaId", i.plan_hash AS "planHash", i.told_at AS "toldAt"
    FROM publication_item i JOIN device d ON d.id = i.device_id
    WHERE i.look_at IS NOT NULL AND i.reported_at IS NULL AND i.device_id > ${after}
    ORDER BY i.device_id LIMIT ${limit}`.execute(db);
  return rows;
}
/** The hashes by which lamps report the same plan now: they change with the month. */
export async function writeHashes(
  tx: Transaction,
  hashes: readonly { readonly publicationId: number; readonly deviceId: number; readonly hash: string | null }[],
): Promise<void> {
  await sql`UPDATE publication_item i SET plan_hash = h.hash
    FROM unnest(${hashes.map((h) => h.publicationId)}::bigint[], ${hashes.map((h) => h.deviceId)}::bigint[],
      ${hashes.map((h) => h.hash)}::text[]) AS h(publication, id, hash)
    WHERE i.publication_id = h.publication AND i.device_id = h.id AND i.reported_at IS NULL`.execute(tx);
}

export interface StoredProof {
  readonly stepAt: string;
  readonly expected: number;
  readonly observed: number | null;
  readonly readingAt: string | null;
  readonly misses: number;
  /** The last step at which the lamp was seen; the steps after it are judged again: readings may come late. */
  readonly seenAt: string | null;
}
/** A lamp that was told, and that there may be news of. */
export interface Due {
  readonly publicationId: number;
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly toldAt: Date;
  readonly state: string;
  readonly effectiveFrom: Day;
  readonly proof: StoredProof | null;
  /** The server's clock minus the device's, ms. */
  readonly clockOffsetMs: number;
  /** Nothing else was given to it since. */
  readonly follows: boolean;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
}
export async function findDue(db: Db, now: Date, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`SELECT i.publication_id AS "publicationId", i.device_id AS "deviceId",
      d.work_area_id AS "workAreaId", d.rated_watts AS "ratedWatts", i.told_at AS "toldAt", i.state,
      i.proof, to_char(p.effective_from, 'YYYY-MM-DD') AS "effectiveFrom", coalesce(l.clock_offset_ms, 0) AS "clockOffsetMs",
      coalesce(i.publication_id = (SELECT x.publication_id FROM plan_assignment x WHERE x.device_id = i.device_id
        AND x.withdrawn_at IS NULL ORDER BY x.from_day DESC, x.id DESC LIMIT 1), false) AS follows,
      o.lighting
    FROM publication_item i JOIN publication p ON p.id = i.publication_id JOIN device d ON d.id = i.device_id
    LEFT JOIN device_latest l ON l.device_id = i.device_id
    LEFT JOIN device pole ON pole.id = d.pole_id LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)
    WHERE i.look_at <= ${now} ORDER BY i.look_at, i.device_id LIMIT ${limit}`.execute(db);
  return rows;
}

export interface Seen {
  readonly deviceId: number;
  readonly at: Date;
  readonly values: Readonly<Record<string, unknown>>;
}
/** Measured readings of lamps within a time each, oldest first. The bounds of all say which partitions matter. */
export async function findReadings(
  db: Db,
  spans: readonly { readonly deviceId: number; readonly from: number; readonly to: number }[],
): Promise<Seen[]> {
  if (spans.length === 0) return [];
  const time = (ms: number) => new Date(ms).toISOString();
  const [least, most] = [Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to))];
  const { rows } = await sql<Seen>`SELECT r.device_id AS "deviceId", r.at, r.values
    FROM unnest(${spans.map((s) => s.deviceId)}::bigint[], ${spans.map((s) => time(s.from))}::timestamptz[],
      ${spans.map((s) => time(s.to))}::timestamptz[]) AS s(id, since, till)
    JOIN LATERAL (SELECT device_id, at, values FROM reading WHERE device_id = s.id AND at >= s.since AND at <= s.till
      AND at >= ${time(least)}::timestamptz AND at <= ${time(most)}::timestamptz
      AND quality IN (0, 3) ORDER BY at LIMIT 100) r ON true ORDER BY r.device_id, r.at`.execute(db);
  return rows;
}

export interface Look {
  readonly publicationId: number;
  readonly deviceId: number;
  /** `seen`: in reach, and neither yet; null: as it was. */
  readonly state: 'proven' | 'diverged' | 'away' | 'superseded' | 'seen' | null;
  readonly proof: StoredProof | null;
  readonly reason: 'clock' | null;
  /** When to look again; null: this is final. */
  readonly lookAt: Date | null;
}
/** Writes what planned steps showed; the lamps that are otherwise than before. */
export async function writeLooks(tx: Transaction, looks: readonly Look[], at: Date): Promise<void> {
  await sql`UPDATE publication_item i SET proof = s.proof::jsonb, look_at = s.look_at,
      reason = coalesce(s.reason, i.reason),
      state = CASE WHEN s.state = 'seen' THEN CASE WHEN i.reported_at IS NULL THEN 'told' ELSE 'reported' END
        ELSE coalesce(s.state, i.state) END,
      open = i.open AND s.state IS DISTINCT FROM 'superseded',
      proven_at = CASE WHEN s.state = 'proven' THEN ${at}::timestamptz ELSE i.proven_at END
    FROM unnest(${looks.map((l) => l.publicationId)}::bigint[], ${looks.map((l) => l.deviceId)}::bigint[],
      ${looks.map((l) => l.state)}::text[], ${looks.map((l) => l.proof && JSON.stringify(l.proof))}::text[],
      ${looks.map((l) => l.reason)}::text[], ${looks.map((l) => l.lookAt?.toISOString() ?? null)}::timestamptz[])
      AS s(publication, id, state, proof, reason, look_at)
    WHERE i.publication_id = s.publication AND i.device_id = s.id
      AND i.state IN ('told', 'reported', 'away')`.execute(tx);
}
