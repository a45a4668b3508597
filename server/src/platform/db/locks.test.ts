import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockNumbers } from './locks.ts';

const source = join(import.meta.dirname, '../..');

test('each advisory lock has a number of its own', () => {
  const numbers = Object.values(lockNumbers);
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
});

test('an advisory lock is named in the list, and nowhere by a number or a text', () => {
  const product = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/') && !file.endsWith('db/locks.ts'),
  );
  expect(product.length).toBeGreaterThan(300);
  const named = product.filter((file) => /pg_\w*advisory\w*lock/.test(readFileSync(join(source, file), 'utf8')));
  // Connections that are no pool's take theirs by a parameter, from the list.
  expect(named.toSorted()).toEqual(['platform/db/embedded.ts', 'platform/db/migrate.ts', 'platform/leases/claim.ts']);
  expect(
    named.filter((file) => /pg_\w*advisory\w*lock\w*\((?:\d|\$\{)/.test(readFileSync(join(source, file), 'utf8'))),
  ).toEqual([]);
});

test('the locks that migrations name are those of the list', () => {
  const folder = join(source, '../migrations');
  const named = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/advisory\w*\((\d+)/g)].map(([, number]) => Number(number)),
  );
  expect(named).toEqual([lockNumbers.openHours]);
});
