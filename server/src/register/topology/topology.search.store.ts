import { sql } from 'kysely';
import type { TreeName } from '../../../../contract/register/topology.ts';
import type { Db } from '../../platform/db/index.ts';
import { comparable } from '../../platform/search-words.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';
import { visibleRows } from './topology.store.ts';
import { trees, type Sql } from './trees.query.ts';

/** Of a text that half the city matches, this many are put in order; an exact code comes first however many match. */
const considered = 300;

export interface NodesAsked {
  readonly kinds: readonly string[] | null;
  readonly workId: number | null;
  readonly scope: DeviceScope;
  readonly limit: number;
}

/**
 * Keys of nodes whose code or name contains a text: an exact code first, codes that begin so next, then by code.
 * Without a text those of the kinds, by code.
 */
export async function searchNodes(db: Db, tree: TreeName, query: string, asked: NodesAsked): Promise<string[]> {
  const { kinds, scope, limit } = asked;
  const code = comparable(query);
  const hits = code === '' ? devicesOfKinds(tree, asked) : devicesLike(tree, code, asked);
  const like = `%${escaped(code)}%`;
  if (tree === 'power' && (kinds === null || kinds.includes('loop'))) {
    hits.push(sql`(SELECT 'loop:' || o.id AS key, c.code, ${rankOf(sql`lower(normalize(c.code, NFKC))`, code)} AS rank
      FROM loop o JOIN device b
      ON b.id = o.control_box_id, LATERAL (SELECT b.equipment_code || '/' || o.loop_code AS code) c
      WHERE lower(normalize(c.code || ' ' || o.loop_name, NFKC)) LIKE ${like} AND ${inArea('o', asked)}
        AND ${visibleRows(scope, 'o')} ORDER BY rank, c.code COLLATE natural_order, o.id LIMIT ${limit})`);
  }
  if (tree === 'mounting' && kinds === null) {
    hits.push(sql`(SELECT 'road:' || r.id AS key, r.road_code AS code,
      ${rankOf(sql`lower(normalize(r.road_code, NFKC))`, code)} AS rank FROM road r
      WHERE r.search_key LIKE ${like} AND ${inArea('r', asked)} AND ${visibleRows(scope, 'r')}
        ORDER BY rank, r.road_code COLLATE natural_order, r.id LIMIT ${limit})`);
  }
  if (hits.length === 0) return [];
  const { rows } = await sql<{
    key: string;
  }>`SELECT key FROM (${sql.join(hits, sql` UNION ALL `)}) AS hits GROUP BY key, code
    ORDER BY min(rank), code COLLATE natural_order, key LIMIT ${limit}`.execute(db);
  return rows.map(({ key }) => key);
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const inArea = (alias: string, { workId }: NodesAsked): Sql =>
  workId === null ? sql`true` : sql`${sql.ref(`${alias}.work_area_id`)} = ${workId}`;
const rankOf = (key: Sql, code: string): Sql =>
  sql`CASE WHEN ${key} = ${code} THEN 0 WHEN starts_with(${key}, ${code}) THEN 1 ELSE 2 END`;
const inTree = (tree: TreeName, asked: NodesAsked): Sql =>
  sql`${trees[tree].has} AND ${inArea('d', asked)} AND ${visibleDevices(asked.scope)}`;

/** Each kind is read off the index of its list, already in order. */
const devicesOfKinds = (tree: TreeName, asked: NodesAsked): Sql[] =>
  (asked.kinds ?? [])
    .filter((kind) => kind !== 'loop')
    .map(
      (kind) =>
        sql`(SELECT 'device:' || d.id AS key, d.equipment_code AS code, 2 AS rank FROM device d
          WHERE d.family = ${kind} AND ${inTree(tree, asked)}
    ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${asked.limit})`,
    );

function devicesLike(tree: TreeName, code: string, asked: NodesAsked): Sql[] {
  const { kinds } = asked;
  const meant = sql`${kinds === null ? sql`true` : sql`d.family = ANY(${[...kinds]}::text[])`} AND ${inTree(tree, asked)}`;
  return [
    sql`(SELECT 'device:' || d.id AS key, d.equipment_code AS code, CASE WHEN d.code_key = ${code} THEN 0
      ELSE 1 END AS rank FROM device d
      WHERE d.code_key LIKE ${`${escaped(code)}%`} AND ${meant} ORDER BY d.code_key USING ~<~ LIMIT ${considered})`,
    sql`(SELECT 'device:' || d.id AS key, d.equipment_code AS code, 2 AS rank FROM device d
      WHERE d.search_key LIKE ${`%${escaped(code)}%`} AND ${meant} LIMIT ${considered})`,
  ];
}
