import {
  savedViewLimits,
  type createSavedView,
  type listSavedViews,
  type orderSavedViews,
  type updateSavedView,
} from '../../../../contract/people/saved-views.ts';
import type { Access, BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  refuseWithout,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { isManageable } from '../accounts/index.ts';
import { accessOfList } from './lists.ts';
import * as store from './saved-views.store.ts';

type View = ReplyOf<typeof listSavedViews>['data'][number];
type Change = RequestContext['change'];
type Given = BodyOf<typeof updateSavedView>;
export type SavedViews = ReturnType<typeof createSavedViews>;

/**
 * Saved views of lists. A view is an address: each reader sees the reader's own rows, so that sharing gives no right.
 * The views of a list are for those who may open the list, and what is shared for those who share a work area with its
 * maker.
 */
export function createSavedViews({ db }: { readonly db: Db }) {
  /** What the rules say of a form: every problem at once. `id` 0: a new one. */
  async function problems(
    caller: Caller,
    list: string | undefined,
    id: number,
    body: Sound<Given>,
  ): Promise<RuleProblem[]> {
    const name = body.name?.normalize('NFC').trim();
    const bytes = Buffer.byteLength(JSON.stringify(body.conditions ?? {}));
    const isTaken =
      name !== undefined &&
      list !== undefined &&
      (await store.isTaken(db, { accountId: caller.accountId, list, name, except: id }));
    return [
      ...(name === '' ? [{ field: 'name', rule: 'required' } as const] : []),
      ...(isTaken ? [{ field: 'name', rule: 'taken' } as const] : []),
      ...(bytes > savedViewLimits.conditionBytes
        ? [{ field: 'conditions', rule: 'maxLength', values: { limit: savedViewLimits.conditionBytes } } as const]
        : []),
    ];
  }

  async function refuseProblems(...of: Parameters<typeof problems>): Promise<void> {
    const found = await problems(...of);
    if (found.length > 0) throw refuseFields(...found);
  }

  /** A view that the caller may know of: its own, or one that is shared within its work areas. */
  async function found(from: Db | Transaction, caller: Caller, id: number): Promise<store.StoredView> {
    const view = await store.findView(from, id, caller);
    if (!view) throw refuse('notFound');
    return view;
  }

  /** A view that the caller may change. */
  async function owned(from: Db | Transaction, caller: Caller, id: number): Promise<store.StoredView> {
    const view = await found(from, caller, id);
    if (view.accountId !== caller.accountId) throw refuse('viewNotYours');
    return view;
  }

  const shownTo = (caller: Caller, view: store.StoredView): View => {
    const { accountId, makerLevel: _, ...shown } = view;
    return { ...shown, own: accountId === caller.accountId, deletable: isDeletable(caller, view) };
  };

  return {
    async list(caller: Caller, list: string) {
      refuseList(caller, list);
      const views = await store.findViews(db, list, caller);
      return { data: views.map((view) => shownTo(caller, view)), recordsTotal: views.length };
    },

    /** What the rules say of a new view, for whom its shape is refused. */
    newProblems: (caller: Caller, body: Sound<BodyOf<typeof createSavedView>>) => problems(caller, body.list, 0, body),

    /** The same for a change of the view `id`. */
    async problems(caller: Caller, id: number | undefined, body: Sound<Given>): Promise<RuleProblem[]> {
      const view = id === undefined ? undefined : await store.findView(db, id, caller);
      return view?.accountId === caller.accountId ? problems(caller, view.list, view.id, body) : [];
    },

    async create(caller: Caller, change: Change, body: BodyOf<typeof createSavedView>): Promise<View> {
      const { list, conditions, sort = null, shared = false, start = false } = body;
      refuseList(caller, list);
      await refuseProblems(caller, list, 0, body);
      const name = body.name.normalize('NFC').trim();
      return orTaken(() =>
        change({ action: 'savedView.create' }, async (tx) => {
          const { accountId } = caller;
          if ((await store.countViews(tx, list, accountId)) >= savedViewLimits.own)
            throw refuse('tooManyViews', { limit: savedViewLimits.own });
          const id = await store.insertView(tx, { accountId, list, name, conditions, sort, shared });
          if (start) await store.setStart(tx, accountId, list, id);
          return shownTo(caller, await found(tx, caller, id));
        }),
      );
    },

    async update(caller: Caller, change: Change, id: number, body: Given): Promise<View> {
      const { list, shared } = await owned(db, caller, id);
      // To end sharing needs no right.
      if (body.shared ?? shared) refuseList(caller, list);
      await refuseProblems(caller, list, id, body);
      return orTaken(() =>
        change({ action: 'savedView.update', facts: { list } }, async (tx) => {
          await owned(tx, caller, id);
          const { name, ...rest } = body;
          await store.updateView(tx, id, {
            ...rest,
            ...(name === undefined ? {} : { name: name.normalize('NFC').trim() }),
          });
          if (body.shared === false) await store.endStartsOfOthers(tx, caller.accountId, id);
          return shownTo(caller, await found(tx, caller, id));
        }),
      );
    },

    async remove(caller: Caller, change: Change, id: number): Promise<void> {
      const { list, name } = await found(db, caller, id);
      await change({ action: 'savedView.delete', facts: { list, name } }, async (tx) => {
        const view = await found(tx, caller, id);
        if (!isDeletable(caller, view)) throw refuse('viewNotYours');
        await store.deleteView(tx, id);
      });
    },

    /** The list begins with the view, or no longer does, for the caller alone. */
    async start(caller: Caller, id: number, start: boolean): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { list, accountId } = await found(tx, caller, id);
        if (accountId !== caller.accountId) refuseList(caller, list);
        if (start) await store.setStart(tx, caller.accountId, list, id);
        else await store.endStart(tx, caller.accountId, id);
      });
    },

    order: ({ accountId }: Caller, { list, ids }: BodyOf<typeof orderSavedViews>): Promise<void> =>
      db.transaction().execute((tx) => store.orderViews(tx, { accountId, list, ids })),
  };
}

/** Own views; of others those of lower rank or of deleted accounts, for who may edit accounts and open the list. */
const isDeletable = (caller: Caller, { accountId, makerLevel, list }: store.StoredView): boolean =>
  accountId === caller.accountId ||
  (caller.permissions.has('cscp.user.edit') &&
    codesFor(list).some((code) => opens(caller, code)) &&
    (makerLevel === null || isManageable(caller, makerLevel)));

type Code = Exclude<Access, readonly unknown[]>;

/** Any of them opens the list. Empty: there is no such list. */
function codesFor(list: string): readonly Code[] {
  const access = accessOfList(list) ?? [];
  return typeof access === 'string' ? [access] : access;
}

const opens = (caller: Caller, code: Code): boolean =>
  code === 'session' || code === 'public' || caller.permissions.has(code);

/** Refuses a list that does not exist, and one that the caller may not open. */
function refuseList(caller: Caller, list: string): void {
  const codes = codesFor(list);
  if (codes.length === 0) throw refuseFields({ field: 'list', rule: 'enum' });
  if (!codes.some((code) => opens(caller, code))) throw refuseWithout(...codes);
}

/** Another request of the account took the name at the same moment. */
async function orTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === '23505')
      throw refuseFields({ field: 'name', rule: 'taken' });
    throw thrown;
  }
}
