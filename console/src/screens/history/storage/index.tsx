import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getHistoryStorage } from '../../../../../contract/history/history.ts';
import { useCall } from '../../../api/index.ts';
import {
  Card,
  ErrorState,
  Icon,
  Page,
  PageBar,
  RefreshBar,
  RelativeTime,
  Skeleton,
  useTime,
} from '../../../parts/index.ts';
import { Parts } from './Parts.tsx';
import type { Storage } from './retention.ts';
import { RetentionForm } from './RetentionForm.tsx';
import { useAmounts } from './words.ts';
import styles from './storage.module.css';

const everyMs = 60_000;

/** What the history takes on the disk, how it grows, and how long it is kept. */
export default function HistoryStorage() {
  const { t } = useTranslation('storage');
  const { data, error, refetch, isFetching } = useCall(getHistoryStorage, {}, { staleTime: 0, every: everyMs });
  return (
    <Page>
      <RefreshBar active={isFetching && data !== undefined} />
      <PageBar
        title={t('title')}
        note={t('note')}
        actions={
          <Button icon={<Icon name="retry" size={14} />} onClick={() => void refetch()}>
            {t('refresh')}
          </Button>
        }
      />
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={refetch} />
        </Card>
      ) : null}
      {!data && !error ? (
        <>
          <Card>
            <Skeleton rows={2} height={72} />
          </Card>
          <Card>
            <Skeleton rows={6} height={320} />
          </Card>
        </>
      ) : null}
      {data ? (
        <>
          <Figures storage={data} />
          <Card title={t('parts')} flush>
            <Parts parts={data.parts} />
          </Card>
          <Card title={t('retention')}>
            <RetentionForm storage={data} onReload={() => void refetch()} />
          </Card>
        </>
      ) : null}
    </Page>
  );
}

function Figures({
  storage: { databaseBytes, freeBytes, growth, rolledTo, lateWaiting, daysWaiting, lastCleaned, parts },
}: {
  storage: Storage;
}) {
  const { t } = useTranslation('storage');
  const { size, number } = useAmounts();
  const time = useTime();
  const history = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  // What comes within a year does not fit on what is free.
  const isTight = freeBytes !== null && growth !== null && growth.bytesInYear - history > freeBytes;
  const figures = [
    { key: 'history', value: size(history), note: t('figure.history.of', { size: size(databaseBytes) }) },
    {
      key: 'growth',
      value: growth === null ? '—' : t('figure.growth.day', { size: size(growth.bytesPerDay) }),
      note: growth === null ? t('figure.growth.none') : t('figure.growth.rows', { rows: number(growth.rowsPerDay) }),
    },
    {
      key: 'forecast',
      value: growth === null ? '—' : size(growth.bytesInYear),
      note: growth === null ? t('figure.growth.none') : t('figure.forecast.month', { size: size(growth.bytesInMonth) }),
    },
    {
      key: 'free',
      value: freeBytes === null ? '—' : size(freeBytes),
      note: freeBytes === null ? t('figure.free.elsewhere') : t(isTight ? 'figure.free.tight' : 'figure.free.enough'),
    },
  ] as const;
  return (
    <Card>
      <dl className={styles.figures}>
        {figures.map(({ key, value, note }) => (
          <div key={key} data-tight={(key === 'free' && isTight) || undefined}>
            <dt>{t(`figure.${key}`)}</dt>
            <dd>{value}</dd>
            <dd className={styles.under}>{note}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.state}>
        <span>{rolledTo === null ? t('rolled.never') : `${t('rolled')} ${time(rolledTo, 'dayTime')}`}</span>
        <span>{t('waiting', { late: number(lateWaiting), days: number(daysWaiting) })}</span>
        <span>
          {lastCleaned === null ? (
            t('cleaned.never')
          ) : (
            <>
              {t('cleaned')} <RelativeTime at={lastCleaned} />
            </>
          )}
        </span>
      </p>
    </Card>
  );
}
