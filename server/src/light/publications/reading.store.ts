import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { TakenBack } from './taken-back.ts';
import type { KeptScope } from './scope.ts';
import { countedStates, countingOf, type Counting } from './counts.store.ts';

/** Where nothing is hidden from the caller no device has to be looked at. */
export const seenItem = (caller: DeviceScope): RawBuilder<SqlBool> =>
  caller.workAreas === 'all' && caller.workAreaId === null ? sql<SqlBool>`true` : visibleDevices(caller);
const ofPublication = { row: 'p', items: 'publication_item', key: 'publication_id' } as const;

/** What is decided about a publication is decided for every lamp of it. */
export async function refusePartlySeen(db: Db, caller: Caller, id: number): Promise<void> {
  const { rows } = await sql<{ total: number; seen: number }>`SELECT count(*)::int AS total,
      count(*) FILTER (WHERE ${seenItem(caller)})::int AS seen
    FROM publication_item i JOIN device d ON d.id = i.device_id WHERE i.publication_id = ${id}`.execute(db);
  const [row] = rows;
  if (!row || row.total === 0) throw refuse('notFound');
  if (row.seen < row.total) throw refuse('foreignWorkArea');
}

interface ShownVersion {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly number: number;
  readonly hash: string;
}
type Part = Readonly<Record<string, unknown>>;
export interface StoredPublication {
  readonly id: number;
  readonly phase: string;
  readonly phaseSince: Date;
  readonly scheme: ShownVersion | null;
  readonly template: ShownVersion | null;
  readonly scope: KeptScope['scope'];
  readonly effectiveFrom: string;
  readonly canary: { readonly count: number } | null;
  readonly goOn: boolean;
  readonly autoRevert: boolean;
  readonly criteria: {
    reportedPercent: number;
    provenPercent: number;
    newAlarmsPercent: number;
    litDropPoints?: number;
  };
  readonly reason: string | null;
  readonly actorId: number;
  readonly actorName: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly total: number;
  readonly seen: number;
  readonly whole: boolean;
  readonly states: Record<string, number>;
  readonly darkens: number;
  readonly findings: Part[] | null;
  readonly approval: Part | null;
  readonly halted: Part | null;
  readonly judged: Part | null;
  readonly reverts: number | null;
  readonly revertedBy: number | null;
  /** What the program took back for; null: a person did, or nothing was taken back. */
  readonly takenBack: TakenBack | null;
}

const version = (table: string, parent: string, versions: string, link: string, of: string, more = sql``) => sql`
  (SELECT json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'number', v.number,
    'hash', left(v.content_hash, 12))::jsonb${more} FROM ${sql.table(versions)} v JOIN ${sql.table(table)} t
    ON t.id = ${sql.ref(`v.${parent}`)} WHERE v.id = ${sql.ref(`p.${link}`)}) AS ${sql.ref(of)}`;
/** Settings of lamps of their own say so. */
const ofSchedule = sql` || CASE WHEN t.schedule THEN '{"schedule":true}' ELSE '{}' END::jsonb`;
const select = (counting: Counting) => sql`SELECT p.id, p.phase, p.phase_since AS "phaseSince",
    ${version('scheme', 'scheme_id', 'scheme_version', 'scheme_version_id', 'scheme', ofSchedule)},
    ${version('work_parameter_template', 'template_id', 'template_version', 'template_version_id', 'template')},
    p.scope, to_char(p.effective_from, 'YYYY-MM-DD') AS "effectiveFrom", p.canary, p.go_on AS "goOn",
    p.auto_revert AS "autoRevert", p.criteria, p.reason, p.actor_id AS "actorId", p.actor_name AS "actorName",
    p.created_at AS "createdAt", p.ended_at AS "endedAt", p.total, s.seen, ${counting.whole} AS whole, s.states, p.darkens, p.findings, p.approval,
    p.halted, p.judged, p.reverts, (SELECT max(r.id) FROM publication r WHERE r.reverts = p.id
      AND r.phase NOT IN ('refused', 'lapsed', 'cancelled')) AS "revertedBy",
    (SELECT json_build_object('judged', o.judged, 'criteria', o.criteria) FROM publication o
      WHERE o.id = p.reverts AND p.reason IS NULL) AS "takenBack"
  FROM publication p CROSS JOIN ${countedStates(counting)} s`;

