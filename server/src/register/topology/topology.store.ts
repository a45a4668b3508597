import { sql } from 'kysely';
import { families, lampFamilies } from '../../../../catalogue/index.ts';
import type { TreeName } from '../../../../contract/register/topology.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';
import { among, lampsBelow, trees, type Condition, type Part, type Sql } from './trees.query.ts';

/** A node as the tables have it. `up`: the key of what it stands under. */
export interface StoredNode {
  readonly key: string;
  readonly kind: 'device' | 'loop' | 'road';
  readonly id: number;
  readonly family: string | null;
  readonly code: string;
  readonly name: string | null;
  readonly version: number;
  readonly state: string | null;
  readonly online: boolean | null;
  readonly up: string | null;
  readonly area: number;
}

/** What of loops (`o`) and roads (`r`) a caller sees: those of its work areas. */
export function visibleRows({ workAreas, workAreaId }: DeviceScope, alias: 'o' | 'r'): Condition {
  const area = sql.ref(`${alias}.work_area_id`);
  const inside = workAreaId === null ? sql<boolean>`true` : sql<boolean>`${area} = ${workAreaId}`;
  return workAreas === 'all' ? inside : sql<boolean>`(${inside} AND ${area} = ANY(${[...workAreas]}::bigint[]))`;
}

const tables = {
  device: {
    from: sql`device d`,
    id: sql`d.id`,
    code: sql`d.equipment_code`,
    visible: (scope: DeviceScope) => visibleDevices(scope),
  },
  loop: {
    from: sql`loop o`,
    id: sql`o.id`,
    code: sql`o.loop_code`,
    visible: (scope: DeviceScope) => visibleRows(scope, 'o'),
  },
  road: {
    from: sql`road r`,
    id: sql`r.id`,
    code: sql`r.road_code`,
    visible: (scope: DeviceScope) => visibleRows(scope, 'r'),
  },
} as const;

export interface Level {
  readonly parts: readonly Part[];
  readonly parent: Sql;
  /** Families stand together, in the catalogue's order. */ readonly byFamily: boolean;
}

/** What stands under nothing, in the order of its parts. */
export const atTop = (parts: readonly Part[]): Level => ({ parts, parent: sql`NULL`, byFamily: false });
/** What stands under a node. */
export const underNode = (parts: readonly Part[], id: number): Level => ({
  parts,
  parent: sql`${id}::bigint`,
  byFamily: true,
});

const familyRank = sql`array_position(${families.map(({ key }) => key)}::text[], d.family)`;
/** The rows of a level: `kind`, `id`, `rank`, `code`. */
const rowsOf = ({ parts, parent, byFamily }: Level, scope: DeviceScope): Sql =>
  sql.join(
    parts.map(({ table, where }, index) => {
      const { from, id, code, visible } = tables[table];
      const rank = byFamily && table === 'device' ? sql`${index * 100} + ${familyRank}` : sql`${index * 100}`;
      return sql`SELECT ${table}::text AS kind, ${id} AS id, (${rank})::int AS rank, ${code} AS code FROM ${from}
        WHERE ${where(parent)} AND ${visible(scope)}`;
    }),
    sql` UNION ALL `,
  );

const order = sql`rank, code COLLATE natural_order, id`;

/** The keys of one page of a level, in order. A level of one family is read off the index of its list. */
export async function findLevel(
  db: Db,
  level: Level,
  scope: DeviceScope,
  page: { readonly limit: number; readonly offset: number },
): Promise<string[]> {
  const [only, ...more] = level.parts;
  const rows =
    only?.table === 'device' && more.length === 0 && !level.byFamily
      ? sql`SELECT 'device:' || d.id AS key FROM device d WHERE ${only.where(level.parent)} AND ${visibleDevices(scope)}
        ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${page.limit} OFFSET ${page.offset}`
      : sql`SELECT kind || ':' || id AS key FROM (${rowsOf(level, scope)}) AS level ORDER BY ${order}
        LIMIT ${page.limit} OFFSET ${page.offset}`;
  const found = await sql<{ key: string }>`${rows}`.execute(db);
  return found.rows.map(({ key }) => key);
}

/** A query that gives as many rows as a level has. */
export const membersOf = ({ parts, parent }: Level, scope: DeviceScope): Sql =>
  parts.length === 0
    ? sql`SELECT 1 WHERE false`
    : sql.join(
        parts.map(
          ({ table, where }) =>
            sql`SELECT 1 FROM ${tables[table].from} WHERE ${where(parent)} AND ${tables[table].visible(scope)}`,
        ),
        sql` UNION ALL `,
      );

