import { join } from 'node:path';
import pg from 'pg';

/**
 * A connection to the embedded database of a product that runs, by its socket: for filling it, and for measuring bare
 * SQL.
 */
export async function productDatabase(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: join(dataDir, 'postgres/run'),
    port: 5432,
    user: 'lampyris',
    database: 'lampyris',
  });
  await client.connect();
  return client;
}

/** Does some work on a table without its indexes, and makes them again: a million rows otherwise take minutes. */
export async function withoutIndexes(database: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await database.query<{ name: string; statement: string }>(
    `SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS statement FROM pg_index i
      WHERE i.indrelid = $1::regclass AND NOT i.indisunique`,
    [table],
  );
  await database.query("SET maintenance_work_mem = '1GB'");
  for (const { name } of rows) await database.query(`DROP INDEX ${name}`);
  await work();
  for (const { statement } of rows) await database.query(statement);
}