interface PageOf {
  readonly limit: number;
  readonly offset: number;
}
export interface PublicationFilter {
  readonly phases: readonly string[] | undefined;
  readonly q: string | undefined;
  /** Outcomes of approvals. */
  readonly outcomes: readonly string[] | undefined;
  readonly now: Date;
}
/** Newest first; `before`: older ones than this. */
export interface PartOf {
  readonly limit: number;
  readonly offset?: number;
  readonly before?: number;
}

function whereOf({ some }: Counting, { phases, q, outcomes, now }: PublicationFilter): RawBuilder<SqlBool> {
  const word =
    q === undefined
      ? sql`true`
      : sql`strpos(lower(concat_ws(' ', p.actor_name,
      (SELECT concat_ws(' ', t.code, t.name) FROM scheme_version v JOIN scheme t ON t.id = v.scheme_id
        WHERE v.id = p.scheme_version_id),
      (SELECT concat_ws(' ', t.code, t.name) FROM template_version v JOIN work_parameter_template t
        ON t.id = v.template_id WHERE v.id = p.template_version_id))), lower(${q})) > 0`;
  return sql<SqlBool>`${word} AND ${phases ? sql`p.phase = ANY(${[...phases]}::text[])` : sql`true`}
    AND ${outcomes ? outcomeIn(outcomes, { approval: sql`p.approval`, state: sql`p.phase`, now }) : sql`true`} AND ${some}`;
}

/** Whether an approval has come to one of these outcomes; without an approval it has come to none. */
export function outcomeIn(
  outcomes: readonly string[],
  {
    approval,
    state,
    now,
  }: { readonly approval: RawBuilder<unknown>; readonly state: RawBuilder<unknown>; readonly now: Date },
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${approval} IS NOT NULL AND CASE WHEN ${approval}->>'approved' = 'true' THEN 'agreed'
    WHEN ${approval}->>'approved' = 'false' THEN 'refused' WHEN ${state} = 'cancelled' THEN 'withdrawn'
    WHEN ${state} = 'lapsed' OR (${approval}->>'expiresAt')::timestamptz <= ${now} THEN 'expired'
    ELSE 'pending' END = ANY(${[...outcomes]}::text[]))`;
}

export async function findRows(
  db: Db,
  scope: DeviceScope,
  filter: PublicationFilter,
  { limit, offset = 0, before }: PartOf,
): Promise<StoredPublication[]> {
  const counting = countingOf(scope, ofPublication);
  const { rows } = await sql<StoredPublication>`${select(counting)} WHERE ${whereOf(counting, filter)}
      AND ${before === undefined ? sql`true` : sql`p.id < ${before}`}
    ORDER BY p.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}
