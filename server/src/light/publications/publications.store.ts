import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { Target } from '../commands/index.ts';
import { isUntold, standing, standingAt } from '../plans/index.ts';
import type { RequestHashes } from './request.ts';

type From = Db | Transaction;

/** A version that can be published. */
export interface Version<Content> {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly number: number;
  readonly hash: string;
  readonly workAreaId: number | null;
  readonly closed: boolean;
  readonly content: Content;
}

/** A version of a scheme by its number, else the newest. */
export async function findScheme(
  db: From,
  id: number,
  number: number | undefined,
): Promise<Version<SchemeContent> | undefined> {
  const { rows } = await sql<Version<SchemeContent>>`SELECT v.id, t.code, t.name, v.number,
      left(v.content_hash, 12) AS hash, t.work_area_id AS "workAreaId", t.withdrawn_at IS NOT NULL AS closed, v.content
    FROM scheme t JOIN scheme_version v ON v.scheme_id = t.id
    WHERE t.id = ${id} AND NOT t.schedule
      AND (${number ?? null}::int IS NULL OR v.number = ${number ?? null}::int)
    ORDER BY v.number DESC LIMIT 1`.execute(db);
  return rows[0];
}
export async function findTemplate(
  db: From,
  id: number,
  number: number | undefined,
): Promise<Version<TemplateContent> | undefined> {
  const { rows } = await sql<Version<TemplateContent>>`SELECT v.id, t.code, t.name, v.number,
      left(v.content_hash, 12) AS hash, t.work_area_id AS "workAreaId", t.retired_at IS NOT NULL AS closed, v.content
    FROM work_parameter_template t JOIN template_version v ON v.template_id = t.id
    WHERE t.id = ${id} AND (${number ?? null}::int IS NULL OR v.number = ${number ?? null}::int)
    ORDER BY v.number DESC LIMIT 1`.execute(db);
  return rows[0];
}

export interface Scope {
  readonly roadIds?: readonly number[] | undefined;
  readonly groupIds?: readonly number[] | undefined;
  readonly controllerIds?: readonly number[] | undefined;
  readonly workAreaId?: number | undefined;
  readonly deviceIds?: readonly number[] | undefined;
}

/** A lamp as a publication weighs it. */
export interface Lamp extends Target {
  readonly ratedWatts: number | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  /** Null: it stands at no road. */
  readonly roadClass: string | null;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
}

const lampColumns = sql`d.id, d.family, d.work_area_id AS "workAreaId", coalesce(d.parent_id, 0) AS "viaId", d.enabled,
  d.rated_watts AS "ratedWatts", d.props->>'manufacturer' AS manufacturer, d.props->>'model' AS model,
  r.road_class AS "roadClass", o.lighting`;
const ofLamp = sql`LEFT JOIN road r ON r.id = d.road_id LEFT JOIN device pole ON pole.id = d.pole_id
  LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)`;

