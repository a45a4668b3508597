import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { families } from '../../../../catalogue/families/index.ts';
import { records } from '../../../../catalogue/records/index.ts';
import { accessOfList, savedViewLists } from './lists.ts';

const source = join(import.meta.dirname, '../../../../console/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .map((file) => readFileSync(join(source, file), 'utf8'));

/** The names behind an expression that the console gives a list as its name. */
const named: Readonly<Record<string, readonly string[]>> = {
  name: [],
  'kind.name': ['schemes', 'templates'],
  'source.key': [...families, ...records].map(({ key }) => key),
  '`logs/${kind}`': ['logs/login', 'logs/operation'],
};
/** Lists inside a page about something else: they have no views. */
const withoutViews = [
  '`expiries-${field}`',
  'command-items',
  'command-paces',
  'controller-statistics',
  'night-lamps',
  'publication-lamps',
  'read-items',
];
const asNames = (expression: string): readonly string[] =>
  named[expression] ?? [...expression.matchAll(/'([^']*)'(?= :|$)/g)].map(([, name]) => name ?? '');

/** Every list names itself first, with a text or an expression. */
const list = /<(?:ListFrame(?:<\w+>)?|Decided<\w+>|TaskList(?=\s+name=))\s+name=(?:"([^"]*)"|\{(.*)\})$/gm;
const lists = files.flatMap((text) =>
  [...text.matchAll(list)].flatMap(([, name, expression]) =>
    name === undefined
      ? withoutViews.includes(expression ?? '')
        ? [expression ?? '']
        : asNames(expression ?? '')
      : [name],
  ),
);

test('the names of all lists of the console are found', () => {
  const frames = files.flatMap((text) => text.match(/<ListFrame</g) ?? []);
  const read = files.flatMap((text) => text.match(/<ListFrame<\w+>\s+name=/g) ?? []);
  expect(read.length).toBeGreaterThan(15);
  expect(read).toHaveLength(frames.length);
});

test('views are kept for every list page of the console, and for nothing else', () => {
  expect([...new Set(lists)].filter((name) => !withoutViews.includes(name)).toSorted()).toEqual(
    savedViewLists.toSorted(),
  );
  expect(withoutViews.filter((name) => !lists.includes(name))).toEqual([]);
  expect(withoutViews.filter((name) => accessOfList(name) !== undefined)).toEqual([]);
});
