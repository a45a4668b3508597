import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { listLamps } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import {
  Empty,
  ErrorState,
  formatNumber,
  Icon,
  NotRefreshed,
  RefreshBar,
  Skeleton,
  useTime,
} from '../../../parts/index.ts';
import { FilterCard } from './FilterCard.tsx';
import { countFilters, noFilters, toQuery } from './filters.ts';
import { LampList } from './LampList.tsx';
import { LiveNote } from './LiveNote.tsx';
import styles from './monitor.module.css';
import type { MonitorParts } from './shared.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

/** The list with its conditions above: the map's equivalent for keyboard, screen reader and machines without WebGL. */
export function ListView({
  view,
  put,
  setFilters,
  news,
  selection,
  matching,
  canControl,
  hasMap,
  tryMap,
  openLamp,
  onScope,
}: MonitorParts) {
  const { t, i18n } = useTranslation('lamp');
  const { t: words } = useTranslation('parts');
  const time = useTime();
  const { filters, page, size, sort } = view;
  const list = useCall(
    listLamps,
    { query: { ...toQuery(filters), page, size, ...(sort === '' ? {} : { sort }) } },
    { keepPrevious: true },
  );
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const counts = matching.data;
  const troubled = counts ? (counts.states.alarm ?? 0) + (counts.states.offline ?? 0) : null;
  const empty =
    countFilters(filters) > 0 ? (
      <Empty
        title={t('empty.noMatch')}
        text={t('empty.noMatchList')}
        action={{ text: t('filter.reset'), onClick: () => setFilters(noFilters) }}
      />
    ) : (
      <Empty ofProjects title={t('empty.noLamps')} text={t('empty.noLampsText')} />
    );
  return (
    <div className={styles.listPane}>
      {hasMap ? null : (
        <p className={styles.noMap} role="status">
          {t('view.noWebGl')}{' '}
          <Button size="small" onClick={tryMap}>
            {words('error.retry')}
          </Button>
        </p>
      )}
      <FilterCard key={filters.q} filters={filters} onChange={setFilters} />
      <section className={styles.listCard}>
        <RefreshBar active={list.isFetching && !list.isPending} />
        <div className={styles.count}>
          <span>
            <b>{counts ? t('list.count', { count: number(counts.total) }) : '—'}</b>
            {troubled === null ? null : <> {t('list.troubled', { count: number(troubled) })}</>}
            {counts ? <> · {t('filter.updated', { time: time(counts.at, 'time') })}</> : null}
          </span>
          <span className={styles.countTools}>
            <LiveNote />
            {canControl ? (
              <Button size="small" icon={<Icon name="bolt" size={14} />} onClick={onScope}>
                {t('scope.open')}
              </Button>
            ) : null}
            <ViewSwitch view={view} hasMap={hasMap} put={put} />
            <Button
              size="small"
              type="text"
              icon={<Icon name="retry" size={15} />}
              aria-label={t('list.refresh')}
              title={t('list.refresh')}
              onClick={() => {
                void list.refetch();
                void matching.refetch();
              }}
            />
          </span>
        </div>
        {list.error && list.data ? <NotRefreshed error={list.error} /> : null}
        {list.error && !list.data ? <ErrorState error={list.error} onRetry={list.refetch} /> : null}
        {list.isPending ? (
          <div className={styles.listWait}>
            <Skeleton rows={8} height={400} />
          </div>
        ) : null}
        {list.data ? (
          <LampList
            lamps={list.data.data}
            total={list.data.recordsTotal}
            page={page}
            size={size}
            sort={sort}
            loading={list.isPlaceholderData}
            news={news}
            empty={empty}
            selected={canControl ? selection.ids : undefined}
            onSelect={selection.change}
            onOpen={openLamp}
            onTurn={(turn) =>
              put({
                page: turn.page === 1 ? null : turn.page,
                size: turn.size === 50 ? null : turn.size,
                sort: turn.sort,
              })
            }
          />
        ) : null}
      </section>
    </div>
  );
}
