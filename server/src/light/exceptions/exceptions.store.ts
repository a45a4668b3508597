import { sql } from 'kysely';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Target } from '../commands/index.ts';
import type { RequestHashes } from '../publications/index.ts';
import type { ExceptionStateName, Times } from './exceptions.rules.ts';

type Part = Readonly<Record<string, unknown>>;
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Lamps of each area, and those of them for which it cannot hold. */
export type Counts = Readonly<Record<string, { readonly total: number; readonly cannot: number }>>;

/** Lamps of a class of road that it leaves below its floor. */
export interface BelowFloor {
  readonly roadClass: string;
  readonly lamps: number;
  readonly floor: number;
  readonly level: number;
  /** Names the lamps; absent: it was stored before they had a name. */
  readonly which?: string;
}

/** Lamps that get darker by an exception or its end, and those that it leaves below the floor of their road. */
export interface Weighed {
  readonly darkens: number;
  readonly belowFloor: readonly BelowFloor[];
}

export interface NewException extends Times {
  readonly scope: object;
  readonly op: string | null;
  readonly level: number | null;
  readonly schemeVersionId: number | null;
  readonly programmeKey: number | null;
  readonly reason: string;
  readonly state: ExceptionStateName;
  readonly holdsFrom: Date | null;
  readonly approval: object | null;
  readonly darkens: number;
  readonly belowFloor: readonly BelowFloor[];
  readonly total: number;
  readonly counts: Counts;
  readonly actorId: number;
  readonly actorName: string;
  readonly requestId: string | null;
  readonly request: RequestHashes | null;
  readonly at: Date;
}

export async function insertException(tx: Transaction, e: NewException): Promise<number> {
  const { rows } = await sql<{ id: number }>`INSERT INTO plan_exception (scope, from_day, to_day, from_at, to_at, op,
      level, scheme_version_id, programme_key, reason, state, holds_from, approval, darkens, total, actor_id, actor_name,
      request_id, request, counts, below_floor, created_at)
    VALUES (${json(e.scope)}::jsonb, ${e.fromDay}::date, ${e.toDay}::date, ${e.from}, ${e.to}, ${e.op}, ${e.level},
      ${e.schemeVersionId}, ${e.programmeKey}, ${e.reason}, ${e.state}, ${e.holdsFrom}, ${json(e.approval)}::jsonb,
      ${e.darkens}, ${e.total}, ${e.actorId}, ${e.actorName}, ${e.requestId},
      ${json(e.request)}::jsonb, ${json(e.counts)}::jsonb,
      ${json(e.belowFloor)}::jsonb, ${e.at}) RETURNING id`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('an exception was not written');
  return row.id;
}

export interface NewItem {
  readonly deviceId: number;
  readonly cannot: string | null;
}
export async function insertItems(tx: Transaction, id: number, items: readonly NewItem[]): Promise<void> {
  await sql`INSERT INTO plan_exception_item (exception_id, device_id, cannot)
    SELECT ${id}, n.id, n.cannot FROM unnest(${items.map(({ deviceId }) => deviceId)}::bigint[],
      ${items.map(({ cannot }) => cannot)}::text[]) AS n(id, cannot) ORDER BY n.id`.execute(tx);
}

/** An exception that is tried holds for these lamps no more. */
export async function leaveOut(tx: Transaction, id: number, cannot: ReadonlyMap<number, string>): Promise<void> {
  await sql`UPDATE plan_exception_item i SET cannot = n.cannot
    FROM unnest(${[...cannot.keys()]}::bigint[], ${[...cannot.values()]}::text[]) AS n (id, cannot)
    WHERE i.exception_id = ${id} AND i.device_id = n.id`.execute(tx);
}

export interface MadeBefore {
  readonly id: number;
  readonly total: number;
  readonly state: ExceptionStateName;
  readonly request: RequestHashes | null;
}
export async function findRequest(
  db: Db | Transaction,
  actorId: number,
  requestId: string,
): Promise<MadeBefore | undefined> {
  const { rows } = await sql<MadeBefore>`SELECT id, total, state, request FROM plan_exception
    WHERE actor_id = ${actorId} AND request_id = ${requestId}`.execute(db);
  return rows[0];
}

/** An end that was asked for; `approved` null: a second person has not decided. */
export interface Ending {
  readonly askedBy: string;
  readonly askedById: number;
  readonly askedAt: string;
  readonly why: string;
  readonly darkens: number;
  /** That it leaves below the floor of their road; absent: an end that was asked for before it was kept. */
  readonly belowFloor?: readonly BelowFloor[];
  readonly expiresAt: string;
  readonly approved: boolean | null;
  /** Who decided about what, when and why. */
  readonly digest?: string;
  readonly by?: string;
  readonly byId?: number;
  readonly at?: string;
  readonly reason?: string | null;
}
export interface StoredState {
  readonly id: number;
  readonly state: ExceptionStateName;
  readonly from: Date;
  readonly to: Date;
  readonly actorId: number;
  readonly approval: Part | null;
  readonly ending: Ending | null;
  readonly announced: boolean;
  readonly total: number;
  /** Lamps that it makes darker. */
  readonly darkens: number;
  readonly belowFloor: readonly BelowFloor[];
  /** Of the version whose programme lamps follow; null: it sets or bounds a level. */
  readonly schemeHash: string | null;
}
const columns = sql`id, state, from_at AS "from", to_at AS "to", actor_id AS "actorId", approval, ending,
  announced, total, darkens, below_floor AS "belowFloor",
  (SELECT left(v.content_hash, 12) FROM scheme_version v WHERE v.id = scheme_version_id) AS "schemeHash"`;

