import { useQueryClient, type Query } from '@tanstack/react-query';
import { use, useDeferredValue, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RegionContext, useFailedCall, useFreshness, useNewRegion, useShownFailure } from '../../api/freshness.ts';
import { useErrorText } from '../notices/error-text.ts';
import styles from './Freshness.module.css';
import { Icon } from '../icons/Icon.tsx';
import { useTime } from '../time/zone.ts';

/** One quiet line: since when something is no longer refreshed, why, and the one way on. */
function Line({ failed }: { failed: readonly Query[] }) {
  const { t } = useTranslation('parts');
  const textOf = useErrorText();
  const time = useTime();
  const client = useQueryClient();
  const [first] = failed;
  if (first === undefined) return null;
  const since = Math.min(...failed.map(({ state }) => state.dataUpdatedAt));
  const reason = textOf(first.state.error);
  const busy = failed.some(({ state }) => state.fetchStatus === 'fetching');
  const retry = (): void => {
    for (const { queryKey } of failed) void client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  };
  return (
    <div className={styles.line} role="status">
      <Icon name="clock" size={14} />
      <span>
        {since === 0 ? t('fresh.missing', { reason }) : t('fresh.failed', { time: time(since, 'minute'), reason })}
      </span>
      <button type="button" disabled={busy} aria-busy={busy} onClick={retry}>
        {t('error.retry')}
      </button>
    </div>
  );
}

/**
 * The rows beside it are old, as the last refresh failed: `<NotRefreshed error={list.error} />`, shown while there are
 * rows. Nothing without an error.
 */
export function NotRefreshed({ error }: { error: unknown }) {
  useShownFailure(error);
  const failed = useFailedCall(error);
  return failed ? <Line failed={[failed]} /> : null;
}

/** Around a page: what it asks for is watched, and a line at its head shows every failure that no part of it shows. */
export function PageRegion({ children }: { children: ReactNode }) {
  const region = useNewRegion();
  return (
    <RegionContext value={region}>
      <PageLine />
      {children}
    </RegionContext>
  );
}

function PageLine() {
  const { failed } = useFreshness(use(RegionContext));
  // Drawn a moment later: by then the part that shows the failure itself has said so.
  const which = failed.map(({ queryHash }) => queryHash).join('\n');
  return useDeferredValue(which, '') === which ? <Line failed={failed} /> : null;
}

/** Of when the rows of the page are, by this browser's clock. */
export function AsOf() {
  const { t } = useTranslation('parts');
  const time = useTime();
  const { at, coming } = useFreshness(use(RegionContext));
  // Its room is kept: the head does not wrap when the rows arrive.
  if (at === undefined && coming)
    return <span aria-hidden className={styles.room} data-room={t('fresh.asOf', { time: time(0, 'time') })} />;
  return at === undefined ? null : (
    <span className={styles.asOf} title={t('fresh.hint')}>
      {t('fresh.asOf', { time: time(at, 'time') })}
    </span>
  );
}
