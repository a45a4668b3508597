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
  const product = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/') && !file.endsWith('db/locks.ts'));
  expect(product.length).toBeGreaterThan(300);
  // `($1`: a statement of a connection that is no pool's; its parameter comes from the list.
  expect(product.filter((file) => /pg_\w*advisory\w*lock\w*\((?!\$1)/.test(readFileSync(join(source, file), 'utf8')))).toEqual([]);
});
