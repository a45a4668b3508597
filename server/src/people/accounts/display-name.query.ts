import { sql, type RawBuilder } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';

/**
 * The name of an account for colleagues: nickname, else family and given name. Without either: the login name for
 * callers that may query accounts, null for others. `account` is the table's name in the query.
 */
export function displayName(account: string, { permissions }: Pick<Caller, 'permissions'>): RawBuilder<string | null> {
  const of = (column: string) => sql.ref(`${account}.${column}`);
  const shown = sql`nullif(${of('nickname')}, ''), nullif(trim(concat(${of('family_name')}, ${of('given_name')})), '')`;
  return permissions.has('cscp.user.query')
    ? sql<string | null>`coalesce(${shown}, ${of('username')})`
    : sql<string | null>`coalesce(${shown})`;
}
