import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A stored appearance; an absent name or title is the product's own in the reader's language. */
export interface AppearanceRow {
  readonly id: number;
  readonly version: number;
  readonly host: string | null;
  readonly company: boolean;
  readonly name: string | null;
  readonly title: string | null;
  readonly logo: string | null;
  readonly icon: string | null;
}
export type AppearanceValues = Partial<Omit<AppearanceRow, 'id' | 'version'>>;

const columns = ['id', 'version', 'host', 'company', 'name', 'title', 'logo', 'icon'] as const;

/** The general one first, then by host name. */
export const findAll = (db: Db): Promise<AppearanceRow[]> =>
  db
    .selectFrom('login_appearance')
    .select(columns)
    .orderBy(sql`lower(host)`, (order) => order.asc().nullsFirst())
    .execute();

export const findById = (db: Db | Transaction, id: number): Promise<AppearanceRow | undefined> =>
  db.selectFrom('login_appearance').select(columns).where('id', '=', id).executeTakeFirst();

/** The one of the first of these host names (lower case) that has one, else the general one. */
export async function findForHost(db: Db, hosts: readonly string[]): Promise<AppearanceRow | undefined> {
  const { rows } = await sql<AppearanceRow>`
    SELECT id, version, host, company, name, title, logo, icon FROM login_appearance
    WHERE lower(host) = ANY(${hosts as string[]}) OR id = 1
    ORDER BY array_position(${hosts as string[]}::text[], lower(host)) NULLS LAST LIMIT 1`.execute(db);
  return rows[0];
}

/** Whether another appearance than `except` is for this host. */
export const isTaken = async (tx: Db | Transaction, host: string, except: number): Promise<boolean> =>
  (await tx
    .selectFrom('login_appearance')
    .select('id')
    .where('host', '=', host)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined;

/** One change at a time: the company's mark is taken from one row and given to another. */
export async function lockAll(tx: Transaction): Promise<void> {
  await sql`LOCK TABLE login_appearance IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
}

export async function takeCompanyMark(tx: Transaction, except: number): Promise<void> {
  await tx
    .updateTable('login_appearance')
    .set((row) => ({ company: false, version: row('version', '+', 1) }))
    .where('company', '=', true)
    .where('id', '<>', except)
    .execute();
}

export const insert = (tx: Transaction, values: AppearanceValues): Promise<AppearanceRow> =>
  tx.insertInto('login_appearance').values(values).returning(columns).executeTakeFirstOrThrow();

export const update = (tx: Transaction, id: number, values: AppearanceValues): Promise<AppearanceRow> =>
  tx
    .updateTable('login_appearance')
    .set((row) => ({ ...values, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

export async function remove(tx: Transaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('login_appearance').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}
