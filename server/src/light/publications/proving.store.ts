import { sql } from 'kysely';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { bigints, instants, jsons, prepared, smallints, type Db, type Transaction } from '../../platform/db/index.ts';

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

/** Epoch ms as a number, which is read sooner than the text of an instant. */
const ms = (column: string) => sql`(date_part('epoch', ${sql.ref(column)}) * 1000)`;

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
export interface Told {
  readonly publicationId: number;
  readonly deviceId: number;
  /** Epoch ms. */
  readonly toldAt: number;
  readonly state: string;
  readonly planHash: string | null;
  readonly proof: StoredProof | null;
}
/** The same with what belongs to it. */
export interface Due extends Told {
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly effectiveFrom: Day;
  /** The server's clock minus the device's, ms. */
  readonly clockOffsetMs: number;
  /** Nothing else was given to it since. */
  readonly follows: boolean;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
  /** A hash that it says since it was told, and that it was not told; null: none. */
  readonly otherHash: string | null;
  /** Since when it says what it says, epoch ms; null: it said nothing. */
  readonly saysSince: number | null;
}

/** Lamps that there may be news of since the longest, without some. */
export async function findDue(
  db: Db,
  now: Date,
  { limit, without }: { readonly limit: number; readonly without: readonly number[] },
): Promise<Told[]> {
  const { rows } = await sql<Told>`${prepared('due lamps')} SELECT publication_id AS "publicationId",
      device_id AS "deviceId", ${ms('told_at')} AS "toldAt", state, plan_hash AS "planHash", proof
    FROM publication_item WHERE look_at <= ${now} AND device_id NOT IN (SELECT unnest(${bigints(without)}::bigint[]))
    ORDER BY look_at LIMIT ${limit}`.execute(db);
  return rows;
}

interface Belonging {
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly clockOffsetMs: number | null;
  /** Who gave it what it follows last; null: no publication. */
  readonly givenBy: number | null;
  readonly lighting: string | null;
  readonly saysHash: string | null;
  readonly saysSince: number | null;
}

/**
 * What belongs to these lamps. The planner does not see how many there are, and joins in full, which it cannot do row by
 * row: nothing is walked over but what was asked for.
 */
export async function loadDue(db: Db, lamps: readonly Told[]): Promise<Due[]> {
  if (lamps.length === 0) return [];
  const asked = sql`(SELECT ${bigints(lamps.map(({ deviceId }) => deviceId))}::bigint[])::bigint[]`;
  const from = await loadEffectiveFrom(db, [...new Set(lamps.map(({ publicationId }) => publicationId))]);
  const { rows } = await sql<Belonging>`${prepared('what belongs to due lamps')} SELECT d.id AS "deviceId",
      d.work_area_id AS "workAreaId", d.rated_watts AS "ratedWatts", l.clock_offset_ms AS "clockOffsetMs",
      (SELECT x.publication_id FROM plan_assignment x WHERE x.device_id = d.id AND x.withdrawn_at IS NULL
        ORDER BY x.from_day DESC, x.id DESC LIMIT 1) AS "givenBy",
      (SELECT o.lighting FROM loop o WHERE o.id = coalesce(d.loop_id,
        (SELECT pole.loop_id FROM device pole WHERE pole.id = d.pole_id))) AS lighting,
      r.plan_hash AS "saysHash", ${ms('r.reported_at')} AS "saysSince"
    FROM (SELECT id, work_area_id, rated_watts, loop_id, pole_id FROM device WHERE id = ANY(${asked})) d
    FULL JOIN (SELECT device_id, clock_offset_ms FROM device_latest WHERE device_id = ANY(${asked})) l
      ON l.device_id = d.id
    FULL JOIN (SELECT device_id, plan_hash, reported_at FROM plan_report WHERE device_id = ANY(${asked})) r
      ON r.device_id = d.id`.execute(db);
  const belonging = new Map(rows.map((row) => [row.deviceId, row]));
  return lamps.flatMap((lamp): Due[] => {
    const one = belonging.get(lamp.deviceId);
    const effectiveFrom = from.get(lamp.publicationId);
    // It was deleted since it was chosen.
    if (!one || effectiveFrom === undefined) return [];
    const { workAreaId, ratedWatts, lighting, saysHash, saysSince } = one;
    const { publicationId, deviceId, toldAt, state, planHash, proof } = lamp;
    const saysOther = saysSince !== null && saysSince > toldAt && planHash !== null && saysHash !== planHash;
    return [
      {
        ...{ publicationId, deviceId, toldAt, state, planHash, proof },
        ...{ workAreaId, ratedWatts, lighting, saysSince, effectiveFrom },
        clockOffsetMs: one.clockOffsetMs ?? 0,
        follows: one.givenBy === publicationId,
        otherHash: saysOther ? saysHash : null,
      },
    ];
  });
}

