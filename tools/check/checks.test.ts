import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { familyKeys } from './family-keys.ts';
import { sqlPlaces } from './sql-places.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A project of these files alone. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-check-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}
/** What a check says of the files of a project; the rest is of exceptions that do not occur in it. */
const found = (problems: readonly string[]): string[] =>
  problems.flatMap((line) => /^(?!tools\/)\S+:\d+/.exec(line)?.[0] ?? []);

test('a family is found by its name in texts, SQL, unions, keys and constants of the catalogue', () => {
  const folder = projectOf({
    'catalogue/lighting/families.ts': `export const lampFamily = 'single-lamp-controller';`,
    'server/src/a.ts': [
      `import { lampFamily, other } from '../../catalogue/lighting/families.ts';`,
      'export type Kind = "wifi" | "x";',
      "export const query = `SELECT 1 WHERE family = 'trash-can' AND ${1}`;",
      `export const byFamily = { 'charging-pile': 1, gateway: 2 };`,
      `export const word = 'a gateway speaks'; // 'manhole-cover'`,
    ].join('\n'),
    'server/src/a.test.ts': `export const key = 'wifi';`,
    'simulator/city/poles.ts': `export const key = 'wifi';`,
  });
  expect(found(familyKeys(folder))).toEqual([1, 2, 3, 4].map((line) => `server/src/a.ts:${line}`));
});

test('SQL is found outside stores, and in a route whatever a list says', () => {
  const folder = projectOf({
    'server/src/a.service.ts': `import { sql, type RawBuilder } from 'kysely';`,
    'server/src/b.routes.ts': `\nexport const read = (db) => db.selectFrom('device');`,
    'server/src/c.store.ts': `import { sql } from 'kysely';`,
    'server/src/d.query.ts': `import { sql } from 'kysely';`,
    'server/src/e.ts': `import type { RawBuilder } from 'kysely';`,
    'server/src/platform/f.ts': `import { sql } from 'kysely';`,
  });
  expect(found(sqlPlaces(folder)).toSorted()).toEqual(['server/src/a.service.ts:1', 'server/src/b.routes.ts:2']);
});

test('an exception that does not occur any more is a problem', () => {
  const folder = projectOf({ 'server/src/a.ts': '' });
  expect(familyKeys(folder)).toContain(
    'tools/check/family-keys.exceptions.ts: console/src/parts/icons/pickable.ts wifi does not occur any more',
  );
  expect(sqlPlaces(folder)).toContain(
    'tools/check/sql-places.exceptions.ts: server/src/people/sign-in/locks.ts holds no SQL any more',
  );
});
