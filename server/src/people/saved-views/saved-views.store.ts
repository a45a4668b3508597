import { sql, type RawBuilder } from 'kysely';
import { savedViewLimits } from '../../../../contract/people/saved-views.ts';
import { takeLockOf, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { areaMembers, displayName } from '../accounts/index.ts';

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
  /** null: the account was deleted. */
  readonly makerLevel: number | null;
  /** The list begins with it for the reader. */
  readonly start: boolean;
}
interface ViewValues {
  readonly name?: string;
  readonly conditions?: Readonly<Record<string, string>>;
  readonly sort?: string | null;
  readonly shared?: boolean;
}

/** Who asks: what the views of others are and how their makers are named depends on it. */
export type Reader = Pick<Caller, 'accountId' | 'permissions' | 'workAreas'>;

const viewsFor = (from: Db | Transaction, reader: Reader) =>
  from
    .selectFrom('saved_view as v')
    .leftJoin('account as maker', 'maker.id', 'v.account_id')
    .leftJoin('saved_view_start as s', (join) =>
      join.onRef('s.view_id', '=', 'v.id').on('s.account_id', '=', reader.accountId),
    )
    .select((row) => [
      'v.id',
      'v.account_id as accountId',
      'v.list',
      'v.name',
      'v.conditions',
      'v.sort',
      'v.shared',
      displayName('maker', reader).as('maker'),
      'maker.level as makerLevel',
      row('s.view_id', 'is not', null).as('start'),
    ]);

/** Shared by an account that sees an area of the reader's, or by one that was deleted. */
const isWithinReach = ({ workAreas }: Reader): RawBuilder<boolean> =>
  workAreas === 'all'
    ? sql<boolean>`v.shared`
    : sql<boolean>`v.shared AND (v.account_id IS NULL OR maker.level = 0 OR v.account_id IN ${areaMembers(workAreas)})`;

const asView = (row: Awaited<ReturnType<ReturnType<typeof viewsFor>['execute']>>[number]): StoredView => ({
  ...row,
  conditions: row.conditions as Readonly<Record<string, string>>,
  start: Boolean(row.start),
});

/** Own views in their order, then the newest that others share, the reader's start before them: `savedViewLimits`. */
export async function findViews(db: Db, list: string, reader: Reader): Promise<StoredView[]> {
  const own = await viewsFor(db, reader)
    .where('v.account_id', '=', reader.accountId)
    .where('v.list', '=', list)
    .orderBy('v.position')
    .orderBy('v.id')
    .limit(savedViewLimits.own)
    .execute();
  const shared = await viewsFor(db, reader)
    .where('v.list', '=', list)
    .where(isWithinReach(reader))
    .where('v.account_id', 'is distinct from', reader.accountId)
    .orderBy('start', 'desc')
    .orderBy('v.id', 'desc')
    .limit(savedViewLimits.shared)
    .execute();
  return [...own, ...shared].map(asView);
}

/** A view that the reader may know of: its own, or one of others within its reach. */
export async function findView(from: Db | Transaction, id: number, reader: Reader): Promise<StoredView | undefined> {
  const row = await viewsFor(from, reader)
    .where('v.id', '=', id)
    .where((where) => where.or([where('v.account_id', '=', reader.accountId), isWithinReach(reader)]))
    .executeTakeFirst();
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

/** How many views of a list an account has. No other request of the account adds one until the transaction ends. */
export async function countViews(tx: Transaction, list: string, accountId: number): Promise<number> {
  await takeLockOf(tx, 'saved views', `${accountId} ${list}`);
  const { rows } = await sql<{ own: number }>`
    SELECT count(*)::int AS own FROM saved_view WHERE account_id = ${accountId} AND list = ${list}`.execute(tx);
  return rows[0]?.own ?? 0;
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
