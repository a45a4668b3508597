import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamilies, namedBy } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { comparable, searchPatterns, searchWords } from '../../platform/search-words.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';

export interface Found {
  readonly id: number;
  readonly family: string | null;
  readonly code: string;
  readonly name: string | null;
  readonly place: string | null;
}
type Condition = RawBuilder<SqlBool>;

/** Of a text that half the city matches, this many are put in order; an exact code comes first however many match. */
const considered = 300;

const matches = (key: RawBuilder<unknown>, query: string): Condition =>
  sql<SqlBool>`(${sql.join(
    searchPatterns(query).map((pattern) => sql`${key} LIKE ${pattern}`),
    sql` AND `,
  )})`;

const carrying: Condition = sql`d.family = ANY(${namedBy('pole_id')})`;
const whichOnes = {
  poles: carrying,
  others: sql<SqlBool>`NOT ${carrying}`,
  lamps: sql<SqlBool>`d.family = ANY(${lampFamilies})`,
} satisfies Readonly<Record<string, Condition>>;
export type Which = keyof typeof whichOnes;

/** Devices that match, best first. */
export async function findDevices(
  db: Db,
  query: string,
  scope: DeviceScope,
  which: Which,
  limit: number,
): Promise<Found[]> {
  const where = sql`${visibleDevices(scope)} AND ${whichOnes[which]}`;
  const code = comparable(query.trim());
  const start = `${code.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<Found>`WITH hits AS (
      (SELECT d.id, CASE WHEN d.code_key = ${code} THEN 0 ELSE 1 END AS rank FROM device d
        WHERE d.code_key LIKE ${start} AND ${where} ORDER BY d.code_key USING ~<~ LIMIT ${considered})
      UNION ALL (SELECT d.id, 2 FROM device d WHERE ${matches(sql.ref('d.search_key'), query)} AND ${where}
        LIMIT ${considered})
    ), best AS (SELECT id, min(rank) AS rank FROM hits GROUP BY id)
    SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, r.road_name AS place
    FROM best JOIN device d USING (id) LEFT JOIN road r ON r.id = d.road_id
    ORDER BY best.rank, d.equipment_code COLLATE natural_order, d.id LIMIT ${limit}`.execute(db);
  return rows;
}

function visibleRoads({ workAreas, workAreaId }: DeviceScope) {
  const inside = workAreaId === null ? sql<boolean>`true` : sql<boolean>`r.work_area_id = ${workAreaId}`;
  return workAreas === 'all' ? inside : sql<boolean>`(${inside} AND r.work_area_id = ANY(${[...workAreas]}::bigint[]))`;
}

/** Roads that match, best first. */
export async function findRoads(db: Db, query: string, scope: DeviceScope, limit: number): Promise<Found[]> {
  const { rows } =
    await sql<Found>`SELECT r.id, NULL AS family, r.road_code AS code, r.road_name AS name, a.work_name AS place
    FROM road r JOIN work_area a ON a.id = r.work_area_id WHERE ${matches(sql.ref('r.search_key'), query)}
      AND ${visibleRoads(scope)}
    ORDER BY lower(r.road_code) = ${comparable(query.trim())} DESC, starts_with(r.road_name, ${query.trim()}) DESC,
      r.road_code COLLATE natural_order, r.id LIMIT ${limit}`.execute(db);
  return rows;
}

const tables = { device: ['equipment_code', 'equipment_name'], road: ['road_code', 'road_name'] } as const;

/**
 * Writes the words of up to `limit` rows that have none, from `after` on; returns the last id, or null when there are
 * no more.
 */
export async function fillWords(
  db: Db,
  table: keyof typeof tables,
  after: number,
  limit: number,
): Promise<number | null> {
  const [code, name] = tables[table];
  const { rows } = await sql<{
    id: number;
    code: string;
    name: string | null;
  }>`SELECT id, ${sql.ref(code)} AS code, ${sql.ref(name)} AS name
    FROM ${sql.table(table)} WHERE id > ${after} AND search_words IS NULL ORDER BY id LIMIT ${limit}`.execute(db);
  const words = await Promise.all(rows.map((row) => searchWords(row.code, row.name)));
  if (rows.length > 0) {
    await sql`UPDATE ${sql.table(table)} t SET search_words = x.words
      FROM unnest(${rows.map((row) => row.id)}::bigint[], ${words}::text[]) AS x(id, words)
      WHERE t.id = x.id AND t.search_words IS NULL`.execute(db);
  }
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null);
}
