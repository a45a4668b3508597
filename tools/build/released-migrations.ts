import { join } from 'node:path';
import { migrationsFolder, type Migration } from '../../server/src/platform/db/migrate.ts';

/** A line for each released migration: its checksum (line ends as on Linux) and its name. */
export const releasedFile = join(migrationsFolder, 'released.txt');

function read(listed: string): { checksum: string; name: string }[] {
  return listed
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [checksum = '', name = ''] = line.split('  ');
      return { checksum, name };
    });
}

/** What was changed or taken away of what is released, one line each, with what to do. */
export function releasedProblems(listed: string, migrations: readonly Migration[]): string[] {
  const now = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  return read(listed).flatMap(({ name, checksum }) => {
    const found = now.get(name);
    if (found === checksum) return [];
    return [
      `server/migrations/${name} was ${found === undefined ? 'taken away' : 'changed'} after its release, and databases that ran it would be refused: git checkout it, and write what you want as a new migration.`,
    ];
  });
}

/** The list with the migrations that are not in it yet. */
export function releasedWith(listed: string, migrations: readonly Migration[]): string {
  const known = new Set(read(listed).map(({ name }) => name));
  return (
    listed +
    migrations
      .filter(({ name }) => !known.has(name))
      .map(({ name, checksum }) => `${checksum}  ${name}\n`)
      .join('')
  );
}
