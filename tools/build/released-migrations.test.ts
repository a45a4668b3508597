import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMigrations } from '../../server/src/platform/db/migrate.ts';
import { releasedFile, releasedProblems, releasedWith } from './released-migrations.ts';

const listed = readFileSync(releasedFile, 'utf8');
const migrations = readMigrations();

test('no released migration was changed or taken away', () => {
  expect(releasedProblems(listed, migrations)).toEqual([]);
  expect(listed).toContain('  0001_foundation.sql\n');
});

test('a change and a removal are named with what to do; a new one is allowed, and joins at the release', () => {
  const [first, second, ...others] = migrations;
  if (!first || !second) throw new Error('there are migrations');
  const fresh = { ...first, number: 9999, name: '9999_fresh.sql', checksum: 'a'.repeat(64) };
  expect(releasedProblems(listed, [{ ...first, checksum: 'other' }, ...others, fresh])).toEqual([
    expect.stringMatching(
      /0001_foundation\.sql was changed after its release.*write what you want as a new migration/,
    ) as string,
    expect.stringMatching(/0002_\w+\.sql was taken away/) as string,
  ]);
  expect(releasedWith(listed, [...migrations, fresh])).toContain(`${fresh.checksum}  9999_fresh.sql\n`);
});
