import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A view as one account sees it. */
export interface StoredView {
  readonly id: number;
  readonly accountId: number | null;
  readonly list: string;
  readonly name: string;
  readonly conditions: Readonly<Record<string, string>>;
  readonly sort: string | null;
  readonly shared: boolean;
  readonly maker: string | null;
  /** The list begins with it for the reader. */
  readonly start: boolean;
}
interface ViewValues {
  readonly name?: string;
  readonly conditions?: Readonly<Record<string, string>>;
  readonly sort?: string | null;
  readonly shared?: boolean;
}

const viewsFor = (from: Db | Transaction, reader: number) =>
  from
    .selectFrom('saved_view as v')
    .leftJoin('account as maker', 'maker.id', 'v.account_id')
    .leftJoin('saved_view_start as s', (join) => join.onRef('s.view_id', '=', 'v.id').on('s.account_id', '=', reader))
    .select((row) => [
      'v.id',
      'v.account_id as accountId',
      'v.list',
      'v.name',
      'v.conditions',
      'v.sort',
      'v.shared',
      row.fn.coalesce('maker.nickname', 'maker.username').as('maker'),
      row('s.view_id', 'is not', null).as('start'),
    ]);

const asView = (row: Awaited<ReturnType<ReturnType<typeof viewsFor>['execute']>>[number]): StoredView => ({
  ...row,
  conditions: row.conditions as Readonly<Record<string, string>>,
  start: Boolean(row.start),
});

/** Own views in their order, then shared ones by name. */
export async function findViews(db: Db, list: string, reader: number): Promise<StoredView[]> {
  const own = await viewsFor(db, reader)
    .where('v.account_id', '=', reader)
    .where('v.list', '=', list)
    .orderBy('v.position')
    .orderBy('v.id')
    .execute();
  const shared = await viewsFor(db, reader)
    .where('v.shared', '=', true)
    .where('v.list', '=', list)
    .where('v.account_id', 'is distinct from', reader)
    .orderBy('v.name')
    .orderBy('v.id')
    .execute();
  return [...own, ...shared].map(asView);
}

export async function findView(from: Db | Transaction, id: number, reader: number): Promise<StoredView | undefined> {
  const row = await viewsFor(from, reader).where('v.id', '=', id).executeTakeFirst();
  return row && asView(row);
}

export const isTaken = async (
  from: Db | Transaction,
  { accountId, list, name, except }: { accountId: number; list: string; name: string; except: number },
): Promise<boolean> =>
  (await from
    .selectFrom('saved_view')
    .select('id')
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where('name', '=', name)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined;

/** How many views of a list an account has, and how many are shared by anybody. */
export async function countViews(tx: Transaction, list: string, accountId: number) {
  const { rows } = await sql<{ own: number; shared: number }>`
    SELECT (SELECT count(*)::int FROM saved_view WHERE account_id = ${accountId} AND list = ${list}) AS own,
           (SELECT count(*)::int FROM saved_view WHERE list = ${list} AND shared) AS shared`.execute(tx);
  return rows[0] ?? { own: 0, shared: 0 };
}

/** Adds a view after the account's others. */
export async function insertView(
  tx: Transaction,
  view: Required<ViewValues> & { readonly accountId: number; readonly list: string },
): Promise<number> {
  const { accountId, list, name, conditions, sort, shared } = view;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO saved_view (account_id, list, name, conditions, sort, shared, position)
    VALUES (${accountId}, ${list}, ${name}, ${JSON.stringify(conditions)}::jsonb, ${sort}, ${shared},
      (SELECT coalesce(max(position) + 1, 0) FROM saved_view WHERE account_id = ${accountId} AND list = ${list}))
    RETURNING id`.execute(tx);
  return Number(rows[0]?.id);
}

export async function updateView(tx: Transaction, id: number, values: ViewValues): Promise<void> {
  const { conditions, ...rest } = values;
  await tx
    .updateTable('saved_view')
    .set({
      ...rest,
      ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteView(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('saved_view').where('id', '=', id).execute();
}

/** Before an account is deleted: what it kept for itself goes, what it shared stays without a maker. */
export async function deletePrivateViews(tx: Transaction, accountId: number): Promise<void> {
  await tx.deleteFrom('saved_view').where('account_id', '=', accountId).where('shared', '=', false).execute();
}

export async function setStart(tx: Transaction, accountId: number, list: string, viewId: number): Promise<void> {
  await tx
    .insertInto('saved_view_start')
    .values({ account_id: accountId, list, view_id: viewId })
    .onConflict((conflict) => conflict.columns(['account_id', 'list']).doUpdateSet({ view_id: viewId }))
    .execute();
}

export async function endStart(tx: Transaction, accountId: number, viewId: number): Promise<void> {
  await tx.deleteFrom('saved_view_start').where('account_id', '=', accountId).where('view_id', '=', viewId).execute();
}

/** A view that is no longer shared is the start of its maker alone. */
export async function endStartsOfOthers(tx: Transaction, accountId: number, viewId: number): Promise<void> {
  await tx.deleteFrom('saved_view_start').where('view_id', '=', viewId).where('account_id', '<>', accountId).execute();
}

/** Puts the account's views of a list in the order of `ids`; the others come after them. */
export async function orderViews(
  tx: Transaction,
  { accountId, list, ids }: { accountId: number; list: string; ids: readonly number[] },
): Promise<void> {
  await sql`UPDATE saved_view v SET position = placed.position FROM (
      SELECT id, row_number() OVER (ORDER BY array_position(${ids as number[]}::bigint[], id) NULLS LAST, position, id)::int
        AS position FROM saved_view WHERE account_id = ${accountId} AND list = ${list}
    ) placed WHERE v.id = placed.id AND v.position <> placed.position`.execute(tx);
}
