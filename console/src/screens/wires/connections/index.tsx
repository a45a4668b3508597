import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { exportConnections } from '../../../../../contract/desk/exports.ts';
import {
  getConnectionDrops,
  getConnectionFigures,
  listConnections,
} from '../../../../../contract/wires/connections.ts';
import { useCall, useLive, useLiveState, useSoon } from '../../../api/index.ts';
import { type Entry } from '../../../parts/connections/words.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { Card, ErrorState, Page, PageBar, RefreshBar, useFirstStep, useTime, useZone } from '../../../parts/index.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { useAddress } from '../../../parts/page/use-address.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { Cards, useColumns } from './columns.tsx';
import { Drops } from './Drops.tsx';
import { Figures, Now, shownBy } from './Figures.tsx';
import styles from './connections.module.css';
import { filterKeys, filtersOf, spanOf, useFilterFields } from './filters.tsx';

/** Without the live line, and with it: it tells when something goes or comes. */
const REFRESH_MS = 30_000;
const TOLD_MS = 300_000;
const SOON_MS = 3000;
/** The figures are summed over all devices: in a large city something goes or comes all the time. */
const FIGURES_MS = 30_000;
const countedBy: ReadonlySet<string> = new Set(['family', 'workId', 'roadId']);

/**
 * When devices could not be reached, and why: the figures of a span, and every outage, interruption and refusal in it.
 */
export default function Connections() {
  const { t } = useTranslation('connections');
  const { t: menu } = useTranslation('menu');
  const time = useTime();
  const today = time(new Date(), 'date');
  const address = useListAddress(filterKeys);
  const zone = useZone();
  const span = spanOf(address.filters, today, zone);
  const filters = filtersOf(address.filters);
  const every = useLiveState().state === 'live' ? TOLD_MS : REFRESH_MS;
  const options = { keepPrevious: true, staleTime: 0, every };
  const list = useCall(
    listConnections,
    { query: { ...filters, ...span, page: address.page, size: address.size } },
    options,
  );
  const { family, workId, roadId } = filters;
  const figures = useCall(
    getConnectionFigures,
    {
      query: {
        ...span,
        ...(family === undefined ? {} : { family }),
        ...(workId === undefined ? {} : { workId }),
        ...(roadId === undefined ? {} : { roadId }),
      },
    },
    options,
  );
  const drops = useCall(getConnectionDrops, { query: { ...filters, ...span } }, options);
  const [params, put] = useAddress();
  const open = params.get('figures') === 'open';
  const refetch = (): void => {
    void list.refetch();
    void figures.refetch();
    void drops.refetch();
  };
  useNews(
    () => void list.refetch(),
    () => {
      void figures.refetch();
      void drops.refetch();
    },
  );
  const told = figures.data;
  const { action } = useFirstStep();
  const moment = (at: number): string => `${time(new Date(at), 'date')} ${time(new Date(at), 'time')}`;
  const listed = useRef<HTMLDivElement>(null);
  /** The list stands below what was pressed. */
  const show = (values: Readonly<Record<string, string>>): void => {
    address.search(values);
    listed.current?.scrollIntoView?.({ block: 'start' });
  };
  /** What the figures are counted of is listed, and nothing else. */
  const counted = Object.fromEntries(Object.entries(address.filters).filter(([key]) => countedBy.has(key)));
  return (
    <Page list>
      <RefreshBar active={(list.isFetching && !list.isPending) || (figures.isFetching && !figures.isPending)} />
      <PageBar title={menu('asset/connections')} />
      <SearchPanel fields={useFilterFields(today)} values={address.filters} onSearch={address.search} />
      {figures.error && !told ? (
        <Card>
          <ErrorState error={figures.error} title={t('figures.failed')} onRetry={figures.refetch} />
        </Card>
      ) : null}
      {told && open ? (
        <Figures
          told={told}
          onReason={({ kind, reason }) => show({ ...address.filters, kind, reason })}
          onNow={(key) => show({ ...counted, ...shownBy[key] })}
        />
      ) : null}
      <div ref={listed} className={styles.list}>
        <ListFrame<Entry>
          name="connections"
          list={list}
          onRefresh={refetch}
          address={address}
          queryOf={(values) => ({ ...filtersOf(values), ...spanOf(values, today, zone) })}
          columns={useColumns()}
          {...(action && told?.now.devices === 0 ? { first: action } : {})}
          chips={
            <>
              {told ? <Now told={told} open={open} onTurn={() => put({ figures: open ? null : 'open' })} /> : null}
              {drops.data && !drops.isPlaceholderData ? (
                <Drops
                  told={drops.data}
                  onSpan={({ from, to }) =>
                    address.search({ ...address.filters, days: `${moment(from)}_${moment(to - 1)}` })
                  }
                />
              ) : null}
            </>
          }
          tools={
            <ExportButton
              call={exportConnections}
              body={{ ...filters, ...span }}
              text={t('export')}
              empty={!list.data?.recordsTotal}
            />
          }
          texts={{
            count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
            failed: t('list.failed'),
            noMatch: t('list.noMatch'),
            empty: t('list.empty'),
            emptyText: t('list.emptyText'),
          }}
          renderCards={(rows) => <Cards rows={rows} />}
        />
      </div>
    </Page>
  );
}

/** Asks anew soon after something went or came. */
function useNews(refetchList: () => void, refetchFigures: () => void): void {
  const [listSoon, figuresSoon] = [useSoon(refetchList), useSoon(refetchFigures)];
  useLive('devices', (message) => {
    const isStale = message.type === 'stale';
    if (!isStale && !(message.type === 'devices' && message.devices.some(({ online }) => online !== undefined))) return;
    listSoon(isStale ? 0 : SOON_MS);
    figuresSoon(isStale ? 0 : FIGURES_MS);
  });
}