/** What goes on, and what lamps were not told yet. */
export async function findOpen(db: Db): Promise<StoredState[]> {
  const { rows } = await sql<StoredState>`SELECT ${columns} FROM plan_exception
    WHERE state IN ('awaitingApproval', 'planned', 'inForce') OR NOT announced ORDER BY id`.execute(db);
  return rows;
}

/** One exception as it is now. */
export async function findState(db: Db | Transaction, id: number): Promise<StoredState | undefined> {
  const { rows } = await sql<StoredState>`SELECT ${columns} FROM plan_exception WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** One exception, held until the transaction ends. */
export async function hold(tx: Transaction, id: number): Promise<StoredState | undefined> {
  const { rows } = await sql<StoredState>`SELECT ${columns} FROM plan_exception WHERE id = ${id}
    FOR NO KEY UPDATE`.execute(tx);
  return rows[0];
}

export interface Move {
  readonly state: ExceptionStateName;
  readonly holdsFrom?: Date;
  readonly endedAt?: Date;
  readonly endReason?: string;
  /** Who ended it, and how many lamps got darker by it. */
  readonly endedBy?: { readonly id: number; readonly darkens: number };
  readonly approval?: object;
  /** Lamps do what they did: nothing has to be told. */
  readonly silent?: boolean;
}
export async function move(tx: Transaction, id: number, to: Move): Promise<void> {
  await sql`UPDATE plan_exception SET state = ${to.state}, holds_from = coalesce(${to.holdsFrom ?? null}, holds_from),
      ended_at = coalesce(${to.endedAt ?? null}, ended_at), end_reason = coalesce(${to.endReason ?? null}, end_reason),
      ended_by = coalesce(${to.endedBy?.id ?? null}, ended_by), end_darkens = ${to.endedBy?.darkens ?? 0},
      approval = coalesce(${json(to.approval ?? null)}::jsonb, approval), announced = ${to.silent ?? false}
    WHERE id = ${id}`.execute(tx);
}

/** What it does to its lamps, as it was found last. */
export async function writeWeighed(tx: Transaction, id: number, { darkens, belowFloor }: Weighed): Promise<void> {
  await sql`UPDATE plan_exception SET darkens = ${darkens}, below_floor = ${json(belowFloor)}::jsonb
    WHERE id = ${id}`.execute(tx);
}

/** What was asked of its end, or decided. */
export async function writeEnding(tx: Transaction, id: number, ending: Ending | null): Promise<void> {
  await sql`UPDATE plan_exception SET ending = ${json(ending)}::jsonb WHERE id = ${id}`.execute(tx);
}

/** Its lamps, as what darkens is weighed by. */
export async function findTargets(db: Db, id: number): Promise<Target[]> {
  const { rows } = await sql<Target>`SELECT d.id, d.family, d.work_area_id AS "workAreaId",
      coalesce(d.parent_id, 0) AS "viaId", d.enabled, true AS visible
    FROM plan_exception_item i JOIN device d ON d.id = i.device_id WHERE i.exception_id = ${id} ORDER BY d.id`.execute(
    db,
  );
  return rows;
}

/** Its lamps from one on, those for which it holds. */
export async function findLampIds(
  db: Db | Transaction,
  id: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT device_id AS id FROM plan_exception_item
    WHERE exception_id = ${id} AND cannot IS NULL AND device_id > ${after} ORDER BY device_id LIMIT ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Its lamps were told what it is in this state. */
export async function writeAnnounced(tx: Transaction, id: number, state: ExceptionStateName): Promise<void> {
  await sql`UPDATE plan_exception SET announced = true WHERE id = ${id} AND state = ${state}`.execute(tx);
}

export interface SchemeProgramme {
  readonly versionId: number;
  readonly workAreaId: number | null;
  readonly content: SchemeContent;
}
/** A version of a scheme by its number, else the newest. */
export async function findVersion(
  db: Db,
  id: number,
  number: number | undefined,
): Promise<SchemeProgramme | undefined> {
  const { rows } = await sql<SchemeProgramme>`SELECT v.id AS "versionId", s.work_area_id AS "workAreaId", v.content
    FROM scheme s JOIN scheme_version v ON v.scheme_id = s.id
    WHERE s.id = ${id} AND NOT s.schedule AND (${number ?? null}::int IS NULL OR v.number = ${number ?? null}::int)
    ORDER BY v.number DESC LIMIT 1`.execute(db);
  return rows[0];
}
