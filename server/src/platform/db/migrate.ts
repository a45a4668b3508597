import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { StartError, reasonOf } from '../start-error.ts';
import { lockNumbers } from './locks.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
}

/** Where a database stands beside the migrations of this program. */
export interface DatabaseState {
  readonly applied: number;
  /** The last one that ran; undefined in a database without a site. */
  readonly newest: { readonly name: string; readonly appliedAt: Date } | undefined;
  /** What a start would run, in order, with what each file says of itself in its first comment. */
  readonly pending: readonly { readonly name: string; readonly purpose: string }[];
}

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The numbered SQL files of `folder` in order; throws when a number is missing or used twice. */
export function readMigrations(folder: string = migrationsFolder): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return names.map((name, index) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (number !== index + 1)
      throw new Error(`server/migrations/${name}: expected number ${String(index + 1).padStart(4, '0')}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Brings the database up to the newest migration; returns how many were run. Each runs in a transaction of its own that
 * also records it, all under one lock, so that a kill at any moment and several programs starting at once leave it
 * whole. Throws StartError when the database is newer than the program or a migration was edited after it ran.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<number> {
  await client.query('SELECT pg_advisory_lock($1)', [lockNumbers.migrations]);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<Applied>('SELECT number, name, checksum FROM schema_migration ORDER BY number');
    refuseStrangers(rows, migrations);
    const missing = migrations.slice(rows.length);
    for (const migration of missing) await runOne(client, migration);
    return missing.length;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lockNumbers.migrations]).catch(() => undefined);
  }
}

/**
 * Throws StartError unless the database is as this program's migrations make it; changes nothing. For what works beside
 * a server that may be another version.
 */
export async function refuseOtherState(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<0> {
  const rows = await readApplied(client);
  refuseStrangers(rows, migrations);
  if (rows.length === 0) throw new StartError('There is no site in this database yet: start the program once.');
  if (rows.length < migrations.length) {
    throw new StartError(
      `The database is that of an older program: it has ${rows.length} migrations, this program ${migrations.length}. Run this command in the checkout of that program, or start this one first: only a start changes the database.`,
    );
  }
  return 0;
}

/**
 * What a start of this program would run; changes nothing and waits for no lock, so it may be asked beside a running
 * server. Throws StartError as `migrate` does.
 */
export async function pendingMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<DatabaseState> {
  const rows = await readApplied(client);
  refuseStrangers(rows, migrations);
  const newest = rows.at(-1);
  return {
    applied: rows.length,
    newest: newest && { name: newest.name, appliedAt: newest.applied_at },
    pending: migrations.slice(rows.length).map(({ name, sql }) => ({ name, purpose: purposeOf(name, sql) })),
  };
}

/** The comment that a file begins with, on one line; the words of its name where it begins otherwise. */
function purposeOf(name: string, sql: string): string {
  const [comment = ''] = /^(?:--.*\n)*/.exec(sql) ?? [];
  const lines = comment.split('\n').map((line) => line.replace(/^--\s*/, '').trim());
  const text = lines.filter((line) => line !== '').join(' ');
  return text || name.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' ');
}

type Applied = Pick<Migration, 'number' | 'name' | 'checksum'>;

/** The rows of the migrations that ran; none in a database without a site. */
async function readApplied(client: pg.ClientBase): Promise<(Applied & { applied_at: Date })[]> {
  const {
    rows: [found],
  } = await client.query<{ there: boolean }>(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS there`);
  if (!found?.there) return [];
  const { rows } = await client.query<Applied & { applied_at: Date }>(
    'SELECT number, name, checksum, applied_at FROM schema_migration ORDER BY number',
  );
  return rows;
}

function refuseStrangers(done: readonly Applied[], known: readonly Migration[]): void {
  const newest = done.at(-1);
  if (newest && newest.number > known.length) {
    throw new StartError(
      `The database is newer than this program: it has migration ${newest.number} (${newest.name}), the program knows ${known.length}. Start the newer program.`,
    );
  }
  for (const [index, row] of done.entries()) {
    const migration = known[index];
    if (migration?.number !== row.number || migration.checksum !== row.checksum) {
      throw new StartError(
        `Migration ${row.name} was changed after it ran on this database: restore the file, or start with an empty database.`,
      );
    }
  }
}

async function runOne(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new StartError(`Migration ${migration.name} failed: ${reasonOf(thrown)}`, { cause: thrown });
  }
}
