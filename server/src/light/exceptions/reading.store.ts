import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { BelowFloor, Ending } from './exceptions.store.ts';
import { countingOf, outcomeIn, type Counting, type KeptScope, type PartOf } from '../publications/index.ts';

const seenItem = (caller: Caller): RawBuilder<SqlBool> =>
  caller.workAreas === 'all' && caller.workAreaId === null ? sql<SqlBool>`true` : visibleDevices(caller);

const ofException = { row: 'e', items: 'plan_exception_item', key: 'exception_id' } as const;

/** What is decided about an exception is decided for every lamp of it. */
export async function refusePartlySeen(db: Db, caller: Caller, id: number): Promise<void> {
  const { rows } = await sql<{ total: number; seen: number }>`SELECT count(*)::int AS total,
      count(*) FILTER (WHERE ${seenItem(caller)})::int AS seen
    FROM plan_exception_item i JOIN device d ON d.id = i.device_id WHERE i.exception_id = ${id}`.execute(db);
  const [row] = rows;
  if (!row || row.total === 0) throw refuse('notFound');
  if (row.seen < row.total) throw refuse('foreignWorkArea');
}

type Part = Readonly<Record<string, unknown>>;
export interface StoredException {
  readonly id: number;
  readonly state: string;
  readonly scope: KeptScope['scope'];
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly op: string | null;
  readonly level: number | null;
  readonly programme: {
    readonly schemeId: number;
    readonly code: string;
    readonly name: string;
    readonly number: number;
    readonly key: number;
    readonly programmeName: string | null;
  } | null;
  readonly reason: string;
  readonly actorId: number;
  readonly actorName: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly endReason: string | null;
  readonly total: number;
  readonly seen: number;
  readonly whole: boolean;
  readonly cannot: number;
  readonly darkens: number;
  readonly belowFloor: BelowFloor[];
  readonly agreedBy: string | null;
  readonly approval: Part | null;
  readonly ending: Ending | null;
}

const select = ({
  sight,
  kept,
  whole,
}: Counting) => sql`SELECT e.id, e.state, e.scope, to_char(e.from_day, 'YYYY-MM-DD') AS "fromDay",
    to_char(e.to_day, 'YYYY-MM-DD') AS "toDay", e.from_at AS "from", e.to_at AS "to", e.op, e.level,
    (SELECT json_build_object('schemeId', s.id, 'code', s.code, 'name', s.name, 'number', v.number,
      'key', e.programme_key, 'programmeName', (SELECT p->>'name' FROM jsonb_array_elements(v.content->'programmes') p
        WHERE (p->>'key')::int = e.programme_key LIMIT 1))
      FROM scheme_version v JOIN scheme s ON s.id = v.scheme_id WHERE v.id = e.scheme_version_id) AS programme,
    e.reason, e.actor_id AS "actorId", e.actor_name AS "actorName", e.created_at AS "createdAt",
    CASE e.state WHEN 'ended' THEN e.to_at ELSE e.ended_at END AS "endedAt", e.end_reason AS "endReason", e.total,
    c.seen, c.cannot, ${whole} AS whole, e.darkens, e.below_floor AS "belowFloor",
    CASE WHEN (e.approval->>'approved')::boolean THEN e.approval->>'by' END AS "agreedBy", e.approval, e.ending
  FROM plan_exception e CROSS JOIN LATERAL (SELECT coalesce(sum(seen), 0)::int AS seen,
      coalesce(sum(cannot), 0)::int AS cannot FROM (
    SELECT (part->>'total')::int AS seen, (part->>'cannot')::int AS cannot FROM jsonb_each(e.counts) a(area, part)
      WHERE ${kept} AND ${sight.area}
    UNION ALL SELECT count(*)::int, count(i.cannot)::int FROM plan_exception_item i JOIN device d ON d.id = i.device_id
      WHERE i.exception_id = e.id AND NOT ${kept} AND ${sight.visible}) n) c`;

interface PageOf {
  readonly limit: number;
  readonly offset: number;
}
export interface ExceptionFilter {
  readonly states: readonly string[] | undefined;
  readonly q: string | undefined;
  /** Outcomes of approvals. */
  readonly outcomes: readonly string[] | undefined;
  readonly now: Date;
}
/** A second person has to agree to its end. */
const endWaits = (now: Date) =>
  sql<SqlBool>`(e.state IN ('planned', 'inForce') AND e.ending->>'expiresAt' IS NOT NULL
    AND e.ending->>'approved' IS NULL AND (e.ending->>'expiresAt')::timestamptz > ${now})`;
const whereOf = ({ some }: Counting, { states, q, outcomes, now }: ExceptionFilter): RawBuilder<SqlBool> =>
  sql<SqlBool>`${
    states
      ? sql`(e.state = ANY(${[...states]}::text[])
          OR ${states.includes('awaitingApproval') ? endWaits(now) : sql`false`})`
      : sql`true`
  }
    AND ${q === undefined ? sql`true` : sql`strpos(lower(concat_ws(' ', e.reason, e.actor_name)), lower(${q})) > 0`}
    AND ${outcomes ? outcomeIn(outcomes, { approval: sql`coalesce(e.ending, e.approval)`, state: sql`e.state`, now }) : sql`true`} AND ${some}`;

/** Newest first; `before`: older ones than this. */
export async function findRows(
  db: Db,
  scope: DeviceScope,
  filter: ExceptionFilter,
  { limit, offset = 0, before }: PartOf,
): Promise<StoredException[]> {
  const counting = countingOf(scope, ofException);
  const { rows } = await sql<StoredException>`${select(counting)} WHERE ${whereOf(counting, filter)}
      AND ${before === undefined ? sql`true` : sql`e.id < ${before}`}
    ORDER BY e.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}
export async function countRows(db: Db, scope: DeviceScope, filter: ExceptionFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM plan_exception e
    WHERE ${whereOf(countingOf(scope, ofException), filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function findOne(db: Db, caller: Caller, id: number): Promise<StoredException> {
  const one = countingOf(caller, ofException, true);
  const { rows } = await sql<StoredException>`${select(one)} WHERE e.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw refuse('notFound');
  if (row.seen === 0 && row.total > 0) throw refuse('foreignWorkArea');
  return row;
}

export interface StoredLamp {
  readonly deviceId: number;
  readonly code: string;
  readonly name: string | null;
  readonly roadName: string | null;
  readonly cannot: string | null;
}
/** Its lamps, those for which it cannot hold first. */
export async function findLampsOf(
  db: Db,
  caller: Caller,
  id: number,
  { limit, offset }: PageOf,
): Promise<{ readonly rows: StoredLamp[]; readonly count: number }> {
  const where = sql`i.exception_id = ${id} AND ${seenItem(caller)}`;
  const { rows } = await sql<StoredLamp>`SELECT i.device_id AS "deviceId", d.equipment_code AS code,
      d.equipment_name AS name, r.road_name AS "roadName", i.cannot
    FROM plan_exception_item i JOIN device d ON d.id = i.device_id LEFT JOIN road r ON r.id = d.road_id
    WHERE ${where} ORDER BY i.cannot NULLS LAST, i.device_id LIMIT ${limit} OFFSET ${offset}`.execute(db);
  const counted = await sql<{ n: number }>`SELECT count(*)::int AS n FROM plan_exception_item i
    JOIN device d ON d.id = i.device_id WHERE ${where}`.execute(db);
  return { rows, count: counted.rows[0]?.n ?? 0 };
}
