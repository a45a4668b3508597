import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { contains, countRows, type Db } from '../../platform/db/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Days } from './days.ts';
import { columns, type LogName, type LogRows } from './log-rows.query.ts';

export interface LogFilter {
  /** A part of the user name. */
  readonly username: string | undefined;
  readonly days: Partial<Days>;
  readonly status: 'success' | 'failure' | undefined;
}
export interface Page {
  readonly by: 'time' | 'username';
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

type Sql = RawBuilder<unknown>;

/** Written exactly as in the indexes of failures (migration 5). */
const outcomes = {
  operation_log: { success: sql`l.status < 400`, failure: sql`l.status >= 400` },
  login_log: { success: sql`l.status = 'success'`, failure: sql`l.status <> 'success'` },
};
/** Above so many names the rows are walked in order of time instead of name by name: most of them match then. */
const mostNames = 2000;
/** From so many on it is worth looking into the latest rows first, so far. */
const manyNames = 100;
const longestWalk = 10_000;
/** How many entries of an index may be read for one page, name by name. */
const mostEntries = 200_000;

/** The names in a log that contain a text, without regard to case and width; one more than `mostNames` at most. */
async function namesWith(db: Db, log: LogName, part: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`SELECT name FROM log_name WHERE log = ${log} AND key LIKE ${contains(nameKey(part))}
    LIMIT ${mostNames + 1}`.execute(db);
  return rows.map(({ name }) => name);
}

function conditionOf(
  log: LogName,
  { days: { from, until }, status }: LogFilter,
  more: readonly Sql[] = [],
): RawBuilder<SqlBool> {
  const parts = [
    ...(from ? [sql`l.at >= ${from}`] : []),
    ...(until ? [sql`l.at < ${until}`] : []),
    ...(status ? [outcomes[log][status]] : []),
    ...more,
  ];
  return parts.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

const among = (log: LogName, part: string): Sql =>
  sql`l.username IN (SELECT n.name FROM log_name n WHERE n.log = ${log} AND n.key LIKE ${contains(nameKey(part))})`;
const orderOf = ({ by, direction }: Page): Sql =>
  by === 'time'
    ? sql.raw(`at ${direction}, id ${direction}`)
    : sql.raw(`username ${direction}, at ${direction}, id ${direction}`);

/** One page of a log and how many rows match: each query reads an index in the order that is asked for. */
export async function findPage<L extends LogName>(
  db: Db,
  log: L,
  filter: LogFilter,
  page: Page,
): Promise<{ rows: LogRows[L][]; count: number; exact: boolean }> {
  const names = filter.username === undefined ? undefined : await namesWith(db, log, filter.username);
  if (names?.length === 0) return { rows: [], count: 0, exact: true };
  const plain = conditionOf(log, filter, filter.username === undefined ? [] : [among(log, filter.username)]);
  const [rows, counted] = await Promise.all([
    findRows(db, log, filter, names, plain, page),
    count(db, log, filter, names, plain),
  ]);
  return { rows, ...counted };
}

async function findRows<L extends LogName>(
  db: Db,
  log: L,
  filter: LogFilter,
  names: readonly string[] | undefined,
  plain: RawBuilder<SqlBool>,
  page: Page,
): Promise<LogRows[L][]> {
  const walk = sql`SELECT l.id, l.at, l.username FROM ${sql.table(log)} l WHERE ${plain}`;
  if (names === undefined) return cut(db, log, walk, page);
  if (names.length > manyNames && page.by === 'time') {
    // Of many names some were there a moment ago, mostly: the page is full after a few rows. Otherwise name by name.
    const latest = sql`SELECT l.id, l.at, l.username
      FROM (SELECT * FROM ${sql.table(log)} l WHERE ${conditionOf(log, filter)} ORDER BY ${orderOf(page)}
      LIMIT ${longestWalk}) AS l WHERE ${plain}`;
    const rows = await cut(db, log, latest, page);
    if (rows.length === page.limit) return rows;
  }
  const isAffordable = names.length <= mostNames && names.length * (page.offset + page.limit) <= mostEntries;
  return cut(db, log, isAffordable ? byNames(log, filter, names, page) : walk, page);
}

async function cut<L extends LogName>(db: Db, log: L, ids: Sql, page: Page): Promise<LogRows[L][]> {
  const { rows } = await sql<LogRows[L]>`
    SELECT ${columns[log]} FROM (${ids} ORDER BY ${orderOf(page)} LIMIT ${page.limit} OFFSET ${page.offset}) AS cut
      JOIN ${sql.table(log)} l ON l.id = cut.id
    ORDER BY ${sql.raw(page.by === 'time' ? '' : `cut.username ${page.direction}, `)}${sql.raw(`cut.at ${page.direction}, cut.id ${page.direction}`)}`.execute(
    db,
  );
  return rows;
}

/** The first rows of each name, which the index has in order; the page is cut out of them. */
function byNames(log: LogName, filter: LogFilter, names: readonly string[], page: Page): Sql {
  const condition = (name: Sql) => conditionOf(log, filter, [sql`l.username = ${name}`]);
  const [only] = names;
  if (names.length === 1 && only !== undefined)
    return sql`SELECT l.id, l.at, l.username FROM ${sql.table(log)} l WHERE ${condition(sql`${only}`)}`;
  return sql`SELECT first.id, first.at, first.username FROM unnest(${names as string[]}::text[]) AS n (name)
    CROSS JOIN LATERAL (SELECT l.id, l.at, l.username FROM ${sql.table(log)} l WHERE ${condition(sql`n.name`)}
      ORDER BY ${sql.raw(`l.at ${page.direction}, l.id ${page.direction}`)}
      LIMIT ${page.limit + page.offset}) AS first`;
}

function count(
  db: Db,
  log: LogName,
  filter: LogFilter,
  names: readonly string[] | undefined,
  plain: RawBuilder<SqlBool>,
) {
  const rows = sql`SELECT 1 FROM ${sql.table(log)} l WHERE ${plain}`;
  if (names === undefined || names.length > mostNames) return countRows(db, rows);
  const byName = sql`SELECT 1 FROM unnest(${names as string[]}::text[]) AS n (name)
    CROSS JOIN LATERAL (SELECT FROM ${sql.table(log)} l WHERE ${conditionOf(log, filter, [sql`l.username = n.name`])}
    LIMIT 10001) AS one`;
  return countRows(
    db,
    byName,
    sql`SELECT 1 FROM ${sql.table(log)} l
      WHERE ${conditionOf(log, filter, [sql`l.username = ANY(${names as string[]}::text[])`])}`,
  );
}

/** Exactly how many rows stand in these days. */
export async function countDays(db: Db, log: LogName, days: Days): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*) AS n FROM ${sql.table(log)} l
    WHERE ${conditionOf(log, { days, username: undefined, status: undefined })}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}
