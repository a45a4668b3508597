import { sql } from 'kysely';
import { refuse } from '../platform/http/refuse.ts';
import type { SheetKind } from '../platform/sheet/index.ts';

type Rows = Parameters<SheetKind<never>['open']>[0];
const kind = (name: string, rows: (db: Rows) => AsyncIterable<[string][]>): SheetKind<null> => ({
  module: import.meta.url,
  name,
  open: (db) => ({ name, columns: [{ title: 'x', kind: 'text', width: 9 }], rows: rows(db), count: 1 }),
});
/** Text that no packing makes small. */
const noise = (): string => Array.from({ length: 200 }, () => Math.random().toString(36)).join('');

/** Rows without end, which no buffer holds. */
export const endless = kind('endless', async function* () {
  for (;;) yield await Promise.resolve(Array.from({ length: 50 }, (): [string] => [noise()]));
});
/** A query that does not come back. */
export const waiting = kind('waiting', async function* (db) {
  await sql`SELECT pg_sleep(3600)`.execute(db);
  yield [];
});
export const refusing = kind('refusing', async function* () {
  yield await Promise.resolve<[string][]>([['first']]);
  throw refuse('exportTooLarge', { count: 7, limit: 5 });
});
export const broken = kind('broken', async function* (db) {
  await sql`SELECT no_such_column`.execute(db);
  yield [];
});
export const crashing = kind('crashing', async function* () {
  yield await Promise.resolve<[string][]>([['first']]);
  process.exit(3);
});
export const hungry = kind('hungry', async function* () {
  const kept: object[] = [];
  for (;;) {
    for (let i = 0; i < 100_000; i += 1) kept.push({ i });
    yield await Promise.resolve<[string][]>([]);
  }
});
