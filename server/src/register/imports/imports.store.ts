import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamilies, type Family } from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { TableFormat } from '../../platform/table-file/index.ts';
import { selfReferences } from '../devices/index.ts';
import type { Place } from './coordinates.ts';
import type { ImportScope, JudgedRow } from './judge.ts';
import type { PlaceQuestion } from './place.ts';
import type { Plan } from './plan.ts';
import type { RowProblem } from './row.ts';

export interface Counts {
  readonly new: number;
  readonly update: number;
  readonly unchanged: number;
  readonly error: number;
}
export interface Column {
  readonly title: string;
  readonly samples: readonly string[];
}
/** An import without what its file holds. */
export interface StoredState {
  readonly id: number;
  readonly accountId: number | null;
  readonly accountName: string | null;
  readonly family: string;
  readonly state: 'uploaded' | 'checked' | 'applied' | 'undone';
  readonly fileName: string;
  readonly fileBytes: number;
  readonly counts: Counts | null;
  readonly taskId: number | null;
  readonly notUndone: number | null;
  readonly createdAt: Date;
  readonly appliedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly rowsRemovedAt: Date | null;
}
export interface StoredImport extends StoredState {
  readonly workAreaId: number | null;
  readonly file: string;
  readonly format: TableFormat;
  readonly columns: readonly Column[];
  readonly plan: Plan;
  readonly isRemembered: boolean;
  readonly unknownWords: Readonly<Record<string, readonly { readonly word: string; readonly rows: number }[]>>;
  readonly fingerprint: string;
  readonly questions: readonly PlaceQuestion[];
}

const stateColumns = sql`i.id, i.account_id AS "accountId", a.username AS "accountName", i.family, i.state, i.file_name AS "fileName", i.file_bytes AS "fileBytes", i.counts,
  i.task_id AS "taskId", i.not_undone AS "notUndone", i.created_at AS "createdAt", i.applied_at AS "appliedAt", i.undone_at AS "undoneAt", i.rows_removed_at AS "rowsRemovedAt"`;
const columns = sql`${stateColumns}, i.work_area_id AS "workAreaId", i.file, i.format, i.columns, i.plan, i.is_remembered AS "isRemembered", i.unknown_words AS "unknownWords", i.fingerprint, i.questions`;
const from = sql`FROM import i LEFT JOIN account a ON a.id = i.account_id`;

