import { sql } from 'kysely';
import { takeLockOf, type Db, type Transaction } from '../db/index.ts';
import type { Files } from './files.ts';

const dayMs = 86_400_000;
interface Parts {
  readonly db: Db;
  readonly files: Files;
}

/**
 * Until the transaction ends the file is not deleted. A transaction that writes its name into a row checks afterwards
 * that the file is still there.
 */
export async function lockFile(tx: Transaction, name: string): Promise<void> {
  await takeLockOf(tx, 'file', name);
}

/**
 * Takes away those files that no row has (view `kept_file`): the same bytes may be an export, an import and an
 * attachment at once.
 */
export async function removeUnkept({ db, files }: Parts, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    // Under the lock, so that nobody notes the name between the look and the removal.
    await db.transaction().execute(async (tx) => {
      await lockFile(tx, name);
      const { rows } = await sql`SELECT 1 FROM kept_file WHERE name = ${name} LIMIT 1`.execute(tx);
      if (rows.length === 0) await files.remove(name);
    });
  }
}

/**
 * Takes away every file older than a day that no row has: what a crash between a file and its row left. Returns how
 * many.
 */
export async function sweepUnkept(parts: Parts, now: Date): Promise<number> {
  let removed = 0;
  for await (const names of parts.files.names(new Date(now.getTime() - dayMs))) {
    const { rows } = await sql<{
      name: string;
    }>`SELECT name FROM unnest(${names}::text[]) AS n(name)
      WHERE NOT EXISTS (SELECT 1 FROM kept_file k WHERE k.name = n.name)`.execute(parts.db);
    await removeUnkept(
      parts,
      rows.map(({ name }) => name),
    );
    removed += rows.length;
  }
  return removed;
}
