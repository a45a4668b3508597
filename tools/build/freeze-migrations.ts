import { readFileSync, writeFileSync } from 'node:fs';
import { readMigrations } from '../../server/src/platform/db/migrate.ts';
import { releasedFile, releasedProblems, releasedWith } from './released-migrations.ts';

/** Before a release: its new migrations join those that are never changed again. */
const listed = readFileSync(releasedFile, 'utf8');
const migrations = readMigrations();
const problems = releasedProblems(listed, migrations);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else {
  writeFileSync(releasedFile, releasedWith(listed, migrations));
}
