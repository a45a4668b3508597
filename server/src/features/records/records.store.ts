import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FieldValue, MasterRecord } from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A row of any record's table; its own fields are further columns. Table and column names come from the catalogue only. */
export interface StoredRecord {
  readonly id: number; readonly version: number; readonly created_at: Date; readonly updated_at: Date;
  readonly work_name: string | null; readonly area_id: number; readonly visible: boolean;
  readonly [column: string]: unknown;
}

const columnsOf = (record: MasterRecord) => sql.join(record.fields.map((field) => sql.ref(`t.${field.column ?? ''}`)));
const from = (record: MasterRecord) => sql`FROM ${sql.table(record.table)} t LEFT JOIN work_area a ON a.id = ${sql.ref(`t.${record.areaColumn}`)}`;
const select = (record: MasterRecord, visible: RawBuilder<unknown>) => sql`SELECT ${columnsOf(record)}, t.id, t.version, t.created_at, t.updated_at,
  ${sql.ref(`t.${record.areaColumn}`)} AS area_id, a.work_name AS work_name, ${visible} AS visible ${from(record)}`;

export async function findPage(db: Db, record: MasterRecord, where: RawBuilder<SqlBool>, order: RawBuilder<unknown>, page: { limit: number; offset: number }): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`${select(record, sql`true`)} WHERE ${where} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  return rows;
}

export async function countAll(db: Db, record: MasterRecord, where: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n ${from(record)} WHERE ${where}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function findOne(db: Db | Transaction, record: MasterRecord, id: number, visible: RawBuilder<SqlBool>, lock = false): Promise<StoredRecord | undefined> {
  const { rows } = await sql<StoredRecord>`${select(record, visible)} WHERE t.id = ${id} ${lock ? sql`FOR UPDATE OF t` : sql``}`.execute(db);
  return rows[0];
}

export async function insertOne(tx: Transaction, record: MasterRecord, values: Readonly<Record<string, FieldValue>>): Promise<number> {
  const names = Object.keys(values);
  const { rows } = await sql<{ id: number }>`INSERT INTO ${sql.table(record.table)} (${sql.join(names.map((name) => sql.ref(name)))})
    VALUES (${sql.join(names.map((name) => values[name]))}) RETURNING id`.execute(tx);
  return rows[0]?.id ?? 0;
}

export async function updateOne(tx: Transaction, record: MasterRecord, id: number, values: Readonly<Record<string, FieldValue>>): Promise<void> {
  const sets = Object.entries(values).map(([name, v]) => sql`${sql.ref(name)} = ${v}`);
  await sql`UPDATE ${sql.table(record.table)} SET ${sql.join([...sets, sql`version = version + 1`, sql`updated_at = now()`])} WHERE id = ${id}`.execute(tx);
}

export const deleteOne = async (tx: Transaction, record: MasterRecord, id: number): Promise<void> => {
  await sql`DELETE FROM ${sql.table(record.table)} WHERE id = ${id}`.execute(tx);
};

/** How many rows of each kind hang on a record; only those that do. */
export async function countUses(db: Db | Transaction, record: MasterRecord, id: number): Promise<{ what: string; count: number }[]> {
  const parts = record.usedBy.map((use) => sql`SELECT ${use.text}::text AS what, count(*)::int AS count FROM ${sql.table(use.table)} WHERE ${sql.ref(use.column)} = ${id}`);
  const { rows } = await sql<{ what: string; count: number }>`${sql.join(parts, sql` UNION ALL `)}`.execute(db);
  return rows.filter((row) => row.count > 0);
}
