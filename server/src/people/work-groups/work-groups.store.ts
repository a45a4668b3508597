import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { contains, countRows, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { GroupInput } from './work-groups.specified.ts';

export interface StoredGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly workAreaId: number;
  readonly workName: string;
  /** The first organisation it is linked to. */
  readonly organisationId: number | null;
  readonly version: number;
}
export type ListedGroup = StoredGroup & { readonly members: number };

type Scope = Pick<Caller, 'workAreas' | 'workAreaId'>;
type Sql = RawBuilder<unknown>;

/** Whether the work area in this column is one the caller sees, and the one it works in. */
export function visibleArea({ workAreas, workAreaId }: Scope, column: Sql): RawBuilder<SqlBool> {
  const parts = [
    sql`true`,
    ...(workAreaId === null ? [] : [sql`${column} = ${workAreaId}`]),
    ...(workAreas === 'all' ? [] : [sql`${column} = ANY(${[...workAreas]}::bigint[])`]),
  ];
  return sql<SqlBool>`(${sql.join(parts, sql` AND `)})`;
}

const area = sql`g.work_area_id`;
const columns = sql`g.id, g.name, g.description, g.work_area_id AS "workAreaId", a.work_name AS "workName", g.version,
  (SELECT min(l.organisation_id) FROM organisation_work_group l WHERE l.work_group_id = g.id) AS "organisationId"`;
const from = sql`FROM work_group g JOIN work_area a ON a.id = g.work_area_id`;

const orders: Readonly<Record<string, string>> = {
  id: 'g.id',
  groupname: 'g.name COLLATE natural_order',
  workname: 'a.work_name COLLATE natural_order',
  updatetime: 'g.updated_at',
};

/** The order `groupName,desc` of a list asks for, out of its allow-list; undefined when it offers no such order. */
export function orderOf(text: string): Sql | undefined {
  const [key = '', direction = 'asc', ...rest] = text.split(',').map((part) => part.trim().toLowerCase());
  const column = Object.hasOwn(orders, key) ? orders[key] : undefined;
  return column === undefined || rest.length > 0 || !['asc', 'desc'].includes(direction)
    ? undefined
    : sql.raw(`${column} ${direction}, g.id ${direction}`);
}

export interface GroupFilter {
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** Both fields carry the text of one search box: either may match, without regard to case and width. */
function conditionOf(scope: Scope, { name, description }: GroupFilter): RawBuilder<SqlBool> {
  const texts = [
    ...(name === undefined ? [] : [sql`lower(normalize(g.name, NFKC)) LIKE ${contains(nameKey(name))}`]),
    ...(description === undefined
      ? []
      : [sql`lower(normalize(g.description, NFKC)) LIKE ${contains(nameKey(description))}`]),
  ];
  return sql<SqlBool>`${visibleArea(scope, area)}${texts.length === 0 ? sql`` : sql` AND (${sql.join(texts, sql` OR `)})`}`;
}

export async function findPage(
  db: Db,
  scope: Scope,
  filter: GroupFilter,
  page: { order: Sql; limit: number; offset: number },
): Promise<ListedGroup[]> {
  const { rows } = await sql<ListedGroup>`
    SELECT ${columns}, (SELECT count(*)::int FROM work_group_member m WHERE m.work_group_id = g.id) AS members
    ${from} WHERE ${conditionOf(scope, filter)} ORDER BY ${page.order}
      LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  return rows;
}

export const countGroups = (db: Db, scope: Scope, filter: GroupFilter) =>
  countRows(db, sql`SELECT 1 ${from} WHERE ${conditionOf(scope, filter)}`);

/** One group, and whether the caller sees it. `lock`: nobody else changes it until the transaction ends. */
export async function findGroup(
  db: Db | Transaction,
  scope: Scope,
  id: number,
  lock = false,
): Promise<(StoredGroup & { visible: boolean }) | undefined> {
  const { rows } = await sql<
    StoredGroup & { visible: boolean }
  >`SELECT ${columns}, ${visibleArea(scope, area)} AS visible ${from}
    WHERE g.id = ${id} ${lock ? sql`FOR UPDATE OF g` : sql``}`.execute(db);
  return rows[0];
}

export async function findMemberIds(db: Db | Transaction, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('work_group_member')
    .select('account_id')
    .where('work_group_id', '=', id)
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

/** Every group of the areas the caller sees, whichever it works in, by name. */
export async function findOptions(db: Db, { workAreas }: Scope): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
  }>`SELECT g.id, g.name FROM work_group g WHERE ${visibleArea({ workAreas, workAreaId: null }, area)}
    ORDER BY g.name COLLATE natural_order, g.id`.execute(db);
  return rows;
}

/** Those of these accounts that do not exist. */
export async function unknownAccounts(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT given.id FROM unnest(${ids as number[]}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM account a WHERE a.id = given.id)`.execute(db);
  return rows.map(({ id }) => id);
}

export const rowExists = async (db: Db, table: 'work_area' | 'organisation', id: number): Promise<boolean> =>
  (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

type WholeGroup = GroupInput & { readonly name: string; readonly description: string; readonly workAreaId: number };

export async function insertGroup(tx: Transaction, { name, description, workAreaId }: WholeGroup): Promise<number> {
  const { id } = await tx
    .insertInto('work_group')
    .values({ name, description, work_area_id: workAreaId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateGroup(
  tx: Transaction,
  id: number,
  { name, description, workAreaId }: GroupInput,
): Promise<void> {
  const given = { name, description, work_area_id: workAreaId };
  await tx
    .updateTable('work_group')
    .set((row) => ({
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      updated_at: sql`now()`,
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Gives a group exactly these members; accounts that were deleted meanwhile are left out. */
export async function replaceMembers(tx: Transaction, id: number, accountIds: readonly number[]): Promise<void> {
  const ids = accountIds as number[];
  await sql`DELETE FROM work_group_member WHERE work_group_id = ${id}
    AND NOT account_id = ANY(${ids}::bigint[])`.execute(tx);
  await sql`INSERT INTO work_group_member (work_group_id, account_id) SELECT ${id}::bigint, a.id FROM account a
    WHERE a.id = ANY(${ids}::bigint[]) ON CONFLICT DO NOTHING`.execute(tx);
}

/**
 * Moves a group into this organisation from the first one it is linked to; null takes it out of all. One that it is
 * already in changes nothing: clients send back what they received.
 */
export async function placeInOrganisation(tx: Transaction, id: number, organisationId: number | null): Promise<void> {
  if (organisationId === null) {
    await tx.deleteFrom('organisation_work_group').where('work_group_id', '=', id).execute();
    return;
  }
  const linked = await tx
    .selectFrom('organisation_work_group')
    .select('organisation_id')
    .where('work_group_id', '=', id)
    .orderBy('organisation_id')
    .execute();
  if (linked.some((link) => link.organisation_id === organisationId)) return;
  const [first] = linked;
  if (first)
    await tx
      .deleteFrom('organisation_work_group')
      .where('work_group_id', '=', id)
      .where('organisation_id', '=', first.organisation_id)
      .execute();
  await tx
    .insertInto('organisation_work_group')
    .values({ work_group_id: id, organisation_id: organisationId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const deleteGroup = async (tx: Transaction, id: number): Promise<void> => {
  await tx.deleteFrom('work_group').where('id', '=', id).execute();
};
