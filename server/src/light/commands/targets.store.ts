import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface Target {
  readonly id: number;
  readonly family: string;
  readonly workAreaId: number;
  readonly viaId: number;
  readonly enabled: boolean;
  readonly visible: boolean;
}
const columns = sql`d.id, d.family, d.work_area_id AS "workAreaId", coalesce(d.parent_id, 0) AS "viaId", d.enabled`;

/** These devices, each with whether the caller sees it. */
export async function findTargets(db: Db, ids: readonly number[], visible: RawBuilder<SqlBool>): Promise<Target[]> {
  const { rows } = await sql<Target>`SELECT ${columns}, ${visible} AS visible FROM device d
      WHERE d.id = ANY(${ids as number[]}::bigint[]) ORDER BY d.id`.execute(db);
  return rows;
}

export interface Scope {
  readonly roadId?: number | undefined;
  readonly groupId?: number | undefined;
  readonly controllerId?: number | undefined;
  readonly workAreaId?: number | undefined;
  readonly families?: readonly string[] | undefined;
}
/** The enabled devices of these families in a scope, as far as the caller sees them. */
export async function findInScope(
  db: Db,
  scope: Scope,
  families: readonly string[],
  visible: RawBuilder<SqlBool>,
  limit: number,
): Promise<Target[]> {
  const only = (column: string, id: number | undefined) =>
    id === undefined ? sql`` : sql` AND ${sql.ref(column)} = ${id}`;
  const { rows } = await sql<Target>`SELECT ${columns}, true AS visible FROM device d
    WHERE d.enabled AND d.family = ANY(${families as string[]}::text[])
      AND ${visible}${only('d.road_id', scope.roadId)}${only('d.group_id', scope.groupId)}${only('d.parent_id', scope.controllerId)}${only('d.work_area_id', scope.workAreaId)}
    ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}

const named = {
  roadId: ['road', 'road_name'],
  groupId: ['equipment_group', 'group_name'],
  controllerId: ['device', 'equipment_code'],
} as const;

export interface ScopePart {
  readonly area: number | null;
  readonly name: string | null;
}
/** The work area and the name of each thing that a scope names; the area null for one that does not exist. */
export async function findScopeParts(db: Db, scope: Scope): Promise<ScopePart[]> {
  const parts = Object.entries(named).flatMap(([key, [table, name]]) => {
    const id = scope[key as keyof typeof named];
    return id === undefined
      ? []
      : [
          sql`SELECT (SELECT work_area_id FROM ${sql.table(table)} WHERE id = ${id}) AS area,
            (SELECT ${sql.ref(name)} FROM ${sql.table(table)} WHERE id = ${id}) AS name`,
        ];
  });
  if (scope.workAreaId !== undefined)
    parts.push(
      sql`SELECT (SELECT id FROM work_area WHERE id = ${scope.workAreaId}) AS area,
        (SELECT work_name FROM work_area WHERE id = ${scope.workAreaId}) AS name`,
    );
  if (parts.length === 0) return [];
  const { rows } = await sql<ScopePart>`${sql.join(parts, sql` UNION ALL `)}`.execute(db);
  return rows;
}