/** How many of a level stand before a node of it. */
export async function countBefore(db: Db, level: Level, scope: DeviceScope, key: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`WITH level AS (${rowsOf(level, scope)}), it AS (SELECT * FROM level WHERE kind || ':' || id = ${key})
    SELECT count(*)::int AS n FROM level, it
      WHERE (level.rank, level.code COLLATE natural_order, level.id)
      < (it.rank, it.code COLLATE natural_order, it.id)`.execute(db);
  return rows[0]?.n ?? 0;
}

const idsOf = (keys: readonly string[], kind: string): number[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}:`) ? [Number(key.slice(kind.length + 1))] : []));

/** Nodes by their keys, those the caller sees, in no order. */
export async function findNodes(
  db: Db | Transaction,
  tree: TreeName,
  keys: readonly string[],
  scope: DeviceScope,
): Promise<StoredNode[]> {
  const { rows } =
    await sql<StoredNode>`SELECT 'device:' || d.id AS key, 'device' AS kind, d.id, d.family, d.equipment_code AS code,
      d.equipment_name AS name, d.version, s.state, s.online, ${trees[tree].parent} AS up, d.work_area_id AS area
      FROM device d LEFT JOIN device_state s ON s.device_id = d.id
        WHERE d.id = ANY(${idsOf(keys, 'device')}::bigint[]) AND ${trees[tree].has} AND ${visibleDevices(scope)}
    UNION ALL SELECT 'loop:' || o.id, 'loop', o.id, NULL, o.loop_code, o.loop_name, o.version, NULL, NULL,
      'device:' || o.control_box_id, o.work_area_id
      FROM loop o WHERE o.id = ANY(${idsOf(keys, 'loop')}::bigint[]) AND ${visibleRows(scope, 'o')}
    UNION ALL SELECT 'road:' || r.id, 'road', r.id, NULL, r.road_code, r.road_name, r.version, NULL, NULL, NULL,
      r.work_area_id
      FROM road r WHERE r.id = ANY(${idsOf(keys, 'road')}::bigint[]) AND ${visibleRows(scope, 'r')}`.execute(db);
  return rows;
}

export interface Counts {
  readonly key: string;
  readonly children: number;
  readonly lamps: number;
  readonly alarms: number;
  readonly offline: number;
}
/** What hangs on nodes: directly, and lamps however deep; only what the caller sees. */
export async function countBelow(
  db: Db,
  tree: TreeName,
  nodes: readonly StoredNode[],
  scope: DeviceScope,
): Promise<Map<string, Counts>> {
  const kinds = nodes.map((node) => node.family ?? node.kind);
  const below = [...trees[tree].below].map(
    ([kind, parts]) =>
      sql`WHEN n.kind = ${kind} THEN (${sql.join(
        parts.map(
          ({ table, where }) =>
            sql`(SELECT count(*) FROM ${tables[table].from} WHERE ${where(sql`n.id`)}
              AND ${tables[table].visible(scope)})`,
        ),
        sql` + `,
      )})`,
  );
  const { rows } = await sql<Counts>`WITH RECURSIVE n AS (SELECT *
      FROM unnest(${nodes.map(({ key }) => key)}::text[], ${kinds}::text[], ${nodes.map(({ id }) => id)}::bigint[])
      AS n(place, kind, id)), ${lampsBelow[tree]}, counted AS (
      SELECT l.place, count(*)::int AS lamps, (count(*) FILTER (WHERE s.state = 'alarm'))::int AS alarms,
        (count(*) FILTER (WHERE s.state = 'offline'))::int AS offline
      FROM lamps l JOIN device d ON d.id = l.id LEFT JOIN device_state s ON s.device_id = l.id
        WHERE ${among('d.family', lampFamilies)} AND ${visibleDevices(scope)} GROUP BY l.place)
    SELECT n.place AS key, (CASE ${sql.join(below, sql` `)} ELSE 0 END)::int AS children, coalesce(c.lamps, 0) AS lamps,
      coalesce(c.alarms, 0) AS alarms, coalesce(c.offline, 0) AS offline
    FROM n LEFT JOIN counted c ON c.place = n.place`.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}
