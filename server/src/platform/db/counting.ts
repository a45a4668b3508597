import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from './database.ts';

/** Lists are counted exactly up to here (specified 10.9). */
const exactUpTo = 10_000;

/**
 * How many rows a query gives (`SELECT 1 FROM … WHERE …`): exact up to 10,000; above, what the planner expects of
 * `estimate`, or of the query itself.
 */
export async function countRows(
  db: Db,
  rows: RawBuilder<unknown>,
  estimate: RawBuilder<unknown> = rows,
): Promise<Counted> {
  const {
    rows: [counted],
  } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (${rows} LIMIT ${exactUpTo + 1}) AS counted`.execute(db);
  const n = counted?.n ?? 0;
  if (n <= exactUpTo) return { count: n, exact: true };
  const {
    rows: [plan],
  } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`EXPLAIN (FORMAT JSON) ${estimate}`.execute(db);
  return { count: Math.max(n, plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? n), exact: false };
}

export interface Counted {
  readonly count: number;
  readonly exact: boolean;
}
export interface RowCounter {
  /** Exact up to 10,000, above that an estimate. */
  about(rows: RawBuilder<unknown>): Promise<Counted>;
  /** All of them, as they were at most ten seconds ago. */
  all(rows: RawBuilder<unknown>): Promise<number>;
}
/** How long a number above 10,000 is cached (ms); smaller ones are always counted. */
const goodFor = 10_000;
const mostKept = 200;

/** Counts as `countRows` does. Large numbers are cached for ten seconds, so that turning pages does not count again. */
export function createRowCounter({ db, clock }: { readonly db: Db; readonly clock: Clock }): RowCounter {
  const kept = new Map<string, { readonly count: number; readonly whole: boolean; readonly until: number }>();
  async function remembered(
    rows: RawBuilder<unknown>,
    whole: boolean,
    count: () => Promise<Counted>,
  ): Promise<Counted> {
    const now = clock.now().getTime();
    const { sql: text, parameters } = rows.compile(db);
    const asked = JSON.stringify([text, parameters]);
    const known = kept.get(asked);
    if (known && known.until > now && (known.whole || !whole)) return { count: known.count, exact: false };
    const counted = await count();
    kept.delete(asked);
    if (kept.size >= mostKept) kept.clear();
    if (counted.count > exactUpTo) kept.set(asked, { count: counted.count, whole, until: now + goodFor });
    return counted;
  }
  return {
    about: (rows) => remembered(rows, false, () => countRows(db, rows)),
    all: async (rows) =>
      (
        await remembered(rows, true, async () => {
          const {
            rows: [counted],
          } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (${rows}) AS counted`.execute(db);
          return { count: counted?.n ?? 0, exact: false };
        })
      ).count,
  };
}

/** What a list says of its count. */
export const countOf = ({ count, exact }: Counted): { recordsTotal: number; recordsTotalExact?: false } => ({
  recordsTotal: count,
  ...(exact ? {} : { recordsTotalExact: false }),
});

/** A LIKE pattern that finds `part` anywhere. */
export const contains = (part: string): string => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
