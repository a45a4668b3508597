import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getAssetStatistics, getAssetStatisticsFile } from '../../../../../contract/register/statistics.ts';
import { download, useCall } from '../../../api/index.ts';
import {
  Card,
  Empty,
  ErrorState,
  Icon,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  useFirstStep,
  useTime,
} from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { Controllers } from './Controllers.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { Expiries } from './Expiries.tsx';
import { FigureCard } from './FigureCard.tsx';
import { filterKeys, filtersOf, useFilterFields, type Filters } from './filters.tsx';
import { Totals } from './Totals.tsx';
import styles from './statistics.module.css';

const figures = ['families', 'states', 'workAreas', 'roads', 'ages', 'vendors'] as const;

/** The register in figures: what there is, where, how old, from whom, in which state. */
export default function AssetStatistics() {
  const { t } = useTranslation('statistics');
  const time = useTime();
  const address = useListAddress(filterKeys);
  const filters = filtersOf(address.filters);
  const asked = useCall(getAssetStatistics, { query: filters }, { keepPrevious: true, staleTime: 0 });
  const fields = useFilterFields();
  const told = asked.data;
  const narrow = (change: Filters): void => address.search({ ...filters, ...change });
  return (
    <Page>
      <RefreshBar active={asked.isFetching && !asked.isPending} />
      <PageBar
        title={t('title')}
        note={told ? t('at', { time: time(told.at, 'dateTime') }) : undefined}
        actions={
          <Actions
            filters={filters}
            empty={told === undefined || told.total === 0}
            onRefresh={() => void asked.refetch()}
          />
        }
      />
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      {asked.error ? (
        <Card>
          <ErrorState error={asked.error} onRetry={asked.refetch} />
        </Card>
      ) : null}
      {asked.isPending ? (
        <>
          <Skeleton rows={2} height={96} />
          <div className={styles.grid}>
            {figures.map((name) => (
              <Card key={name}>
                <Skeleton rows={6} height={260} />
              </Card>
            ))}
          </div>
        </>
      ) : null}
      {told && !asked.error ? <Totals told={told} onStatus={(status) => narrow({ status })} /> : null}
      {told && !asked.error && told.total > 0 ? (
        <div className={styles.grid}>
          {figures.map((name) => (
            <FigureCard key={name} name={name} told={told} filters={filters} onNarrow={narrow} />
          ))}
        </div>
      ) : null}
      {told?.total === 0 && !asked.error ? (
        <Card>
          <Nothing filtered={Object.keys(address.filters).length > 0} onClear={() => address.search({})} />
        </Card>
      ) : null}
      {asked.error || told?.total === 0 ? null : (
        <>
          <Expiries filters={filters} />
          <Controllers address={address} filters={filters} />
        </>
      )}
    </Page>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('statistics');
  const first = useFirstStep();
  return filtered ? (
    <Empty
      title={t('empty.filtered')}
      text={t('empty.filteredText')}
      action={{ text: t('empty.clear'), onClick: onClear }}
    />
  ) : (
    <Empty ofProjects title={t('empty')} text={t('empty.text')} {...first} />
  );
}

function Actions({ filters, empty, onRefresh }: { filters: Filters; empty: boolean; onRefresh: () => void }) {
  const { t } = useTranslation('statistics');
  return (
    <>
      <Button icon={<Icon name="retry" size={14} />} onClick={onRefresh}>
        {t('refresh')}
      </Button>
      <DownloadButton
        text={t('export')}
        title={t('export.title')}
        empty={empty}
        save={() => download(getAssetStatisticsFile, { query: filters }, 'statistics.xlsx', { quiet: true })}
      />
    </>
  );
}