/** The lamps of any part of a scope, each with whether the caller sees it; devices that are named are told all. */
export async function findLamps(db: From, scope: Scope, caller: DeviceScope, limit: number): Promise<Lamp[]> {
  const ids = (given: readonly number[] | undefined) => [...(given ?? [])];
  const visible = visibleDevices(caller);
  const { rows } = await sql<Lamp>`SELECT ${lampColumns}, ${visible} AS visible
    FROM (
      SELECT id FROM device WHERE id = ANY(${ids(scope.deviceIds)}::bigint[])
      UNION SELECT id FROM device WHERE road_id = ANY(${ids(scope.roadIds)}::bigint[])
      UNION SELECT id FROM device WHERE group_id = ANY(${ids(scope.groupIds)}::bigint[])
      UNION SELECT id FROM device WHERE parent_id = ANY(${ids(scope.controllerIds)}::bigint[])
      UNION SELECT id FROM device WHERE work_area_id = ${scope.workAreaId ?? 0}
    ) asked JOIN device d USING (id) ${ofLamp}
    WHERE d.family = ${lampFamily} AND (${visible} OR d.id = ANY(${ids(scope.deviceIds)}::bigint[]))
    ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** The lamps that still follow what a publication told them, and what each followed before. */
export async function findFollowing(db: From, id: number): Promise<(Lamp & Before)[]> {
  const { rows } = await sql<Lamp & Before>`SELECT ${lampColumns}, true AS visible,
      i.before_scheme_version_id AS "schemeVersionId", i.before_template_version_id AS "templateVersionId"
    FROM publication_item i JOIN device d ON d.id = i.device_id ${ofLamp}
    WHERE i.publication_id = ${id} AND i.told_at IS NOT NULL AND ${id} = (SELECT x.publication_id
      FROM plan_assignment x WHERE x.device_id = i.device_id AND x.withdrawn_at IS NULL
      ORDER BY x.from_day DESC, x.id DESC LIMIT 1) ORDER BY d.id`.execute(db);
  return rows;
}

/** Area and name of the roads, groups, controllers and area that a scope names; those that do not exist are missing. */
export async function findScopeParts(
  db: From,
  { roadIds = [], groupIds = [], controllerIds = [], workAreaId }: Scope,
): Promise<{ readonly area: number; readonly name: string | null }[]> {
  const { rows } = await sql<{ area: number; name: string | null }>`
    SELECT work_area_id AS area, road_name AS name FROM road WHERE id = ANY(${[...roadIds]}::bigint[])
    UNION ALL SELECT work_area_id, group_name FROM equipment_group WHERE id = ANY(${[...groupIds]}::bigint[])
    UNION ALL SELECT work_area_id, equipment_code FROM device WHERE id = ANY(${[...controllerIds]}::bigint[])
    UNION ALL SELECT id, work_name FROM work_area WHERE id = ${workAreaId ?? 0}`.execute(db);
  return rows;
}

/** What a lamp followed before a publication. */
export interface Before {
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
}

export interface Conflict {
  readonly id: number;
  readonly scheme: string;
  readonly by: string;
  readonly lamp: string;
}
/** The first publication that still speaks to one of these lamps. */
export async function findConflict(db: From, ids: readonly number[], but = 0): Promise<Conflict | undefined> {
  const { rows } = await sql<Conflict>`SELECT p.id, coalesce(s.code, t.code, '') AS scheme, p.actor_name AS by,
      d.equipment_code AS lamp
    FROM publication_item i JOIN publication p ON p.id = i.publication_id JOIN device d ON d.id = i.device_id
    LEFT JOIN scheme_version sv ON sv.id = p.scheme_version_id LEFT JOIN scheme s ON s.id = sv.scheme_id
    LEFT JOIN template_version tv ON tv.id = p.template_version_id
    LEFT JOIN work_parameter_template t ON t.id = tv.template_id
    WHERE i.open AND i.device_id = ANY(${[...ids]}::bigint[]) AND p.id <> ${but}
    ORDER BY p.id, d.id LIMIT 1`.execute(db);
  return rows[0];
}

export interface MadeBefore {
  readonly id: number;
  readonly total: number;
  readonly phase: string;
  readonly request: RequestHashes | null;
}
export async function findRequest(db: From, actorId: number, requestId: string): Promise<MadeBefore | undefined> {
  const { rows } = await sql<MadeBefore>`SELECT id, total, phase, request FROM publication
    WHERE actor_id = ${actorId} AND request_id = ${requestId}`.execute(db);
  return rows[0];
}

export interface NewPublication {
  readonly workAreaId: number | null;
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
  readonly scope: object;
  readonly effectiveFrom: Day;
  readonly phase: string;
  readonly canary: object | null;
  readonly criteria: object;
  readonly autoRevert: boolean;
  readonly goOn: boolean;
  readonly findings: readonly object[];
  readonly darkens: number;
  readonly approval: object | null;
  readonly reverts: number | null;
  readonly reason: string | null;
  readonly total: number;
  readonly actorId: number;
  readonly actorName: string;
  readonly requestId: string | null;
  readonly request: RequestHashes | null;
  readonly at: Date;
}
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

export async function insertPublication(tx: Transaction, p: NewPublication): Promise<number> {
  const { rows } = await sql<{ id: number }>`INSERT INTO publication (work_area_id, scheme_version_id,
      template_version_id, scope, effective_from, phase, phase_since, canary, criteria, auto_revert, go_on, findings,
      darkens, approval, reverts, reason, total, actor_id, actor_name, request_id, request,
      created_at)
    VALUES (${p.workAreaId}, ${p.schemeVersionId}, ${p.templateVersionId}, ${json(p.scope)}::jsonb,
      ${p.effectiveFrom}::date, ${p.phase}, ${p.at}, ${json(p.canary)}::jsonb, ${json(p.criteria)}::jsonb,
      ${p.autoRevert}, ${p.goOn}, ${json(p.findings)}::jsonb, ${p.darkens}, ${json(p.approval)}::jsonb, ${p.reverts},
      ${p.reason}, ${p.total}, ${p.actorId}, ${p.actorName}, ${p.requestId}, ${json(p.request)}::jsonb, ${p.at}) RETURNING id`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new Error('a publication was not written');
  return row.id;
}

export interface NewItem {
  readonly deviceId: number;
  readonly canary: boolean;
  readonly state: 'waiting' | 'pending' | 'cannot';
  readonly reason: string | null;
}
/**
 * Its lamps, with what each of them follows last: where a return leads, and where each stands now. `returning`: the
 * places stay those of what they follow, as a return is not always weighed.
 */
export async function insertItems(
  tx: Transaction,
  id: number,
  items: readonly NewItem[],
  { returning = false }: { readonly returning?: boolean } = {},
): Promise<void> {
  await sql`INSERT INTO publication_item (publication_id, device_id, canary, state, reason, open,
      before_scheme_version_id, before_template_version_id, latitude, longitude)
    SELECT ${id}, n.id, n.canary, n.state, n.reason, n.state <> 'cannot', x.scheme_version_id, x.template_version_id,
      ${returning ? sql`x.latitude, x.longitude` : standingAt}
    FROM unnest(${items.map((i) => i.deviceId)}::bigint[], ${items.map((i) => i.canary)}::boolean[],
      ${items.map((i) => i.state)}::text[], ${items.map((i) => i.reason)}::text[]) AS n(id, canary, state, reason)
    JOIN device d ON d.id = n.id ${returning ? sql`` : standing}
    LEFT JOIN LATERAL (SELECT scheme_version_id, template_version_id, latitude, longitude FROM plan_assignment
      WHERE device_id = n.id AND withdrawn_at IS NULL ORDER BY from_day DESC, id DESC LIMIT 1) x ON true
    ORDER BY n.id`.execute(tx);
}

export interface Publication {
  readonly id: number;
  readonly phase: string;
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
  readonly effectiveFrom: Day;
  readonly canary: { readonly count: number } | null;
  readonly criteria: {
    readonly reportedPercent: number;
    readonly provenPercent: number;
    readonly newAlarmsPercent: number;
    /** Absent: from before it was judged. */
    readonly litDropPoints?: number;
  };
  readonly autoRevert: boolean;
  readonly goOn: boolean;
  readonly approval: Readonly<Record<string, unknown>> | null;
  readonly halted: { readonly phase: string } | null;
  readonly judged: { readonly passed: boolean } | null;
  readonly reverts: number | null;
  readonly actorId: number;
  readonly actorName: string;
  readonly workAreaId: number | null;
}
const columns = sql`p.id, p.phase, p.scheme_version_id AS "schemeVersionId",
  p.template_version_id AS "templateVersionId", to_char(p.effective_from, 'YYYY-MM-DD') AS "effectiveFrom", p.canary,
  p.criteria, p.auto_revert AS "autoRevert", p.go_on AS "goOn", p.approval, p.halted, p.judged, p.reverts,
  p.actor_id AS "actorId", p.actor_name AS "actorName", p.work_area_id AS "workAreaId"`;

export async function findOpen(db: From): Promise<Publication[]> {
  const { rows } = await sql<Publication>`SELECT ${columns} FROM publication p WHERE p.ended_at IS NULL
    ORDER BY p.id`.execute(db);
  return rows;
}
export async function findPublication(db: From, id: number): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`SELECT ${columns} FROM publication p WHERE p.id = ${id}`.execute(db);
  return rows[0];
}
/** How many are open, by phase. */
export async function countOpen(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ phase: string; n: number }>`SELECT phase, count(*)::int AS n FROM publication
    WHERE ended_at IS NULL GROUP BY phase`.execute(db);
  return Object.fromEntries(rows.map(({ phase, n }) => [phase, n]));
}
/** One publication, held until the transaction ends: whoever changes it or its lamps begins here. */
export async function hold(tx: Transaction, id: number): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`SELECT ${columns} FROM publication p WHERE p.id = ${id}
    FOR NO KEY UPDATE`.execute(tx);
  return rows[0];
}

/** Phases after which nothing follows. */
const endings = new Set(['done', 'reverted', 'cancelled', 'refused', 'lapsed']);

export interface Move {
  readonly phase: string;
  readonly at: Date;
  readonly halted?: object | null;
  readonly judged?: object;
  readonly approval?: object;
}
/** The next phase. At the end its lamps are free for others. */
export async function move(tx: Transaction, id: number, { phase, at, halted, judged, approval }: Move): Promise<void> {
  const ends = endings.has(phase);
  await sql`UPDATE publication SET phase = ${phase}, phase_since = ${at}, version = version + 1, counts = NULL,
      ended_at = CASE WHEN ${ends} THEN ${at}::timestamptz END,
      halted = CASE WHEN ${halted !== undefined} THEN ${json(halted ?? null)}::jsonb ELSE halted END,
      judged = coalesce(${json(judged ?? null)}::jsonb, judged),
      approval = coalesce(${json(approval ?? null)}::jsonb, approval)
    WHERE id = ${id}`.execute(tx);
  if (ends) await sql`UPDATE publication_item SET open = false WHERE publication_id = ${id} AND open`.execute(tx);
}

/** Lamps that were not told are not told any more. */
export async function stopUntold(tx: Transaction, id: number): Promise<void> {
  await sql`UPDATE publication_item SET state = 'superseded', reason = 'stopped', open = false
    WHERE publication_id = ${id} AND state IN ('waiting', 'pending')`.execute(tx);
}
/** What waited may be told now: the first part, or all. */
export async function release(tx: Transaction, id: number, which: 'canary' | 'all'): Promise<void> {
  await sql`UPDATE publication_item i SET state = 'pending' WHERE publication_id = ${id} AND ${isUntold}
    AND i.waiting AND (canary OR ${which === 'all'})`.execute(tx);
}
/** What a publication still waits for. `watched`: told lamps of which a planned step is awaited. */
export async function stillLeft(
  tx: Transaction,
  id: number,
): Promise<{ readonly pending: boolean; readonly waiting: boolean; readonly watched: boolean }> {
  // In order, so that the planner goes by their index: without it, it presumes one soon among all rows.
  const untold = (which: RawBuilder<SqlBool>) => sql<boolean>`((SELECT true FROM publication_item i
    WHERE i.publication_id = ${id} AND ${isUntold} AND ${which} ORDER BY i.device_id LIMIT 1) IS NOT NULL)`;
  const { rows } = await sql<{ pending: boolean; waiting: boolean; watched: boolean }>`SELECT
    ${untold(sql`NOT i.waiting`)} AS pending, ${untold(sql`i.waiting`)} AS waiting,
    EXISTS (SELECT FROM publication_watch w JOIN publication_item i USING (publication_id, device_id)
      WHERE w.publication_id = ${id} AND w.look_at IS NOT NULL AND i.state IN ('told', 'reported')) AS watched`.execute(
    tx,
  );
  return rows[0] ?? { pending: false, waiting: false, watched: false };
}
export async function countTold(db: From, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM publication_item
    WHERE publication_id = ${id} AND told_at IS NOT NULL`.execute(db);
  return rows[0]?.n ?? 0;
}