/** The first lighting day of publications. */
async function loadEffectiveFrom(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Day>> {
  const { rows } = await sql<{ id: number; day: Day }>`SELECT id, to_char(effective_from, 'YYYY-MM-DD') AS day
    FROM publication WHERE id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, day }) => [id, day]));
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
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans) [least, most] = [Math.min(least, from), Math.max(most, to)];
  const { rows } = await sql<Omit<Seen, 'at'> & { at: number }>`${prepared('readings in spans')} SELECT
      r.device_id AS "deviceId", ${ms('r.at')} AS at, r.values
    FROM unnest(${bigints(spans.map((s) => s.deviceId))}::bigint[],
      ${instants(spans.map((s) => s.from))}::timestamptz[], ${instants(spans.map((s) => s.to))}::timestamptz[]) AS s(id, since, till)
    JOIN LATERAL (SELECT device_id, at, values FROM reading WHERE device_id = s.id AND at >= s.since AND at <= s.till
      AND at >= ${new Date(least)}::timestamptz AND at <= ${new Date(most)}::timestamptz
      AND quality IN (0, 3) ORDER BY at LIMIT 100) r ON true ORDER BY r.device_id, r.at`.execute(db);
  return rows.map(({ deviceId, at, values }) => ({ deviceId, at: new Date(Math.round(at)), values }));
}

export interface Look {
  readonly publicationId: number;
  readonly deviceId: number;
  /** `seen`: in reach, and neither yet; null: as it was. */
  readonly state: 'proven' | 'diverged' | 'away' | 'superseded' | 'seen' | null;
  readonly proof: StoredProof | null;
  readonly reason: (typeof lookReasons)[number] | null;
  /** When to look again; null: this is final. */
  readonly lookAt: Date | null;
}
/** As numbers a statement gets them sooner than as texts; `seen` and null come from what the lamp was. */
const lookReasons = ['clock', 'otherPlan'] as const;
const lookStates = ['proven', 'diverged', 'away', 'superseded', 'seen'] as const;

/** Writes what planned steps showed; the lamps that are otherwise than before. */
export async function writeLooks(tx: Transaction, looks: readonly Look[], at: Date): Promise<void> {
  const rows = looks.toSorted((a, b) => a.deviceId - b.deviceId);
  // Each row is looked up: by the values of one time the planner may rather read all rows that there are.
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
  await sql`${prepared('write looks')} UPDATE publication_item i SET proof = s.proof,
      look_at = nullif(s.look_at, 'epoch'), reason = CASE s.reason WHEN 0 THEN 'clock' WHEN 1 THEN 'otherPlan' ELSE i.reason END,
      state = CASE s.state WHEN 0 THEN 'proven' WHEN 1 THEN 'diverged' WHEN 2 THEN 'away' WHEN 3 THEN 'superseded'
        WHEN 4 THEN CASE WHEN i.reported_at IS NULL THEN 'told' ELSE 'reported' END ELSE i.state END,
      open = i.open AND s.state <> 3,
      proven_at = CASE WHEN s.state = 0 THEN ${at}::timestamptz ELSE i.proven_at END
    FROM unnest(${bigints(rows.map((l) => l.publicationId))}::bigint[],
      ${bigints(rows.map((l) => l.deviceId))}::bigint[],
      ${smallints(rows.map((l) => (l.state === null ? -1 : lookStates.indexOf(l.state))))}::smallint[],
      ${jsons(rows.map((l) => l.proof && JSON.stringify(l.proof)))}::jsonb[],
      ${smallints(rows.map((l) => (l.reason === null ? -1 : lookReasons.indexOf(l.reason))))}::smallint[],
      ${instants(rows.map((l) => l.lookAt?.getTime() ?? 0))}::timestamptz[])
      AS s(publication, id, state, proof, reason, look_at)
    WHERE i.publication_id = s.publication AND i.device_id = s.id
      AND i.state IN ('told', 'reported', 'away')`.execute(tx);
}

/** Lamps with a plan by their state in the publication that gave it; `given`: there was none. */
export async function countDevices(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{
    state: string;
    n: number;
  }>`SELECT coalesce(i.state, 'given') AS state, count(*)::int AS n
    FROM (SELECT DISTINCT ON (device_id) device_id, publication_id FROM plan_assignment WHERE withdrawn_at IS NULL
      ORDER BY device_id, from_day DESC, id DESC) x
    LEFT JOIN publication_item i ON i.publication_id = x.publication_id AND i.device_id = x.device_id
    GROUP BY 1`.execute(db);
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}
