import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Static } from 'typebox';
import { lampFamilies } from '../../../../catalogue/lighting/families.ts';
import type { RoadClass } from '../../../../catalogue/lighting/floors.ts';
import type { RowSide, Standing } from '../../../../catalogue/lighting/rows.ts';
import type { LampScope } from '../../../../contract/light/simulations.ts';
import type { Capabilities } from '../../../../protocols/wire.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { Followed } from '../plans/index.ts';

export type Scope = Static<typeof LampScope>;

/** Everything of a lamp that its year depends on. */
export interface SimulatedLamp {
  readonly id: number;
  readonly workAreaId: number;
  readonly timeZone: string;
  readonly sunOffsetMinutes: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Where it stood when the plan that it was given last was agreed to. */
  readonly givenLatitude: number | null;
  readonly givenLongitude: number | null;
  /** Ascending; of one day the last counts. Null: it follows no plan. */
  readonly followed: readonly Followed[] | null;
  readonly watts: number | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly roadId: number | null;
  readonly roadClass: RoadClass | null;
  readonly capabilities: Capabilities | null;
  readonly dimming: string | null;
  /** Null: its pole is in no row. `roadClass`: of the road of the row. */
  readonly standing:
    | (Standing & { readonly side: RowSide; readonly roadId: number; readonly roadClass: RoadClass | null })
    | null;
}

const columns = {
  roadIds: 'd.road_id',
  groupIds: 'd.group_id',
  controllerIds: 'd.parent_id',
  deviceIds: 'd.id',
} as const;

/** The enabled lamps of any of the things that a scope names, as far as the caller sees them. */
function inScope(scope: Scope, caller: DeviceScope): RawBuilder<SqlBool> {
  const parts = Object.entries(columns).flatMap(([key, column]) => {
    const ids = scope[key as keyof typeof columns];
    return ids === undefined ? [] : [sql`${sql.ref(column)} = ANY(${[...ids]}::bigint[])`];
  });
  if (scope.workAreaId !== undefined) parts.push(sql`d.work_area_id = ${scope.workAreaId}`);
  const any = parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` OR `)})`;
  return sql<SqlBool>`d.enabled AND d.family = ANY(${[...lampFamilies]}::text[]) AND ${any} AND ${visibleDevices(caller)}`;
}

export async function countLamps(db: Db, scope: Scope, caller: DeviceScope): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM device d
    WHERE ${inScope(scope, caller)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** More than these never hold at once in a span: the present, the next ones, and what was taken back between them. */
const mostFollowed = 8;

interface Page {
  readonly after: number;
  readonly limit: number;
  /** The last lighting day. */
  readonly until: string;
}

/** Lamps of a scope in the order of their ids, so many after one of them; what they follow up to a lighting day. */
export const loadLamps = (db: Db, scope: Scope, caller: DeviceScope, page: Page): Promise<SimulatedLamp[]> =>
  lampsFrom(
    db,
    page,
    sql`SELECT * FROM device d WHERE d.id > ${page.after} AND ${inScope(scope, caller)} ORDER BY d.id LIMIT ${page.limit}`,
  );

export interface RowName {
  readonly roadId: number;
  readonly side: RowSide;
}
/** The lamps of rows that are not in a scope, whoever sees them: floors are judged with them. */
export const loadNeighbours = (
  db: Db,
  scope: Scope,
  caller: DeviceScope,
  { rows, ...page }: Page & { readonly rows: readonly RowName[] },
): Promise<SimulatedLamp[]> =>
  lampsFrom(
    db,
    page,
    sql`SELECT d.* FROM unnest(${rows.map(({ roadId }) => roadId)}::bigint[], ${rows.map(({ side }) => side)}::text[])
        AS w (road_id, side)
      JOIN lamp_position o ON o.road_id = w.road_id AND o.side = w.side
      JOIN device d ON d.pole_id = o.pole_id AND d.family = ANY(${[...lampFamilies]}::text[]) AND d.enabled
      WHERE d.id > ${page.after} AND (${inScope(scope, caller)}) IS NOT TRUE ORDER BY d.id LIMIT ${page.limit}`,
  );

async function lampsFrom(db: Db, { until }: Page, devices: RawBuilder<unknown>): Promise<SimulatedLamp[]> {
  const { rows } = await sql<SimulatedLamp>`
    SELECT d.id, d.work_area_id AS "workAreaId", a.time_zone AS "timeZone", a.sun_offset_minutes AS "sunOffsetMinutes",
      coalesce(d.latitude, p.latitude) AS latitude, coalesce(d.longitude, p.longitude) AS longitude, f.followed,
      f."givenLatitude", f."givenLongitude", d.rated_watts AS watts, d.props->>'manufacturer' AS manufacturer, d.props->>'model' AS model,
      d.road_id AS "roadId", r.road_class AS "roadClass", s.capabilities,
      d.props->>'type' AS dimming,
      CASE WHEN o.pole_id IS NOT NULL THEN json_build_object('roadId', o.road_id, 'side', o.side, 'position', o.position,
        'rowLength', o.row_length, 'junction', o.junction, 'keep', o.keep, 'roadClass', rr.road_class) END AS standing
    FROM (${devices}) d
    JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
    LEFT JOIN road r ON r.id = d.road_id LEFT JOIN lamp_position o ON o.pole_id = d.pole_id
    LEFT JOIN road rr ON rr.id = o.road_id LEFT JOIN plan_report s ON s.device_id = d.id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('from', x.from_day, 'schemeVersionId', x.scheme_version_id,
        'templateVersionId', x.template_version_id) ORDER BY x.from_day, x.id) AS followed,
        (array_agg(x.latitude ORDER BY x.from_day, x.id))[count(*)::int] AS "givenLatitude",
        (array_agg(x.longitude ORDER BY x.from_day, x.id))[count(*)::int] AS "givenLongitude"
      FROM (SELECT * FROM plan_assignment WHERE device_id = d.id AND withdrawn_at IS NULL
        AND from_day <= ${until}::date ORDER BY from_day DESC, id DESC LIMIT ${mostFollowed}) x
    ) f ORDER BY d.id`.execute(db);
  return rows;
}