export interface NewImport {
  readonly accountId: number;
  readonly workAreaId: number | null;
  readonly family: string;
  readonly file: string;
  readonly fileName: string;
  readonly fileBytes: number;
  readonly format: TableFormat;
  readonly columns: readonly Column[];
  readonly fingerprint: string;
  readonly plan: Plan;
  readonly isRemembered: boolean;
  readonly at: Date;
}
export async function insertImport(tx: Transaction, one: NewImport): Promise<number> {
  const { id } = await tx
    .insertInto('import')
    .values({
      account_id: one.accountId,
      work_area_id: one.workAreaId,
      family: one.family,
      file: one.file,
      file_name: one.fileName,
      file_bytes: one.fileBytes,
      format: JSON.stringify(one.format),
      columns: JSON.stringify(one.columns),
      fingerprint: one.fingerprint,
      plan: JSON.stringify(one.plan),
      is_remembered: one.isRemembered,
      created_at: one.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function changeTable(
  tx: Transaction,
  id: number,
  one: Pick<NewImport, 'format' | 'columns' | 'fingerprint' | 'plan' | 'isRemembered'>,
): Promise<void> {
  await sql`UPDATE import SET format = ${JSON.stringify(one.format)}::jsonb,
    columns = ${JSON.stringify(one.columns)}::jsonb, fingerprint = ${one.fingerprint},
    plan = ${JSON.stringify(one.plan)}::jsonb,
    is_remembered = ${one.isRemembered}, state = 'uploaded', counts = NULL, questions = '[]' WHERE id = ${id}`.execute(
    tx,
  );
}

export async function findImport(db: Db | Transaction, id: number, lock = false): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`SELECT ${columns} ${from}
      WHERE i.id = ${id} ${lock ? sql`FOR UPDATE OF i` : sql``}`.execute(db);
  return rows[0];
}

/** One page, newest first; of one account, or everybody's. */
export async function findImports(
  db: Db,
  accountId: number | null,
  family: string | undefined,
  page: { limit: number; offset: number },
): Promise<{ rows: StoredState[]; count: number }> {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (accountId !== null) parts.push(sql`i.account_id = ${accountId}`);
  if (family !== undefined) parts.push(sql`i.family = ${family}`);
  const where = sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
  const [
    { rows },
    {
      rows: [counted],
    },
  ] = await Promise.all([
    sql<StoredState>`SELECT ${stateColumns} ${from} WHERE ${where} ORDER BY i.id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n FROM import i WHERE ${where}`.execute(db),
  ]);
  return { rows, count: counted?.n ?? 0 };
}

export async function beginCheck(tx: Transaction, id: number, plan: Plan): Promise<void> {
  await sql`UPDATE import SET plan = ${JSON.stringify(plan)}::jsonb, state = 'uploaded', counts = NULL,
    questions = '[]', unknown_words = '{}', rows_removed_at = NULL WHERE id = ${id}`.execute(tx);
}
export async function setTask(tx: Transaction, id: number, taskId: number): Promise<void> {
  await sql`UPDATE import SET task_id = ${taskId} WHERE id = ${id}`.execute(tx);
}
export const clearRows = async (db: Db, id: number): Promise<void> =>
  void (await sql`DELETE FROM import_row WHERE import_id = ${id}`.execute(db));

/** Keeps judged rows until somebody has looked at them. */
export async function stage(db: Db, importId: number, rows: readonly JudgedRow[]): Promise<void> {
  const kept = rows.map((row) => ({
    ...row,
    columns: row.columns,
    area: row.area,
    new_road: row.newRoad,
    device_id: row.deviceId,
    base_version: row.baseVersion,
  }));
  await sql`INSERT INTO import_row (import_id, row_number, outcome, work_area_id, code, columns, props, new_road,
    longitude, latitude, problems, changes, device_id, base_version)
    SELECT ${importId}, number, outcome, area, code, columns, props, new_road, longitude, latitude, problems, changes,
      device_id, base_version
    FROM jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) AS x(number int, outcome text, area bigint, code text,
      columns jsonb, props jsonb, new_road text, longitude float8, latitude float8,
      problems jsonb, changes jsonb, device_id bigint, base_version int)`.execute(db);
}

const problem = (field: string, rule: string, params: RawBuilder<unknown>, text: RawBuilder<unknown>) =>
  sql`problems || jsonb_build_array(jsonb_build_object('field', ${field}::text, 'rule', ${rule}::text, 'params', ${params}, 'text', ${text}))`;

/** Of rows with the same code the first one stays; the others say which it is. */
export async function refuseRepeated(db: Db, id: number): Promise<void> {
  await sql`UPDATE import_row r
    SET outcome = 'error',
    problems = ${problem('equipmentCode', 'sameAsRow', sql`jsonb_build_object('row', first.row_number)`, sql`r.code`)}
    FROM (SELECT work_area_id, code_key, min(row_number) AS row_number FROM import_row
      WHERE import_id = ${id} AND code IS NOT NULL AND work_area_id IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1) first
    WHERE r.import_id = ${id} AND r.work_area_id = first.work_area_id AND r.code_key = first.code_key
      AND r.row_number > first.row_number`.execute(db);
}

/** The middle of all positions, by each coordinate on its own: what a few strays cannot move. */
export async function middle(
  db: Db,
  id: number,
): Promise<{ longitude: number; latitude: number; count: number } | undefined> {
  const { rows } = await sql<{
    longitude: number | null;
    latitude: number;
    count: number;
  }>`SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY longitude) AS longitude,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY latitude) AS latitude, count(longitude)::int AS count
    FROM import_row WHERE import_id = ${id} AND longitude IS NOT NULL`.execute(db);
  const [found] = rows;
  return found && found.longitude !== null
    ? { longitude: found.longitude, latitude: found.latitude, count: found.count }
    : undefined;
}

/** Half a degree: the register as a few places, whatever its size. */
const cellsADegree = 2;
const mostCells = 5000;

/** Where the devices of these work areas stand, to within about 40 km. */
export async function registerPlaces(db: Db, areas: ImportScope['workAreas']): Promise<Place[]> {
  const within = areas === 'all' ? sql`true` : sql`work_area_id = ANY(${[...areas]}::bigint[])`;
  const { rows } = await sql<Place>`SELECT DISTINCT round(longitude * ${cellsADegree}) / ${cellsADegree} AS longitude,
      round(latitude * ${cellsADegree}) / ${cellsADegree} AS latitude FROM device
      WHERE longitude IS NOT NULL AND ${within} LIMIT ${mostCells}`.execute(db);
  return rows;
}

/** How many rows with a position lie outside of west, south, east and north. */
export async function countOutside(
  db: Db,
  id: number,
  [west, south, east, north]: readonly [number, number, number, number],
): Promise<number> {
  const across =
    west <= east
      ? sql`longitude BETWEEN ${west}::float8 AND ${east}::float8`
      : sql`(longitude >= ${west}::float8 OR longitude <= ${east}::float8)`;
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM import_row WHERE import_id = ${id} AND longitude IS NOT NULL
    AND NOT (${across} AND latitude BETWEEN ${south}::float8 AND ${north}::float8)`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Rows more than so many metres from a point are wrong until somebody says that they are right. */
export async function refuseFar(
  db: Db,
  id: number,
  at: { longitude: number; latitude: number },
  metres: number,
): Promise<void> {
  const distance = sql`(6371008.8 * 2 * asin(least(1, sqrt(power(sin(radians(latitude - ${at.latitude}::float8) / 2), 2) + cos(radians(latitude)) * cos(radians(${at.latitude}::float8)) * power(sin(radians(longitude - ${at.longitude}::float8) / 2), 2)))))`;
  await sql`UPDATE import_row r
    SET outcome = 'error',
    problems = ${problem('longitude', 'farAway', sql`jsonb_build_object('km', round((${distance} / 1000)::numeric))`, sql`round(longitude::numeric, 6) || ', ' || round(latitude::numeric, 6)`)}
    WHERE import_id = ${id} AND longitude IS NOT NULL AND ${distance} > ${metres}::float8`.execute(db);
}

/** Lamps beyond what their pole carries, counted with those the file brings, in the file's order. */
export async function refuseFullPoles(db: Db, id: number): Promise<void> {
  await sql`UPDATE import_row r
    SET outcome = 'error',
    problems = ${problem('lamppostId', 'poleFull', sql`jsonb_build_object('max', late.capacity)`, sql`late.code`)}
    FROM (SELECT s.row_number, p.equipment_code AS code, (p.props ->> 'lampNum')::int AS capacity,
        (SELECT count(*) FROM device x WHERE x.pole_id = p.id AND x.family = ANY(${lampFamilies})
          AND NOT EXISTS (SELECT 1 FROM import_row o WHERE o.import_id = ${id} AND o.device_id = x.id
          AND o.columns ? 'pole_id'))
          + row_number() OVER (PARTITION BY p.id ORDER BY s.row_number) AS place
      FROM import_row s JOIN device p ON p.id = (s.columns ->> 'pole_id')::bigint
      WHERE s.import_id = ${id} AND s.outcome IN ('new', 'update') AND s.columns ? 'pole_id' AND p.props ? 'lampNum')
        late
    WHERE r.import_id = ${id} AND r.row_number = late.row_number AND late.place > late.capacity`.execute(db);
}

/** Rows that would hang devices of the family on each other in a circle, taken together with what the register has. */
export async function refuseCycles(db: Db | Transaction, id: number, family: Family): Promise<void> {
  for (const { key, column } of selfReferences(family)) {
    await sql`WITH RECURSIVE edge
      AS (SELECT d.id, CASE WHEN r.columns ? ${column} THEN (r.columns ->> ${column})::bigint
      ELSE ${sql.ref(`d.${column}`)} END AS up, coalesce(r.columns ? ${column}, false) AS written
          FROM device d LEFT JOIN import_row r ON r.import_id = ${id} AND r.outcome = 'update' AND r.device_id = d.id
            WHERE d.family = ${family.key}),
        walk AS (SELECT id AS start, up AS at FROM edge WHERE written AND up IS NOT NULL UNION SELECT w.start, e.up
          FROM walk w JOIN edge e ON e.id = w.at WHERE w.at <> w.start AND e.up IS NOT NULL)
      UPDATE import_row r
        SET outcome = 'error', problems = ${problem(key, 'cycle', sql`'{}'::jsonb`, sql`up.equipment_code`)}
      FROM walk w, device up WHERE w.at = w.start AND r.import_id = ${id} AND r.outcome = 'update'
        AND r.device_id = w.start AND up.id = (r.columns ->> ${column})::bigint`.execute(db);
  }
}

export async function endCheck(
  db: Db,
  id: number,
  unknownWords: StoredImport['unknownWords'],
  questions: readonly PlaceQuestion[],
): Promise<Counts> {
  const counts = await countOutcomes(db, id);
  await sql`UPDATE import SET state = 'checked', counts = ${JSON.stringify(counts)}::jsonb,
    questions = ${JSON.stringify(questions)}::jsonb, unknown_words = ${JSON.stringify(unknownWords)}::jsonb
    WHERE id = ${id}`.execute(db);
  return counts;
}

export async function countOutcomes(db: Db | Transaction, id: number): Promise<Counts> {
  const { rows } = await sql<{
    outcome: keyof Counts;
    n: number;
  }>`SELECT outcome, count(*)::int AS n FROM import_row WHERE import_id = ${id} GROUP BY outcome`.execute(db);
  return {
    new: 0,
    update: 0,
    unchanged: 0,
    error: 0,
    ...Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n])),
  };
}

export async function newRoads(db: Db, id: number): Promise<{ name: string; rows: number }[]> {
  const { rows } = await sql<{
    name: string;
    rows: number;
  }>`SELECT new_road AS name, count(*)::int AS rows FROM import_row
    WHERE import_id = ${id} AND new_road IS NOT NULL AND outcome IN ('new', 'update') GROUP BY 1 ORDER BY 2 DESC, 1
    LIMIT 200`.execute(db);
  return rows;
}

export interface StoredRow {
  readonly row: number;
  readonly outcome: keyof Counts;
  readonly code: string | null;
  readonly deviceId: number | null;
  readonly problems: readonly RowProblem[];
  readonly changes: JudgedRow['changes'];
  readonly undone: boolean | null;
}
export interface RowQuery {
  readonly outcome?: keyof Counts;
  readonly rule?: string;
  readonly field?: string;
  readonly notUndone?: boolean;
  readonly after?: number;
  readonly size?: number;
}
const rowConditions = (id: number, query: RowQuery) => {
  const parts: RawBuilder<unknown>[] = [sql`import_id = ${id}`];
  if (query.outcome) parts.push(sql`outcome = ${query.outcome}`);
  if (query.rule)
    parts.push(
      sql`problems @> ${JSON.stringify([{ rule: query.rule, ...(query.field ? { field: query.field } : {}) }])}::jsonb`,
    );
  if (query.notUndone) parts.push(sql`is_undone = false`);
  return sql`${sql.join(parts, sql` AND `)}`;
};
export async function findRows(db: Db, id: number, query: RowQuery): Promise<{ rows: StoredRow[]; count: number }> {
  const where = rowConditions(id, query);
  const [
    { rows },
    {
      rows: [counted],
    },
  ] = await Promise.all([
    sql<StoredRow>`SELECT row_number AS row, outcome, code, device_id AS "deviceId", problems, changes,
      is_undone AS undone FROM import_row
      WHERE ${where} AND row_number > ${query.after ?? 0} ORDER BY row_number LIMIT ${query.size ?? 100}`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n FROM import_row WHERE ${where}`.execute(db),
  ]);
  return { rows, count: counted?.n ?? 0 };
}
export async function countProblems(
  db: Db,
  id: number,
): Promise<{ field: string; rule: string; params: Record<string, string | number> | null; rows: number }[]> {
  const { rows } = await sql<{
    field: string;
    rule: string;
    params: Record<string, string | number> | null;
    rows: number;
  }>`SELECT p ->> 'field' AS field, p ->> 'rule' AS rule, (array_agg(p -> 'params'))[1] AS params, count(*)::int AS rows
    FROM import_row r, jsonb_array_elements(r.problems) p WHERE r.import_id = ${id} AND r.outcome = 'error'
      GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 100`.execute(db);
  return rows;
}

/** Problems of failed rows by row number, for the workbook. */
export async function failedFrom(
  db: Db,
  id: number,
  after: number,
  limit: number,
): Promise<{ row: number; problems: readonly RowProblem[] }[]> {
  const { rows } = await sql<{
    row: number;
    problems: RowProblem[];
  }>`SELECT row_number AS row, problems FROM import_row WHERE import_id = ${id} AND outcome = 'error'
    AND row_number > ${after} ORDER BY row_number LIMIT ${limit}`.execute(db);
  return rows;
}

export async function deleteImport(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('import').where('id', '=', id).execute();
}

/** Whether rows that are to be written lie outside of these work areas. */
export async function touchesOthers(tx: Transaction, id: number, areas: readonly number[]): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM import_row WHERE import_id = ${id} AND outcome IN ('new', 'update')
      AND NOT (work_area_id = ANY(${[...areas]}::bigint[])) LIMIT 1`.execute(tx);
  return rows.length > 0;
}
