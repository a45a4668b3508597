import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { UserInput } from './users.specified.ts';

export interface ListedAccount {
  readonly id: number;
  readonly username: string;
  readonly nickname: string | null;
  readonly level: number;
  readonly disabled: boolean;
  readonly passwordInitial: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastLoginAt: Date | null;
  /** Comma text in the order of the ids; null: no role. */
  readonly roleIds: string | null;
  readonly roleNames: string | null;
  /** The latest end of its locks, whichever address they hold for. */
  readonly lockedUntil: Date | null;
  readonly sessions: number;
}

export interface UserFilter {
  /** Parts of the keys of name and nickname; either may match. */
  readonly username: string | undefined;
  readonly nickname: string | undefined;
  readonly level: number | undefined;
}

const orders: Readonly<Record<string, string>> = {
  user_id: 'a.id',
  id: 'a.id',
  username: 'a.name_key',
  nickname: 'a.nickname_key',
  treelevel: 'a.level',
  createtime: 'a.created_at',
  registertime: 'a.created_at',
  updatetime: 'a.updated_at',
  lastlogin: 'a.last_login_at',
};

/** The order `user_id,desc` of a list asks for, out of its allow-list; undefined when it offers no such order. */
export function orderOf(text: string): RawBuilder<unknown> | undefined {
  const [key = '', direction = 'asc', ...rest] = text.split(',').map((part) => part.trim().toLowerCase());
  const column = Object.hasOwn(orders, key) ? orders[key] : undefined;
  if (column === undefined || rest.length > 0 || !['asc', 'desc'].includes(direction)) return undefined;
  // One direction for both, so that an index serves either.
  return column === 'a.id' ? sql.raw(`a.id ${direction}`) : sql.raw(`${column} ${direction}, a.id ${direction}`);
}

const contains = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;