export async function countRows(db: Db, scope: DeviceScope, filter: PublicationFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM publication p
    WHERE ${whereOf(countingOf(scope, ofPublication), filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}
export async function findOne(db: Db, caller: Caller, id: number): Promise<StoredPublication> {
  const {
    rows: [row],
  } = await sql<StoredPublication>`${select(countingOf(caller, ofPublication, true))} WHERE p.id = ${id}`.execute(db);
  if (!row) throw refuse('notFound');
  if (row.seen === 0 && row.total > 0) throw refuse('foreignWorkArea');
  return row;
}

export interface RoadRow {
  readonly roadId: number | null;
  readonly name: string | null;
  readonly total: number;
  readonly states: Record<string, number>;
}
export async function findRoads(db: Db, caller: Caller, id: number): Promise<RoadRow[]> {
  const { rows } = await sql<RoadRow>`SELECT c.road AS "roadId", r.road_name AS name, sum(c.n)::int AS total,
      jsonb_object_agg(c.state, c.n) AS states
    FROM (SELECT d.road_id AS road, i.state, count(*)::int AS n FROM publication_item i
      JOIN device d ON d.id = i.device_id WHERE i.publication_id = ${id} AND ${seenItem(caller)} GROUP BY 1, 2) c
    LEFT JOIN road r ON r.id = c.road GROUP BY 1, 2 ORDER BY r.road_name NULLS LAST`.execute(db);
  return rows;
}

export interface ItemFilter {
  readonly states: readonly string[] | undefined;
  readonly q: string | undefined;
  readonly roadId: number | undefined;
  readonly canary: boolean | undefined;
}
export interface StoredItem {
  readonly deviceId: number;
  readonly code: string;
  readonly name: string | null;
  readonly roadId: number | null;
  readonly roadName: string | null;
  readonly canary: boolean;
  readonly state: string;
  readonly planHash: string | null;
  readonly reportedHash: string | null;
  readonly toldAt: Date | null;
  readonly reportedAt: Date | null;
  readonly provenAt: Date | null;
  readonly proof: Part | null;
  readonly heardAt: Date | null;
  readonly reason: string | null;
}
/**
 * Why an item `i` stands where it does: also that its lamp goes by the table, as its device was found to leave large
 * messages. Of what it was told before nobody knows that.
 */
export const reasonOfItem = sql`coalesce(i.reason, CASE WHEN i.told_at IS NOT NULL AND i.plan_hash IS NULL AND EXISTS (
  SELECT FROM plan_report found WHERE found.device_id = i.device_id AND found.capabilities ? 'foundBytes')
  AND NOT EXISTS (SELECT FROM publication_item newer WHERE newer.device_id = i.device_id
    AND newer.publication_id > i.publication_id AND newer.told_at IS NOT NULL) THEN 'messageSize' END)`;
const itemColumns = sql`i.device_id AS "deviceId", d.equipment_code AS code,
      d.equipment_name AS name, d.road_id AS "roadId", r.road_name AS "roadName", i.canary, i.state,
      i.plan_hash AS "planHash", x.plan_hash AS "reportedHash", i.told_at AS "toldAt", i.reported_at AS "reportedAt",
      i.proven_at AS "provenAt", i.proof, l.received_at AS "heardAt", ${reasonOfItem} AS reason
    FROM publication_item i JOIN device d ON d.id = i.device_id LEFT JOIN road r ON r.id = d.road_id
    LEFT JOIN plan_report x ON x.device_id = i.device_id LEFT JOIN device_latest l ON l.device_id = i.device_id`;
const isAsked = ({ states, q, roadId, canary }: ItemFilter) => sql`
    ${states ? sql`i.state = ANY(${[...states]}::text[])` : sql`true`}
    AND ${roadId === undefined ? sql`true` : sql`d.road_id = ${roadId}`}
    AND ${canary === undefined ? sql`true` : sql`i.canary = ${canary}`}
    AND ${q === undefined ? sql`true` : sql`strpos(lower(concat_ws(' ', d.equipment_code, d.equipment_name)), lower(${q})) > 0`}`;

/** Lamps of a publication: those with something to look at first. */
export async function findItems(
  db: Db,
  caller: Caller,
  id: number,
  filter: ItemFilter,
  page: PageOf,
): Promise<{ readonly rows: StoredItem[]; readonly count: number }> {
  const where = sql`i.publication_id = ${id} AND ${seenItem(caller)} AND ${isAsked(filter)}`;
  const { rows } = await sql<StoredItem>`SELECT ${itemColumns}
    WHERE ${where} ORDER BY array_position(ARRAY['diverged', 'away', 'cannot'], i.state), i.device_id
    LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  const counted = await sql<{ n: number }>`SELECT count(*)::int AS n FROM publication_item i
    JOIN device d ON d.id = i.device_id WHERE ${where}`.execute(db);
  return { rows, count: counted.rows[0]?.n ?? 0 };
}

/** Lamps of a publication by id, from one on. */
export async function findItemsAfter(
  db: Db,
  scope: DeviceScope,
  {
    id,
    filter,
    after,
    limit,
  }: { readonly id: number; readonly filter: ItemFilter; readonly after: number; readonly limit: number },
): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`SELECT ${itemColumns} WHERE i.publication_id = ${id} AND i.device_id > ${after}
    AND ${seenItem(scope)} AND ${isAsked(filter)} ORDER BY i.device_id LIMIT ${limit}`.execute(db);
  return rows;
}
/** How many lamps it has, how many of them are seen, and of those how many are asked for. */
export async function countItems(
  db: Db,
  scope: DeviceScope,
  id: number,
  filter: ItemFilter,
): Promise<{ readonly all: number; readonly seen: number; readonly count: number }> {
  const { rows } = await sql<{ all: number; seen: number; count: number }>`SELECT count(*)::int AS all,
      count(*) FILTER (WHERE ${seenItem(scope)})::int AS seen,
      count(*) FILTER (WHERE ${seenItem(scope)} AND ${isAsked(filter)})::int AS count
    FROM publication_item i JOIN device d ON d.id = i.device_id WHERE i.publication_id = ${id}`.execute(db);
  return rows[0] ?? { all: 0, seen: 0, count: 0 };
}
