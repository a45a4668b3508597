import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  orderSavedViews,
  startWithSavedView,
  updateSavedView,
} from '../../../../../contract/people/saved-views.ts';
import type { BodyOf } from '../../../../../contract/route.ts';
import { call, callKey, useSend } from '../../../api/index.ts';
import { toast } from '../../../frame/toast-store.ts';
import { ListHeadContext } from '../../page/list-head.ts';
import { useErrorText } from '../../notices/error-text.ts';
import type { ListAddress } from '../use-list-address.ts';
import { useStart } from './use-start.ts';
import { areSame, conditionsOf, type View } from './view.ts';

const none: readonly View[] = [];
const FRESH_MS = 60_000;

export interface Views {
  /** The list has views: it is the list of a page. */
  readonly enabled: boolean;
  readonly all: readonly View[];
  /** The view whose conditions are in force. */
  readonly current: View | undefined;
  /** The list may begin with a view: neither are its rows asked nor shown before that is known (use-start.ts). */
  readonly opening: boolean;
  show(view: View): void;
  /** Throws ApiError, which the form shows. */
  save(form: { name: string; shared: boolean; start: boolean }): Promise<unknown>;
  rename(view: View, name: string): Promise<unknown>;
  keep(view: View): void;
  share(view: View, shared: boolean): void;
  begin(view: View, start: boolean): void;
  move(view: View, by: -1 | 1): void;
  remove(view: View): void;
}

/** The saved views of a list page, and what can be done with them. */
export function useViews(name: string, address: ListAddress, refetch: object): Views {
  const { t } = useTranslation('lists');
  const errorText = useErrorText();
  const enabled = use(ListHeadContext) !== null;
  const input = { query: { list: name } };
  const answer = useQuery({
    queryKey: callKey(listSavedViews, input),
    queryFn: ({ signal }) => call(listSavedViews, input, { signal, quiet: true }),
    enabled,
    staleTime: FRESH_MS,
  });
  const all = answer.data?.data ?? none;
  const quiet = { quiet: true };
  const refreshes = [listSavedViews];
  const create = useSend(createSavedView, refreshes, quiet);
  const update = useSend(updateSavedView, refreshes, quiet);
  const begin = useSend(startWithSavedView, refreshes, quiet);
  const order = useSend(orderSavedViews, refreshes, quiet);
  const remove = useSend(deleteSavedView, refreshes, quiet);

  const known = !answer.isPending;
  const waits = useStart({ enabled, known, first: all.find((view) => view.start), address, refetch });

  const told = async (work: Promise<unknown>, done: string): Promise<void> => {
    try {
      await work;
      toast.done(done);
    } catch (error) {
      toast.failed(errorText(error));
    }
  };
  const here = { conditions: { ...address.filters }, sort: address.sort ?? null };
  const change = (view: View, body: BodyOf<typeof updateSavedView>) =>
    update.mutateAsync({ params: { id: view.id }, body });
  const own = all.filter((view) => view.own);

  const restore = ({ list, name: title, conditions, sort, shared, start: isStart }: View): Promise<unknown> =>
    create.mutateAsync({ body: { list, name: title, conditions, sort, shared, start: isStart } });
  const drop = async (view: View): Promise<void> => {
    try {
      await remove.mutateAsync({ params: { id: view.id } });
      // A view of another account cannot be made again in its name.
      const back = view.own
        ? { text: t('views.undo'), onClick: () => void told(restore(view), t('views.restored', { name: view.name })) }
        : undefined;
      toast.done(t('views.removed', { name: view.name }), back);
    } catch (error) {
      toast.failed(errorText(error));
    }
  };

  return {
    enabled,
    all,
    current: all.find((view) => areSame(conditionsOf(view), address)),
    opening: waits,
    show: (view) => address.apply(conditionsOf(view)),
    save: (form) => create.mutateAsync({ body: { list: name, ...here, ...form } }),
    rename: (view, title) => change(view, { name: title }),
    keep: (view) => void told(change(view, here), t('views.kept', { name: view.name })),
    share: (view, shared) =>
      void told(change(view, { shared }), t(shared ? 'views.shared' : 'views.unshared', { name: view.name })),
    begin: (view, isStart) =>
      void told(
        begin.mutateAsync({ params: { id: view.id }, body: { start: isStart } }),
        t(isStart ? 'views.begins' : 'views.beginsNot', { name: view.name }),
      ),
    move: (view, by) => {
      const ids = own.map(({ id }) => id);
      const at = ids.indexOf(view.id);
      const ordered = ids.toSpliced(at, 1).toSpliced(at + by, 0, view.id);
      order.mutate({ body: { list: name, ids: ordered } }, { onError: (error) => toast.failed(errorText(error)) });
    },
    remove: (view) => void drop(view),
  };
}
