import { sql } from 'kysely';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { bigints, instants, jsons, prepared, smallints, type Db, type Transaction } from '../../platform/db/index.ts';
import type { GivenPlan } from '../plans/index.ts';

/** A lamp in a publication. */
export interface ItemKey {
  readonly publicationId: number;
  readonly deviceId: number;
}

/** Writes which lamps say that they run what they were told: of these, or of all that are watched. */
export async function writeReported(tx: Transaction, ids: readonly number[] | 'all', at: Date): Promise<number> {
  const [watched, which] =
    ids === 'all'
      ? [
          sql`JOIN publication_watch w ON w.device_id = r.device_id AND w.look_at IS NOT NULL`,
          sql`w.publication_id = i.publication_id`,
        ]
      : [sql``, sql`i.device_id = ANY(${[...ids]}::bigint[])`];
  const { rows } = await sql<{ n: number }>`WITH said AS (UPDATE publication_item i SET reported_at = ${at},
      state = CASE WHEN i.state = 'told' THEN 'reported' ELSE i.state END
    FROM plan_report r ${watched} WHERE ${which} AND i.reported_at IS NULL AND i.told_at IS NOT NULL
      AND i.state <> 'superseded' AND r.device_id = i.device_id AND r.plan_hash = i.plan_hash
    RETURNING i.publication_id, i.device_id),
    ended AS (DELETE FROM publication_watch w USING said s WHERE w.publication_id = s.publication_id
      AND w.device_id = s.device_id AND w.look_at IS NULL)
    SELECT count(*)::int AS n FROM said`.execute(tx);
  return rows[0]?.n ?? 0;
}

export interface Unreported extends ItemKey {
  readonly workAreaId: number;
  readonly planHash: string | null;
  readonly toldAt: Date;
}
/** Lamps that are watched and did not say so since: a process that died may have told the rows alone. */
export async function findUnreported(db: Db, after: ItemKey, limit: number): Promise<Unreported[]> {
  const { rows } = await sql<Unreported>`SELECT w.publication_id AS "publicationId", w.device_id AS "deviceId",
      d.work_area_id AS "workAreaId", i.plan_hash AS "planHash", i.told_at AS "toldAt"
    FROM publication_watch w JOIN publication_item i USING (publication_id, device_id)
    JOIN device d ON d.id = w.device_id
    WHERE w.look_at IS NOT NULL AND i.reported_at IS NULL
      AND (w.publication_id, w.device_id) > (${after.publicationId}::bigint, ${after.deviceId}::bigint)
    ORDER BY w.publication_id, w.device_id LIMIT ${limit}`.execute(db);
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
export interface Told extends ItemKey {
  /** Epoch ms. */
  readonly toldAt: number;
  readonly state: string;
  readonly planHash: string | null;
  readonly proof: StoredProof | null;
}
/** The same, which follows what it was told, with what belongs to it. */
export interface Due extends Told {
  readonly workAreaId: number;
  readonly ratedWatts: number | null;
  readonly effectiveFrom: Day;
  /** The server's clock minus the device's, ms. */
  readonly clockOffsetMs: number;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
  /** A hash that it says since it was told, and that it was not told; null: none. */
  readonly otherHash: string | null;
  /** Since when it says what it says, epoch ms; null: it said nothing. */
  readonly saysSince: number | null;
}

/** Lamps that there may be news of since the longest, without some. Each is looked up by its key. */
export async function findDue(
  db: Db,
  now: Date,
  { limit, without }: { readonly limit: number; readonly without: readonly number[] },
): Promise<Told[]> {
  const { rows } = await sql<Told>`${prepared('due lamps')} SELECT w.publication_id AS "publicationId",
      w.device_id AS "deviceId", ${ms('i.told_at')} AS "toldAt", i.state, i.plan_hash AS "planHash", i.proof
    FROM (SELECT publication_id, device_id, look_at FROM publication_watch
      WHERE look_at <= ${now} AND device_id NOT IN (SELECT unnest(${bigints(without)}::bigint[]))
      ORDER BY look_at LIMIT ${limit}) w
    CROSS JOIN LATERAL (SELECT told_at, state, plan_hash, proof FROM publication_item
      WHERE publication_id = w.publication_id AND device_id = w.device_id OFFSET 0) i
    ORDER BY w.look_at`.execute(db);
  return rows;
}

/** Told lamps that follow what they were told, with what they were given, and with what devices say. */
export async function loadDue(
  db: Db,
  lamps: readonly { readonly told: Told; readonly given: GivenPlan }[],
): Promise<Due[]> {
  if (lamps.length === 0) return [];
  const ids = bigints(lamps.map(({ told }) => told.deviceId));
  const from = await loadEffectiveFrom(db, [...new Set(lamps.map(({ told }) => told.publicationId))]);
  const offsets = await loadOffsets(db, ids);
  const says = await loadSaid(db, ids);
  const lighting = await loadLighting(db, [...new Set(lamps.flatMap(({ given }) => given.loopId ?? []))]);
  return lamps.flatMap(({ told, given }): Due[] => {
    const { publicationId, deviceId, toldAt, state, planHash, proof } = told;
    const effectiveFrom = from.get(publicationId);
    // It was deleted since it was chosen.
    if (effectiveFrom === undefined) return [];
    const { workAreaId, ratedWatts, loopId } = given;
    const { hash: saysHash = null, since: saysSince = null } = says.get(deviceId) ?? {};
    const saysOther = saysSince !== null && saysSince > toldAt && planHash !== null && saysHash !== planHash;
    return [
      {
        ...{ publicationId, deviceId, toldAt, state, planHash, proof },
        ...{ workAreaId, ratedWatts, saysSince, effectiveFrom },
        lighting: lighting.get(loopId ?? 0) ?? null,
        clockOffsetMs: offsets.get(deviceId) ?? 0,
        otherHash: saysOther ? saysHash : null,
      },
    ];
  });
}

/** One pass over an index for each: the planner does not see how many are asked for. */
const asked = (ids: Buffer) => sql`(SELECT ${ids}::bigint[])::bigint[]`;

/** By how much the clocks of devices are wrong, ms; those that are right are left out. */
async function loadOffsets(db: Db, ids: Buffer): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; ms: number }>`${prepared('clocks of due lamps')} SELECT device_id AS id,
      clock_offset_ms AS ms FROM device_latest WHERE device_id = ANY(${asked(ids)}) AND clock_offset_ms <> 0`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row.ms]));
}

