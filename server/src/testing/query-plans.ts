import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import type { Db } from '../platform/db/index.ts';
import type { TestDatabase } from './database.ts';

/** What has a plan, also one that is prepared. */
const statement = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with|insert|update|delete)/i;

/** What work asks of the database, and by which plans, as if there were more rows than there are. */
export function queryPlans({ db, pool }: Pick<TestDatabase, 'db' | 'pool'>) {
  const asked: CompiledQuery[] = [];
  const listening: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  });
  /** It is run once more, and taken back: what a plan has for cases that do not come is no cost. */
  async function explained(one: CompiledQuery): Promise<string> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${one.sql}`, [
        ...one.parameters,
      ]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  /** What some work asks, each with its plan. */
  async function explainedOf(work: (db: Db) => Promise<unknown>) {
    asked.length = 0;
    await work(listening);
    const found: { readonly text: string; readonly plan: string }[] = [];
    for (const one of asked.filter((query) => statement.test(query.sql)))
      found.push({ text: one.sql, plan: await explained(one) });
    return found;
  }

  return {
    /** These tables, with their indexes, stand for so many times as many rows: the planner believes its statistics. */
    async multiply(tables: readonly string[], times: number): Promise<void> {
      await sql`ANALYZE`.execute(db);
      await sql`SELECT pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', r.relname::text,
        'relpages', r.relpages, 'reltuples', (r.reltuples * ${times}::int)::real)
        FROM pg_class r JOIN (SELECT t.name::regclass AS id FROM unnest(${[...tables]}::text[]) t(name)) named
          ON r.oid = named.id OR r.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = named.id)`.execute(db);
    },
    /** The statements of some work that look through one of these tables from end to end, each with its plan. */
    async scans(tables: readonly string[], work: (db: Db) => Promise<unknown>): Promise<string[]> {
      const whole = new RegExp(String.raw`Seq Scan on (?:${tables.join('|')})\b(?!.*never executed)`);
      const found = await explainedOf(work);
      return found.flatMap(({ text, plan }) => (whole.test(plan) ? [`${text}\n${plan}`] : []));
    },
    /** The indexes, named after their table, by which some work reads it, each once. */
    async indexesOf(table: string, work: (db: Db) => Promise<unknown>): Promise<string[]> {
      const by = new RegExp(String.raw`(?:using|Bitmap Index Scan on) (${table}_\w+)\b(?!.*never executed)`, 'g');
      const found = await explainedOf(work);
      return [...new Set(found.flatMap(({ plan }) => [...plan.matchAll(by)].flatMap(([, name = '']) => name)))];
    },
    /** How many statements the last work asked. */
    get asked() {
      return asked.length;
    },
  };
}
