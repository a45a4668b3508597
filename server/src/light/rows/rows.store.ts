import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { RowSide } from '../../../../catalogue/lighting/rows.ts';
import type { listRowRoads } from '../../../../contract/light/rows.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { contains, type Db, type Transaction } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';

export const poleFamily = 'lamp-pole';

export interface Road {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly workAreaId: number;
}
export interface RoadPole {
  readonly id: number;
  readonly code: string;
  readonly name: string | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly side: RowSide;
  readonly junction: boolean;
}
export type Source = 'auto' | 'hand';
/** A pole in its row. Arrays of them are in order: by side, then along the road. */
export interface Placed {
  readonly poleId: number;
  readonly side: RowSide;
  readonly source: Source;
  readonly checkedBy: string | null;
  readonly keep: boolean;
}

/** Roads of the work areas that a caller sees, narrowed to the one it works in. */
const visibleRoads = ({ workAreas, workAreaId }: DeviceScope): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${workAreaId === null ? sql`true` : sql`r.work_area_id = ${workAreaId}`}
    AND ${workAreas === 'all' ? sql`true` : sql`r.work_area_id = ANY(${[...workAreas]}::bigint[])`})`;

export async function findRoad(
  db: Db | Transaction,
  scope: DeviceScope,
  id: number,
): Promise<(Road & { readonly visible: boolean }) | undefined> {
  const { rows } = await sql<Road & { readonly visible: boolean }>`SELECT r.id, r.road_code AS code,
    r.road_name AS name, r.work_area_id AS "workAreaId", ${visibleRoads(scope)} AS visible
    FROM road r WHERE r.id = ${id}`.execute(db);
  return rows[0];
}

/** Roads with poles, by name, with what is known of their rows. */
export async function findRoads(
  db: Db,
  scope: DeviceScope,
  { q, limit, offset }: { readonly q: string; readonly limit: number; readonly offset: number },
): Promise<ReplyOf<typeof listRowRoads>> {
  const where = sql`${visibleRoads(scope)}
    AND EXISTS (SELECT FROM device d WHERE d.road_id = r.id AND d.family = ${poleFamily})
    ${q === '' ? sql`` : sql`AND (r.road_code ILIKE ${contains(q)} OR r.road_name ILIKE ${contains(q)})`}`;
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<Omit<ReplyOf<typeof listRowRoads>['data'][number], 'unplaced'>>`
      SELECT r.id, r.road_code AS code, r.road_name AS name, r.road_class AS "roadClass",
        r.work_area_id AS "workAreaId", d.poles, d.placed, d."byHand"
      FROM (SELECT * FROM road r WHERE ${where} ORDER BY r.road_name COLLATE natural_order, r.id
        LIMIT ${limit} OFFSET ${offset}) r
      CROSS JOIN LATERAL (SELECT count(*)::int AS poles, count(p.pole_id)::int AS placed,
          count(*) FILTER (WHERE p.source = 'hand')::int AS "byHand"
        FROM device d LEFT JOIN lamp_position p ON p.pole_id = d.id AND p.road_id = d.road_id
        WHERE d.road_id = r.id AND d.family = ${poleFamily}) d
      ORDER BY r.road_name COLLATE natural_order, r.id`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n FROM road r WHERE ${where}`.execute(db),
  ]);
  return {
    data: rows.map((row) => ({ ...row, unplaced: row.poles - row.placed })),
    recordsTotal: counted[0]?.n ?? 0,
  };
}

/** A hash of these poles with their versions: another one, and their rows may be others. */
const seenOf = sql`bit_xor(hashtextextended(d.id || '.' || d.version, 0))`;

/**
 * The poles of a road by code, with the hash that they were seen with (a text, it is longer than numbers are exact). In
 * a transaction none of them is deleted until that ends.
 */
export async function findPoles(
  db: Db | Transaction,
  roadId: number,
): Promise<{ readonly poles: readonly RoadPole[]; readonly seen: string }> {
  const { rows } = await sql<RoadPole & { readonly seen: string }>`
    SELECT d.id, d.code, d.name, d.longitude, d.latitude, d.side, d.junction, (${seenOf} OVER ())::text AS seen
    FROM (SELECT id, version, equipment_code AS code, equipment_name AS name, longitude, latitude,
        coalesce(props ->> 'roadside', 'none') AS side, coalesce(props ->> 'ifIntersection' = 'true', false) AS junction
      FROM device WHERE road_id = ${roadId} AND family = ${poleFamily}
      ORDER BY equipment_code COLLATE natural_order, id ${db.isTransaction ? sql`FOR KEY SHARE` : sql``}) d
    ORDER BY d.code COLLATE natural_order, d.id`.execute(db);
  return { poles: rows.map(({ seen: _, ...pole }) => pole), seen: rows[0]?.seen ?? '0' };
}

