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
