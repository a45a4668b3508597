import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FieldValue, Language, MasterRecord, Values } from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { searchWords } from '../../platform/search-words.ts';
import { codeColumn, joinedIn, nameColumn } from './records.query.ts';

/**
 * A row of any record's table; its own fields are further columns. Table and column names come from the catalogue only.
 */
export interface StoredRecord {
  readonly id: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** What its references are called, by field. */
  readonly labels: Readonly<Record<string, string | null>>;
  readonly visible: boolean;
  readonly [column: string]: unknown;
}

const columnsOf = (record: MasterRecord) => sql.join(record.fields.map((field) => sql.ref(`t.${field.column ?? ''}`)));
const from = (record: MasterRecord) =>
  sql`FROM ${sql.table(record.table)} t ${sql.join(
    joinedIn(record).map(
      ({ field, table, alias }) =>
        sql`LEFT JOIN ${sql.table(table)} ${sql.ref(alias)}
          ON ${sql.ref(`${alias}.id`)} = ${sql.ref(`t.${field.column ?? ''}`)}`,
    ),
    sql` `,
  )}`;
const labelsOf = (record: MasterRecord, language: Language) =>
  sql`jsonb_build_object(${sql.join(
    joinedIn(record).flatMap(({ field, called }) => [sql`${field.key}::text`, called(language)]),
  )})`;
const select = (
  record: MasterRecord,
  language: Language,
  visible: RawBuilder<unknown>,
) => sql`SELECT ${columnsOf(record)}, t.id, t.version, t.created_at, t.updated_at,
  ${joinedIn(record).length === 0 ? sql`'{}'::jsonb` : labelsOf(record, language)} AS labels,
    ${visible} AS visible ${from(record)}`;

export interface Asked {
  readonly where: RawBuilder<SqlBool>;
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
  readonly offset: number;
}
export async function findPage(
  db: Db,
  record: MasterRecord,
  language: Language,
  { where, order, limit, offset }: Asked,
): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`${select(record, language, sql`true`)} WHERE ${where} ORDER BY ${order}
      LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}

export async function countAll(db: Db, record: MasterRecord, where: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n ${from(record)} WHERE ${where}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function findOne(
  db: Db | Transaction,
  record: MasterRecord,
  language: Language,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<StoredRecord | undefined> {
  const { rows } = await sql<StoredRecord>`${select(record, language, visible)}
      WHERE t.id = ${id} ${lock ? sql`FOR UPDATE OF t` : sql``}`.execute(db);
  return rows[0];
}

export async function insertOne(
  tx: Transaction,
  record: MasterRecord,
  values: Readonly<Record<string, FieldValue>>,
): Promise<number> {
  const names = Object.keys(values);
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO ${sql.table(record.table)} (${sql.join(names.map((name) => sql.ref(name)))})
    VALUES (${sql.join(names.map((name) => values[name]))}) RETURNING id`.execute(tx);
  const id = rows[0]?.id ?? 0;
  await keepWords(tx, record, id);
  return id;
}

/** What the global search finds the row by, if it finds such rows. */
async function keepWords(tx: Transaction, record: MasterRecord, id: number): Promise<void> {
  if (!record.searched) return;
  const { rows } = await sql<{
    code: string;
    name: string;
  }>`SELECT ${sql.ref(codeColumn(record))} AS code, ${sql.ref(nameColumn(record))} AS name
    FROM ${sql.table(record.table)} WHERE id = ${id}`.execute(tx);
  const words = await searchWords(rows[0]?.code ?? null, rows[0]?.name ?? null);
  await sql`UPDATE ${sql.table(record.table)} SET search_words = ${words} WHERE id = ${id}`.execute(tx);
}

export async function updateOne(
  tx: Transaction,
  record: MasterRecord,
  id: number,
  values: Readonly<Record<string, FieldValue>>,
): Promise<void> {
  const sets = Object.entries(values).map(([name, v]) => sql`${sql.ref(name)} = ${v}`);
  await sql`UPDATE ${sql.table(record.table)}
    SET ${sql.join([...sets, sql`version = version + 1`, sql`updated_at = now()`])} WHERE id = ${id}`.execute(tx);
  await keepWords(tx, record, id);
}

export const deleteOne = async (tx: Transaction, record: MasterRecord, id: number): Promise<void> => {
  await sql`DELETE FROM ${sql.table(record.table)} WHERE id = ${id}`.execute(tx);
};

/** How many rows of each kind hang on a record; only those that do. */
export async function countUses(
  db: Db | Transaction,
  record: MasterRecord,
  id: number,
): Promise<{ what: string; count: number }[]> {
  if (record.usedBy.length === 0) return [];
  const parts = record.usedBy.map(
    (use) =>
      sql`SELECT ${use.text}::text AS what, count(*)::int AS count FROM ${sql.table(use.table)}
        WHERE ${sql.ref(use.column)} = ${id}`,
  );
  const { rows } = await sql<{ what: string; count: number }>`${sql.join(parts, sql` UNION ALL `)}`.execute(db);
  return rows.filter((row) => row.count > 0);
}

/** Which of these references point at nothing: `wanted` by field. */
export async function findMissing(
  tx: Db | Transaction,
  record: MasterRecord,
  wanted: Readonly<Record<string, FieldValue | undefined>>,
): Promise<string[]> {
  const asked = joinedIn(record).filter(({ field }) => typeof wanted[field.key] === 'number');
  if (asked.length === 0) return [];
  const parts = asked.map(
    ({ field, table, family }) =>
      sql`SELECT ${field.key}::text AS key
        WHERE NOT EXISTS (SELECT FROM ${sql.table(table)}
        WHERE id = ${wanted[field.key]} ${family === null ? sql`` : sql`AND family = ${family}`})`,
  );
  const { rows } = await sql<{ key: string }>`${sql.join(parts, sql` UNION ALL `)}`.execute(tx);
  return rows.map(({ key }) => key);
}

/** Whether another row has this code, within what codes of the record are unique in. */
export async function isCodeTaken(db: Db, record: MasterRecord, values: Values, id: number | null): Promise<boolean> {
  const [code, within] = [values[record.codeField], record.codeWithin === undefined ? null : values[record.codeWithin]];
  if (typeof code !== 'string' || within === undefined) return false;
  const column = record.fields.find(({ key }) => key === record.codeWithin)?.column;
  const { rows } = await sql`SELECT 1 FROM ${sql.table(record.table)}
      WHERE lower(normalize(${sql.ref(codeColumn(record))}, NFKC)) = lower(normalize(${code}, NFKC))
    ${column ? sql`AND ${sql.ref(column)} = ${within}` : sql``} AND id IS DISTINCT FROM ${id}`.execute(db);
  return rows.length > 0;
}

/**
 * The work area of a device of a family, which in a transaction stays as it is until that ends; undefined: there is
 * none.
 */
export async function areaOfDevice(tx: Db | Transaction, family: string, id: number): Promise<number | undefined> {
  const { rows } = await sql<{
    area: number;
  }>`SELECT work_area_id AS area FROM device WHERE id = ${id}
    AND family = ${family} ${tx.isTransaction ? sql`FOR SHARE` : sql``}`.execute(tx);
  return rows[0]?.area;
}
