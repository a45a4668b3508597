import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { QueryOf } from '../../../../contract/route.ts';
import type { listUserOptions } from '../../../../contract/specified/work-groups.ts';
import { contains, countOf, countRows, type Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { nameKey, telephoneFor } from '../accounts/index.ts';

type Query = QueryOf<typeof listUserOptions>;
interface Option {
  readonly id: number;
  readonly familyName: string | null;
  readonly name: string | null;
  readonly username: string;
  readonly mobile: string | null;
}

const standardSize = 1000;
/** Which column each field of the call looks into. */
const columns = {
  username: 'username',
  familyName: 'family_name',
  name: 'given_name',
  mobile: 'mobile',
  email: 'email',
  discTitle: 'title',
  discDetail: 'description',
} as const;

/**
 * Accounts for choosing: every given text is looked for in its own field, any match counts, without regard to case and
 * width.
 */
export async function findUserOptions(db: Db, caller: Caller, query: Query) {
  const from = sql`FROM account a WHERE ${conditionOf(caller, query)}`;
  const limit = query.size ?? standardSize;
  const [{ rows }, counted] = await Promise.all([
    sql<Option>`SELECT a.id, a.family_name AS "familyName", a.given_name AS name, a.username, a.mobile ${from}
      ORDER BY a.id LIMIT ${limit} OFFSET ${(Math.max(1, query.page ?? 1) - 1) * limit}`.execute(db),
    countRows(db, sql`SELECT 1 ${from}`),
  ]);
  return {
    data: rows.map((row) => ({ ...row, mobile: telephoneFor(caller, row.id, row.mobile), userId: row.id })),
    ...countOf(counted),
  };
}

function conditionOf(caller: Caller, query: Query): RawBuilder<SqlBool> {
  if (query.ids !== undefined) return sql<SqlBool>`a.id = ANY(${query.ids.split(',').map(Number)}::bigint[])`;
  const given = Object.entries(columns).flatMap(([field, column]) => {
    const text = nameKey(query[field as keyof typeof columns] ?? '');
    // Who sees numbers masked cannot find them out by looking for them digit by digit.
    return text === '' || (field === 'mobile' && !caller.permissions.has('cscp.user.query')) ? [] : [{ column, text }];
  });
  if (given.length === 0)
    return Object.keys(columns).some((field) => nameKey(query[field as keyof typeof columns] ?? '') !== '')
      ? sql<SqlBool>`false`
      : sql<SqlBool>`true`;
  // One index holds all fields together and finds the candidates; the fields themselves decide.
  const anywhere = [...new Set(given.map(({ text }) => text))].map((text) => sql`a.search_key LIKE ${contains(text)}`);
  const isEvery = anywhere.length === 1 && given.length === Object.keys(columns).length;
  const fields = given.map(
    ({ column, text }) => sql`lower(normalize(${sql.ref(`a.${column}`)}, NFKC)) LIKE ${contains(text)}`,
  );
  return sql<SqlBool>`((${sql.join(anywhere, sql` OR `)})${isEvery ? sql`` : sql` AND (${sql.join(fields, sql` OR `)})`})`;
}