function conditionOf({ username, nickname, level }: UserFilter): RawBuilder<SqlBool> {
  const names = [
    ...(username === undefined ? [] : [sql`a.name_key LIKE ${contains(nameKey(username))}`]),
    ...(nickname === undefined ? [] : [sql`a.nickname_key LIKE ${contains(nameKey(nickname))}`]),
  ];
  const parts = [
    ...(names.length === 0 ? [] : [sql`(${sql.join(names, sql` OR `)})`]),
    ...(level === undefined ? [] : [sql`a.level = ${level}`]),
  ];
  return parts.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

/**
 * One page of accounts with their roles, locks and open sessions: the page is cut first, the rest is looked up for its
 * rows only.
 */
export async function findPage(
  db: Db,
  filter: UserFilter,
  page: { order: RawBuilder<unknown>; limit: number; offset: number; now: Date; idleSince: Date },
): Promise<ListedAccount[]> {
  const { rows } = await sql<ListedAccount>`
    SELECT a.id, a.username, a.nickname, a.level, a.disabled, a.password_changed_at IS NULL AS "passwordInitial",
      a.version,
           a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.last_login_at AS "lastLoginAt",
           r.ids AS "roleIds", r.names AS "roleNames", l.until AS "lockedUntil", s.sessions
    FROM (SELECT a.id FROM account a WHERE ${conditionOf(filter)} ORDER BY ${page.order}
      LIMIT ${page.limit} OFFSET ${page.offset}) AS cut
    JOIN account a ON a.id = cut.id
    CROSS JOIN LATERAL (
      SELECT string_agg(r.id::text, ',' ORDER BY r.id) AS ids, string_agg(r.name, ',' ORDER BY r.id) AS names
      FROM account_role ar JOIN role r ON r.id = ar.role_id WHERE ar.account_id = a.id
    ) r
    CROSS JOIN LATERAL (SELECT max(k.until) AS until FROM sign_in_lock k
      WHERE k.name_key = a.name_key AND k.until > ${page.now}) l
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS sessions FROM session s
      WHERE s.account_id = a.id AND s.preview_by IS NULL AND s.expires_at > ${page.now}
        AND (s.remember OR s.last_active_at > ${page.idleSince})
    ) s
    ORDER BY ${page.order}`.execute(db);
  return rows;
}

const exactUpTo = 10_000;

/** How many accounts match; above 10,000 what the planner expects. */
export async function countAccounts(db: Db, filter: UserFilter): Promise<{ count: number; exact: boolean }> {
  const condition = conditionOf(filter);
  const {
    rows: [counted],
  } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n
    FROM (SELECT 1 FROM account a WHERE ${condition} LIMIT ${exactUpTo + 1}) AS matching`.execute(db);
  const n = counted?.n ?? 0;
  if (n <= exactUpTo) return { count: n, exact: true };
  const {
    rows: [plan],
  } = await sql<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[];
  }>`EXPLAIN (FORMAT JSON) SELECT 1 FROM account a WHERE ${condition}`.execute(db);
  return { count: Math.max(n, plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? n), exact: false };
}

export const nameExists = async (db: Db | Transaction, username: string): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('name_key', '=', nameKey(username)).executeTakeFirst()) !==
  undefined;

/** How an account is reached. */
export const findContact = (
  db: Db,
  id: number,
): Promise<{ readonly mobile: string | null; readonly email: string | null } | undefined> =>
  db.selectFrom('account').select(['mobile', 'email']).where('id', '=', id).executeTakeFirst();

export interface LockedAccount {
  readonly id: number;
  readonly username: string;
  readonly nameKey: string;
  readonly level: number;
  readonly disabled: boolean;
  readonly version: number;
}

/** The account, which nobody else changes until the transaction ends. */
export const lockAccount = (tx: Transaction, id: number): Promise<LockedAccount | undefined> =>
  tx
    .selectFrom('account')
    .select(['id', 'username', 'name_key as nameKey', 'level', 'disabled', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

// Holds every entry (people/roles): without it an administrator could open nothing.
export const firstRoleId = 1;

/**
 * The usable administrators: enabled, level 0, with the first role. None of them is changed by anybody else until the
 * transaction ends.
 */
export async function lockAdministrators(tx: Transaction): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT a.id FROM account a WHERE a.level = 0 AND NOT a.disabled
      AND EXISTS (SELECT FROM account_role ar WHERE ar.account_id = a.id AND ar.role_id = ${firstRoleId})
    ORDER BY a.id FOR UPDATE`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function insertAccount(
  tx: Transaction,
  input: UserInput & { username: string; level: number },
  password: { hash: string; until: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('account')
    .values({
      ...columnsOf(input),
      username: input.username,
      name_key: nameKey(input.username),
      level: input.level,
      password_hash: password.hash,
      initial_password_until: password.until,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the changes of a form; the version makes edits of an older row fail. */
export async function updateAccount(tx: Transaction, id: number, input: UserInput): Promise<void> {
  await tx
    .updateTable('account')
    .set((row) => ({ ...columnsOf(input), updated_at: sql`now()`, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

const columnsOf = ({ nickname, familyName, givenName, mobile, email, avatar, title, description, level }: UserInput) =>
  Object.fromEntries(
    Object.entries({
      nickname,
      family_name: familyName,
      given_name: givenName,
      mobile,
      email,
      avatar,
      title,
      description,
      level,
    }).filter(([, value]) => value !== undefined),
  ) as {
    nickname?: string | null;
    family_name?: string | null;
    given_name?: string | null;
    mobile?: string | null;
    email?: string | null;
    avatar?: string | null;
    title?: string | null;
    description?: string | null;
    level?: number;
  };

export async function findRoleIds(db: Db | Transaction, accountId: number): Promise<number[]> {
  const rows = await db.selectFrom('account_role').select('role_id').where('account_id', '=', accountId).execute();
  return rows.map((row) => row.role_id);
}

export async function countRoles(db: Db | Transaction, ids: readonly number[]): Promise<number> {
  const { n } = await db
    .selectFrom('role')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('id', 'in', [0, ...ids])
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** The names of those of these roles that hold an entry which none of the caller's own roles holds. */
export async function rolesBeyond(tx: Transaction, roleIds: readonly number[], callerId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT r.name FROM role r WHERE r.id = ANY(${roleIds as number[]}::bigint[]) AND EXISTS (
      SELECT FROM role_menu rm WHERE rm.role_id = r.id AND NOT EXISTS (
        SELECT FROM account_role ar JOIN role_menu held ON held.role_id = ar.role_id
          WHERE ar.account_id = ${callerId} AND held.menu_id = rm.menu_id))
    ORDER BY r.id`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Gives an account exactly these roles. */
export async function replaceRoles(tx: Transaction, accountId: number, roleIds: readonly number[]): Promise<void> {
  const ids = roleIds as number[];
  await sql`DELETE FROM account_role WHERE account_id = ${accountId} AND NOT role_id = ANY(${ids}::bigint[])`.execute(
    tx,
  );
  await sql`INSERT INTO account_role (account_id, role_id) SELECT ${accountId}::bigint, unnest(${ids}::bigint[])
    ON CONFLICT DO NOTHING`.execute(tx);
}

export async function setDisabled(tx: Transaction, id: number, disabled: boolean): Promise<number> {
  const { version } = await tx
    .updateTable('account')
    .set((row) => ({ disabled, updated_at: sql`now()`, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export async function deleteAccount(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute();
}
