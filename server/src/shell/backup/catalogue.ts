import pg, { type ClientBase } from 'pg';
import type { ArchivedTable, Manifest } from './manifest.ts';

const ours = `c.relnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')`;
const id = (name: string): string => pg.escapeIdentifier(name);
export const listOf = (names: readonly string[]): string => names.map(id).join(', ');

/**
 * Every table with rows, by name: ordinary ones, and each part of those that are cut by time. The record of migrations
 * writes itself.
 */
export async function tablesOf(client: ClientBase): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(`
    SELECT c.relname AS name,
      ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
      CASE WHEN i.inhparent IS NULL THEN NULL
        ELSE json_build_object('parent', p.relname, 'bound', pg_get_expr(c.relpartbound, c.oid)) END AS "partOf"
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND c.relispartition
      LEFT JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relkind = 'r' AND c.relname <> 'schema_migration' AND ${ours} ORDER BY c.relname COLLATE "C"`);
  return rows;
}

/** Sequences of the program: the numbers they gave out last. */
export async function sequencesOf(client: ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'S' AND ${ours} ORDER BY c.relname COLLATE "C"`,
  );
  const found: Manifest['sequences'] = [];
  for (const { name } of rows) {
    const {
      rows: [value],
    } = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${id(name)}`,
    );
    if (value) found.push({ name, ...value });
  }
  return found;
}

/**
 * Ends what checks rows as they are written, and empties every table. Returns what is to be run after the rows are in.
 */
export async function openForRows(client: ClientBase): Promise<string[]> {
  const { rows: keys } = await client.query<{ off: string; on: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS off,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS on
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.conparentid = 0 AND ${ours}
      ORDER BY k.oid`);
  const { rows: triggers } = await client.query<{ off: string; on: string }>(`
    SELECT DISTINCT format('ALTER TABLE %I DISABLE TRIGGER USER', c.relname) AS off,
      format('ALTER TABLE %I ENABLE TRIGGER USER', c.relname) AS on
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND ${ours} ORDER BY 1`);
  for (const { off } of [...triggers, ...keys]) await client.query(off);
  const existing = await tablesOf(client);
  await client.query(`TRUNCATE ${listOf(existing.map(({ name }) => name))}`);
  for (const { name, partOf } of existing) if (partOf) await client.query(`DROP TABLE ${id(name)}`);
  return [...keys, ...triggers].map(({ on }) => on);
}

/** Makes the parts of tables that an archive has. Returns the names of tables that are there now. */
export async function makeParts(client: ClientBase, tables: readonly ArchivedTable[]): Promise<ReadonlySet<string>> {
  for (const { name, partOf } of tables) {
    if (partOf) await client.query(`CREATE TABLE ${id(name)} PARTITION OF ${id(partOf.parent)} ${partOf.bound}`);
  }
  return new Set((await tablesOf(client)).map(({ name }) => name));
}

export const copyOut = ({ name, columns }: ArchivedTable): string => `COPY ${id(name)} (${listOf(columns)}) TO STDOUT`;
export const copyIn = ({ name, columns }: ArchivedTable): string => `COPY ${id(name)} (${listOf(columns)}) FROM STDIN`;