/** The rows of a road as they are kept; poles that left it are no more in them. */
export async function findPlaced(db: Db | Transaction, roadId: number): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    SELECT p.pole_id AS "poleId", p.side, p.source, p.checked_by AS "checkedBy", p.keep
    FROM lamp_position p JOIN device d ON d.id = p.pole_id AND d.road_id = p.road_id
    WHERE p.road_id = ${roadId} ORDER BY p.side, p.position`.execute(db);
  return rows;
}

export async function findVersion(db: Db | Transaction, roadId: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`SELECT version FROM road_rows WHERE road_id = ${roadId}`.execute(db);
  return rows[0]?.version ?? 0;
}

export async function findLamps(
  db: Db,
  poleIds: readonly number[],
): Promise<readonly { readonly id: number; readonly code: string; readonly poleId: number }[]> {
  const { rows } = await sql<{ id: number; code: string; poleId: number }>`
    SELECT id, equipment_code AS code, pole_id AS "poleId" FROM device
    WHERE pole_id = ANY(${[...poleIds]}::bigint[]) AND family = ANY(${[...lampFamilies]}::text[])
    ORDER BY equipment_code COLLATE natural_order, id`.execute(db);
  return rows;
}

/** Which of these are poles of roads that the caller sees. */
export async function findKnownPoles(
  db: Db | Transaction,
  scope: DeviceScope,
  ids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM device d JOIN road r ON r.id = d.road_id
    WHERE d.id = ANY(${[...ids]}::bigint[]) AND d.family = ${poleFamily} AND ${visibleRoads(scope)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** One place of a row as it is written. */
export interface Position extends Placed {
  readonly position: number;
  readonly rowLength: number;
  readonly junction: boolean;
}

/** Makes these the rows of a road; whether anything was another before. */
export async function writePositions(
  tx: Transaction,
  roadId: number,
  positions: readonly Position[],
  at: Date,
): Promise<boolean> {
  const gone = await sql`DELETE FROM lamp_position WHERE road_id = ${roadId}
    AND NOT (pole_id = ANY(${positions.map(({ poleId }) => poleId)}::bigint[]))`.execute(tx);
  const written = await sql`
    INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, keep, junction, source, checked_by,
      updated_at)
    SELECT p."poleId", ${roadId}, p.side, p.position, p."rowLength", p.keep, p.junction, p.source, p."checkedBy", ${at}
    FROM jsonb_to_recordset(${JSON.stringify(positions)}::jsonb) AS p("poleId" bigint, side text, position int,
      "rowLength" int, keep boolean, junction boolean, source text, "checkedBy" text)
    ON CONFLICT (pole_id) DO UPDATE SET road_id = excluded.road_id, side = excluded.side,
      position = excluded.position, row_length = excluded.row_length, keep = excluded.keep,
      junction = excluded.junction, source = excluded.source, checked_by = excluded.checked_by,
      updated_at = excluded.updated_at
    WHERE (lamp_position.road_id, lamp_position.side, lamp_position.position, lamp_position.row_length,
        lamp_position.keep, lamp_position.junction, lamp_position.source, lamp_position.checked_by)
      IS DISTINCT FROM (excluded.road_id, excluded.side, excluded.position, excluded.row_length, excluded.keep,
        excluded.junction, excluded.source, excluded.checked_by)`.execute(tx);
  return (gone.numAffectedRows ?? 0n) + (written.numAffectedRows ?? 0n) > 0n;
}

/** Notes which poles the rows were made of; `by` null: by the program. With a change the version is the next one. */
export async function noteRows(
  tx: Transaction,
  roadId: number,
  note: { readonly seen: string; readonly changed: boolean; readonly by: string | null; readonly at: Date },
): Promise<void> {
  await sql`INSERT INTO road_rows (road_id, version, seen, updated_by, updated_at)
    VALUES (${roadId}, 1, ${note.seen}::bigint, ${note.by}, ${note.at})
    ON CONFLICT (road_id) DO UPDATE SET seen = excluded.seen
      ${
        note.changed
          ? sql`, version = road_rows.version + 1, updated_by = excluded.updated_by, updated_at = excluded.updated_at`
          : sql``
      }`.execute(tx);
}

/** A page of all roads by id after `after`: the last id, and those whose poles are others than their rows were made of. */
export async function findUnordered(
  db: Db,
  after: number,
  size: number,
): Promise<{ readonly last: number | null; readonly due: readonly Pick<Road, 'id' | 'workAreaId'>[] }> {
  const { rows } = await sql<{ id: number; workAreaId: number; due: boolean }>`
    SELECT r.id, r.work_area_id AS "workAreaId", p.seen <> coalesce(s.seen, 0) AS due
    FROM (SELECT id, work_area_id FROM road WHERE id > ${after} ORDER BY id LIMIT ${size}) r
    LEFT JOIN road_rows s ON s.road_id = r.id
    CROSS JOIN LATERAL (SELECT coalesce(${seenOf}, 0) AS seen FROM device d
      WHERE d.road_id = r.id AND d.family = ${poleFamily}) p
    ORDER BY r.id`.execute(db);
  return { last: rows.at(-1)?.id ?? null, due: rows.filter(({ due }) => due) };
}
