import type { DatabaseState } from './platform/db/index.ts';
import { StartError } from './platform/start-error.ts';

export const migrateUsage =
  'npm run admin -- migrate --dry-run           lists what the next start would change in the database; exit 2 when there is something';

/** Exit code of a dry run that found migrations: 1 is an error, 0 a database that is up to date. */
export const pendingExitCode = 2;

/** Throws StartError unless `words` ask for the dry run: only a start changes a database. */
export function checkMigrateWords(words: readonly string[]): void {
  if (words.length !== 1 || words[0] !== '--dry-run')
    throw new StartError(`Only a start of the program changes the database.\n${migrateUsage}`);
}

/** What an operator reads of the state, a line each. */
export function migrationLines({ applied, pending, newest }: DatabaseState): string[] {
  const stands = newest
    ? `The database has ${applied} migrations, the newest is ${newest.name} (${newest.appliedAt.toISOString()}).`
    : 'The database is empty.';
  if (pending.length === 0) return [stands, 'Nothing is pending: a start of this program changes nothing in it.'];
  return [
    stands,
    `${pending.length} pending, in this order:`,
    ...pending.map(({ name, purpose }) => `  ${name}\n      ${purpose}`),
    'Nothing was changed. The next start of this program runs them, each in a transaction of its own; an older program refuses the database from then on.',
    'Back up before: npm run admin -- backup <file>',
  ];
}