interface Said {
  readonly id: number;
  readonly hash: string | null;
  /** Epoch ms. */
  readonly since: number | null;
}
/** What devices say that they run; those that said nothing are left out. */
async function loadSaid(db: Db, ids: Buffer): Promise<ReadonlyMap<number, Said>> {
  const { rows } = await sql<Said>`${prepared('what due lamps say')} SELECT device_id AS id, plan_hash AS hash,
      ${ms('reported_at')} AS since FROM plan_report
    WHERE device_id = ANY(${asked(ids)}) AND reported_at IS NOT NULL`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** When loops are switched on by plan. */
async function loadLighting(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; lighting: string | null }>`SELECT id, lighting FROM loop
    WHERE id = ANY(${bigints(ids)}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.lighting]));
}

/** The first lighting day of publications. */
async function loadEffectiveFrom(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Day>> {
  const { rows } = await sql<{ id: number; day: Day }>`SELECT id, to_char(effective_from, 'YYYY-MM-DD') AS day
    FROM publication WHERE id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, day }) => [id, day]));
}

/** What of a reading shows the light of a lamp. */
export interface Seen {
  readonly deviceId: number;
  readonly at: Date;
  readonly values: Readonly<Record<string, unknown>>;
}
interface Span {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}
/** Steps that lamps make within so long are read together, ms. */
const togetherMs = 2 * 3_600_000;
/** Of one lamp, so many readings are read together on average, at most. */
const mostTogether = 20;

/**
 * Measured readings of lamps, oldest first: those within a time each. Lamps of a city make a step together: their
 * readings are read by one pass over the index, unless there are far more of them than of steps.
 */
export async function findReadings(db: Db, spans: readonly Span[]): Promise<Seen[]> {
  if (spans.length === 0) return [];
  const last = spans.reduce((most, { from }) => Math.max(most, from), 0);
  const { near = [], far = [] } = Object.groupBy(spans, ({ from }) => (from > last - togetherMs ? 'near' : 'far'));
  const together = await readTogether(db, near);
  const singly = await readEach(db, together ? far : spans);
  const rows = together ? singly.concat(together) : singly;
  return rows.map(({ deviceId, at, level, power, relay, commandLevel }) => ({
    deviceId,
    at: new Date(Math.round(at)),
    values: { level, power, relay, commandLevel },
  }));
}

interface StoredReading {
  readonly deviceId: number;
  readonly at: number;
  readonly level: unknown;
  readonly power: unknown;
  readonly relay: unknown;
  readonly commandLevel: unknown;
}
const shown = sql`values->'level' AS level, values->'power' AS power, values->'relay' AS relay,
  values->'commandLevel' AS "commandLevel"`;

/** The first and the last instant of spans: they say which partitions matter. */
function boundsOf(spans: readonly Span[]): readonly [Date, Date] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans) [least, most] = [Math.min(least, from), Math.max(most, to)];
  return [new Date(least), new Date(most)];
}

const isWithin = ({ from, to }: Span, at: number): boolean => at >= from && at <= to;

/** All within the times, of those between the first and the last instant; undefined: these are too many. */
async function readTogether(db: Db, spans: readonly Span[]): Promise<StoredReading[] | undefined> {
  const own = Map.groupBy(spans, ({ deviceId }) => deviceId);
  const most = own.size * mostTogether;
  const [from, to] = boundsOf(spans);
  const { rows } = await sql<StoredReading>`${prepared('readings of a time')} SELECT device_id AS "deviceId",
      ${ms('at')} AS at, ${shown}
    FROM reading WHERE device_id = ANY(${asked(bigints([...own.keys()]))}) AND at >= ${from}::timestamptz
      AND at <= ${to}::timestamptz AND quality IN (0, 3) LIMIT ${most + 1}`.execute(db);
  if (rows.length > most) return undefined;
  return rows
    .filter(({ deviceId, at }) => own.get(deviceId)?.some((span) => isWithin(span, Math.round(at))))
    .toSorted((a, b) => a.at - b.at);
}

