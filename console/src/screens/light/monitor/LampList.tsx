import { useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listLamps } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { formatNumber, useFirstStep, useTime } from '../../../parts/index.ts';
import type { Lamp } from '../../../parts/lamp/lamp.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import type { Chosen } from '../../../parts/lists/use-chosen.ts';
import type { ListAddress, pageSizes } from '../../../parts/lists/use-list-address.ts';
import { filterNames, noFilters, readFilters, toQuery, writeFilters } from './filters.ts';
import { filtersOf } from './ListFilters.tsx';
import { useLampColumns } from './lamp-columns.tsx';
import styles from './monitor.module.css';
import type { MonitorParts } from './shared.ts';
import type { Selection } from './use-selection.ts';

type Props = Pick<
  MonitorParts,
  'view' | 'put' | 'setFilters' | 'news' | 'selection' | 'matching' | 'canControl' | 'openLamp' | 'enterLamp'
> & { chips: ReactNode };

const USUAL_SIZE: (typeof pageSizes)[number] = 50;

/** What the view shows, as a list keeps it in its address. */
function addressOf({ view, put, setFilters, openLamp }: Props): ListAddress {
  const { filters, page, size, sort, lampId } = view;
  return {
    filters: Object.fromEntries(writeFilters(new URLSearchParams(), filters)),
    page,
    size,
    sort: sort === '' ? undefined : sort,
    open: lampId,
    form: null,
    // The frame searches for nothing only to clear every condition.
    search: (values) => setFilters(Object.keys(values).length === 0 ? noFilters : filtersOf(values, filters)),
    apply: (look) =>
      put({
        ...Object.fromEntries(filterNames.map((name) => [name, null])),
        ...look.filters,
        sort: look.sort ?? null,
        page: null,
      }),
    turn: (next, per) => put({ page: next === 1 ? null : next, size: per === USUAL_SIZE ? null : per }),
    sortBy: (next) => put({ sort: next ?? null, page: null }),
    show: ({ open = null }) => openLamp(open),
  };
}

const queryOf = (values: Readonly<Record<string, string>>) => toQuery(readFilters(new URLSearchParams(values)));

/** The lamps that are selected, here or on the map; `lamps` are those on the page. */
const chosenOf = (selection: Selection, lamps: readonly Lamp[]): Chosen<Lamp> => ({
  rows: lamps.filter(({ id }) => selection.ids.has(id)),
  has: (id) => selection.ids.has(id),
  change: (rows, on) =>
    selection.change(
      rows.map(({ id }) => id),
      on,
    ),
  replace: (rows) => selection.replace(rows.map(({ id }) => id)),
  clear: selection.clear,
});

/** The lamps that match, live; one opens in the drawer beside them. */
export function LampList(props: Props) {
  const { view, news, selection, matching, canControl, openLamp, enterLamp, chips } = props;
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  const { filters, page, size, sort } = view;
  const list = useCall(
    listLamps,
    { query: { ...toQuery(filters), page, size, ...(sort === '' ? {} : { sort }) } },
    { keepPrevious: true },
  );
  const version = useSyncExternalStore(news.subscribe, news.version);
  const { data } = list;
  // `version`: the same rows with later news in them.
  const shown = useMemo(
    () => data && { ...data, data: data.data.map((lamp) => news.over(lamp)), version },
    [data, news, version],
  );
  const counts = matching.data;
  const troubled = counts ? (counts.states.alarm ?? 0) + (counts.states.offline ?? 0) : null;
  const columns = useLampColumns(openLamp);
  const { action } = useFirstStep();
  return (
    <ListFrame<Lamp>
      name="lamps"
      list={{
        data: shown,
        error: list.error,
        isPending: list.isPending,
        isFetching: list.isFetching,
        isPlaceholderData: list.isPlaceholderData,
        refetch: list.refetch,
      }}
      address={addressOf(props)}
      queryOf={queryOf}
      columns={columns}
      ofProjects
      {...(action ? { first: action } : {})}
      peek={{ id: view.lampId, show: ({ id }) => openLamp(id), enter: enterLamp }}
      onRefresh={() => {
        void list.refetch();
        void matching.refetch();
      }}
      {...(canControl
        ? { selection: { chosen: chosenOf(selection, shown?.data ?? []), nameOf: ({ code }: Lamp) => code } }
        : {})}
      chips={
        <>
          {data ? (
            <span className={styles.updated}>{t('filter.updated', { time: time(list.dataUpdatedAt, 'time') })}</span>
          ) : null}
          {chips}
        </>
      }
      texts={{
        count: (n) =>
          troubled === null
            ? t('list.count', { count: n })
            : `${t('list.count', { count: n })} ${t('list.troubled', { count: formatNumber(troubled, i18n.language, 0) })}`,
        noMatch: t('empty.noMatch'),
        empty: t('empty.noLamps'),
        emptyText: t('empty.noLampsText'),
      }}
    />
  );
}
