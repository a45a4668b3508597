import { sql, type ExpressionBuilder, type Updateable } from 'kysely';
import type { BaseMapTable, DB } from '../../platform/db/tables.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

const columns = [
  'id',
  'kind',
  'name',
  'style',
  'address',
  'file',
  'key',
  'system',
  'format',
  'min_zoom',
  'max_zoom',
  'tile_size',
  'attribution',
  'allow_private',
  'is_enabled',
  'is_default',
  'position',
  'version',
] as const;
const fileColumns = ['name', 'file_name', 'bytes', 'format', 'min_zoom', 'max_zoom', 'bounds', 'attribution'] as const;

export type BaseMapRow = Awaited<ReturnType<typeof findAll>>[number];
export type FileRow = Awaited<ReturnType<typeof findFiles>>[number];
export type BaseMapValues = Omit<Updateable<BaseMapTable>, 'id' | 'version' | 'created_at' | 'updated_at' | 'position'>;

/** In the order in which they are offered. */
export const findAll = (db: Db | Transaction) =>
  db.selectFrom('base_map').select(columns).orderBy('position').orderBy('id').execute();

export const findById = (db: Db | Transaction, id: number) =>
  db.selectFrom('base_map').select(columns).where('id', '=', id).executeTakeFirst();

export const findFiles = (db: Db | Transaction, names: readonly string[]) =>
  db
    .selectFrom('base_map_file')
    .select(fileColumns)
    .where('name', 'in', ['', ...names])
    .execute();

/** One change at a time: order and default are the whole list's. */
export async function lockAll(tx: Transaction): Promise<void> {
  await sql`LOCK TABLE base_map IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
}

export async function takeDefault(tx: Transaction, except: number): Promise<void> {
  await tx
    .updateTable('base_map')
    .set((row) => ({ is_default: false, version: row('version', '+', 1) }))
    .where('is_default', '=', true)
    .where('id', '<>', except)
    .execute();
}

export const insert = (tx: Transaction, kind: string, values: BaseMapValues) =>
  tx
    .insertInto('base_map')
    .values((row) => ({
      ...values,
      kind,
      position: row.selectFrom('base_map').select(sql<number>`coalesce(max(position), 0) + 1`.as('next')),
    }))
    .returning(columns)
    .executeTakeFirstOrThrow();

export const update = (tx: Transaction, id: number, values: BaseMapValues) =>
  tx
    .updateTable('base_map')
    .set((row) => ({ ...values, version: row('version', '+', 1), updated_at: sql<Date>`now()` }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

export const remove = (tx: Transaction, id: number) => tx.deleteFrom('base_map').where('id', '=', id).execute();

export async function order(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`UPDATE base_map SET position = o.at FROM unnest(${ids as number[]}::bigint[]) WITH ORDINALITY AS o(id, at)
    WHERE base_map.id = o.id`.execute(tx);
}

export const noteFile = (
  tx: Transaction,
  row: {
    name: string;
    file_name: string;
    bytes: number;
    format: string;
    min_zoom: number;
    max_zoom: number;
    bounds: string;
    attribution: string | null;
  },
) =>
  tx
    .insertInto('base_map_file')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ file_name: row.file_name, created_at: sql<Date>`now()` }),
    )
    .returning(fileColumns)
    .executeTakeFirstOrThrow();

const unused = ({ not, exists, selectFrom }: ExpressionBuilder<DB, 'base_map_file'>) =>
  not(exists(selectFrom('base_map').select('base_map.id').whereRef('base_map.file', '=', 'base_map_file.name')));
const named = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name);

/** Forgets an archive that a base map had, unless another one has it too; returns its name then. Under `lockAll`. */
export const forgetFile = async (tx: Transaction, name: string): Promise<string[]> =>
  named(await tx.deleteFrom('base_map_file').where('name', '=', name).where(unused).returning('name').execute());

/**
 * Forgets archives uploaded before a time that no base map uses; returns their names. Under `lockAll`, so that none is
 * just being put to use.
 */
export const forgetUnused = async (tx: Transaction, before: Date): Promise<string[]> =>
  named(
    await tx.deleteFrom('base_map_file').where('created_at', '<', before).where(unused).returning('name').execute(),
  );

/** The middle (median) of what has a position, else of the work areas; null when nothing has one. */
export async function middleOfSite(db: Db): Promise<{ longitude: number; latitude: number } | null> {
  const { rows } = await sql<{ longitude: number | null; latitude: number | null }>`
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY longitude) AS longitude,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY latitude) AS latitude FROM (
      (SELECT longitude, latitude FROM device WHERE longitude IS NOT NULL AND latitude IS NOT NULL LIMIT 2000)
      UNION ALL (SELECT longitude, latitude FROM work_area WHERE longitude IS NOT NULL AND latitude IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM device WHERE longitude IS NOT NULL LIMIT 1))) AS places`.execute(db);
  const found = rows[0];
  return found?.longitude == null || found.latitude == null
    ? null
    : { longitude: found.longitude, latitude: found.latitude };
}
