import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/** Lists are counted exactly up to here (decisions 2). */
const exactUpTo = 10_000;

/** How many rows a query gives (`SELECT 1 FROM … WHERE …`): exact up to 10,000; above, what the planner expects of `estimate`, or of the query itself. */
export async function countRows(db: Db, rows: RawBuilder<unknown>, estimate: RawBuilder<unknown> = rows): Promise<{ count: number; exact: boolean }> {
  const { rows: [counted] } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (${rows} LIMIT ${exactUpTo + 1}) AS counted`.execute(db);
  const n = counted?.n ?? 0;
  if (n <= exactUpTo) return { count: n, exact: true };
  const { rows: [plan] } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`EXPLAIN (FORMAT JSON) ${estimate}`.execute(db);
  return { count: Math.max(n, plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? n), exact: false };
}

/** What a list says of its count. */
export const countOf = ({ count, exact }: { count: number; exact: boolean }): { recordsTotal: number; recordsTotalExact?: false } =>
  ({ recordsTotal: count, ...(exact ? {} : { recordsTotalExact: false }) });

/** A LIKE pattern that finds `part` anywhere. */
export const contains = (part: string): string => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