async function readEach(db: Db, spans: readonly Span[]): Promise<StoredReading[]> {
  if (spans.length === 0) return [];
  const [from, to] = boundsOf(spans);
  const { rows } = await sql<StoredReading>`${prepared('readings in spans')} SELECT r.device_id AS "deviceId",
      ${ms('r.at')} AS at, ${shown}
    FROM unnest(${bigints(spans.map((s) => s.deviceId))}::bigint[],
      ${instants(spans.map((s) => s.from))}::timestamptz[], ${instants(spans.map((s) => s.to))}::timestamptz[]) AS s(id, since, till)
    JOIN LATERAL (SELECT device_id, at, values FROM reading WHERE device_id = s.id AND at >= s.since AND at <= s.till
      AND at >= ${from}::timestamptz AND at <= ${to}::timestamptz
      AND quality IN (0, 3) ORDER BY at LIMIT 100) r ON true ORDER BY r.device_id, r.at`.execute(db);
  return rows;
}

export interface Look extends ItemKey {
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

/** After these a lamp is not watched any more, and nothing that it says changes its state. */
const endStates: ReadonlySet<Look['state']> = new Set(['proven', 'diverged', 'superseded']);

/** Writes what planned steps showed, and when to look again. */
export async function writeLooks(tx: Transaction, looks: readonly Look[], at: Date): Promise<void> {
  const rows = looks.toSorted((a, b) => a.deviceId - b.deviceId);
  // Each row is looked up: by the values of one time the planner may rather read all rows that there are.
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
  await sql`${prepared('write looks')} UPDATE publication_item i SET proof = s.proof,
      reason = CASE s.reason WHEN 0 THEN 'clock' WHEN 1 THEN 'otherPlan' ELSE i.reason END,
      state = CASE s.state WHEN 0 THEN 'proven' WHEN 1 THEN 'diverged' WHEN 2 THEN 'away' WHEN 3 THEN 'superseded'
        WHEN 4 THEN CASE WHEN i.reported_at IS NULL THEN 'told' ELSE 'reported' END ELSE i.state END,
      open = i.open AND s.state <> 3,
      proven_at = CASE WHEN s.state = 0 THEN ${at}::timestamptz ELSE i.proven_at END
    FROM unnest(${bigints(rows.map((l) => l.publicationId))}::bigint[],
      ${bigints(rows.map((l) => l.deviceId))}::bigint[],
      ${smallints(rows.map((l) => (l.state === null ? -1 : lookStates.indexOf(l.state))))}::smallint[],
      ${jsons(rows.map((l) => l.proof && JSON.stringify(l.proof)))}::jsonb[],
      ${smallints(rows.map((l) => (l.reason === null ? -1 : lookReasons.indexOf(l.reason))))}::smallint[])
      AS s(publication, id, state, proof, reason)
    WHERE i.publication_id = s.publication AND i.device_id = s.id
      AND i.state IN ('told', 'reported', 'away')`.execute(tx);
  const { ended = [], watched = [] } = Object.groupBy(rows, ({ state, lookAt }) =>
    lookAt === null && endStates.has(state) ? 'ended' : 'watched',
  );
  if (ended.length > 0)
    await sql`${prepared('end watches')} DELETE FROM publication_watch w USING ${keysOf(ended)} AS s(publication, id)
      WHERE w.publication_id = s.publication AND w.device_id = s.id`.execute(tx);
  if (watched.length > 0) await watchOn(tx, watched);
}

const keysOf = (rows: readonly ItemKey[]) => sql`unnest(${bigints(rows.map((l) => l.publicationId))}::bigint[],
  ${bigints(rows.map((l) => l.deviceId))}::bigint[])`;

/** Lamps that are not watched any more stay as long as they may still report. */
async function watchOn(tx: Transaction, rows: readonly Look[]): Promise<void> {
  await sql`${prepared('watch on')} UPDATE publication_watch w SET look_at = nullif(s.look_at, 'epoch')
    FROM unnest(${bigints(rows.map((l) => l.publicationId))}::bigint[], ${bigints(rows.map((l) => l.deviceId))}::bigint[],
      ${instants(rows.map((l) => l.lookAt?.getTime() ?? 0))}::timestamptz[]) AS s(publication, id, look_at)
    WHERE w.publication_id = s.publication AND w.device_id = s.id`.execute(tx);
  const over = rows.filter(({ lookAt }) => lookAt === null);
  if (over.length > 0)
    await sql`${prepared('end watches of those that reported')} DELETE FROM publication_watch w
      USING ${keysOf(over)} AS s(publication, id), publication_item i
      WHERE w.publication_id = s.publication AND w.device_id = s.id AND i.publication_id = s.publication
        AND i.device_id = s.id AND i.state <> 'told'`.execute(tx);
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
