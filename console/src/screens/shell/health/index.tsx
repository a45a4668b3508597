import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getSystemHealth } from '../../../../../contract/shell/system-health.ts';
import { useCall } from '../../../api/index.ts';
import { Card, ErrorState, Icon, Page, PageBar, RefreshBar, Skeleton, StateShape } from '../../../parts/index.ts';
import { Hour } from './Hour.tsx';
import { Subjects } from './Subjects.tsx';
import { Changes, Jobs, Processes, Refused, Sizes } from './Tables.tsx';
import { markOf, whole, type Health } from './words.ts';
import styles from './health.module.css';

const everyMs = 10_000;

/** How the system itself is doing, for those who keep it running: in words, since when, and what to do. */
export default function SystemHealth() {
  const { t } = useTranslation('health');
  const { t: menu } = useTranslation('menu');
  const asked = useCall(getSystemHealth, {}, { staleTime: 0, every: everyMs, keepPrevious: true });
  const told = asked.data;
  const refresh = (
    <Button icon={<Icon name="retry" size={14} />} onClick={() => void asked.refetch()}>
      {t('refresh')}
    </Button>
  );
  return (
    <Page>
      <RefreshBar active={asked.isFetching && asked.isPending} />
      <PageBar title={menu('system/health')} actions={refresh} />
      {asked.error ? (
        <Card>
          <ErrorState title={t('failed')} error={asked.error} onRetry={asked.refetch} />
          <p className={styles.failedNote}>{t('failed.note')}</p>
        </Card>
      ) : null}
      {asked.isPending ? (
        <>
          <Skeleton rows={1} height={64} />
          <Card>
            <Skeleton rows={8} height={520} />
          </Card>
        </>
      ) : null}
      {told ? <Told health={told} stale={asked.error !== null} /> : null}
    </Page>
  );
}

function Told({ health, stale }: { health: Health; stale: boolean }) {
  const { t } = useTranslation('health');
  return (
    <div className={styles.told} data-stale={stale || undefined}>
      <Verdict health={health} />
      <div className={styles.columns}>
        <Card title={t('subjects')}>
          <Subjects health={health} />
        </Card>
        <div className={styles.side}>
          <Hour health={health} />
          <Changes health={health} />
          <Sizes health={health} />
        </div>
      </div>
      <Processes health={health} />
      <Refused health={health} />
      <Jobs health={health} />
    </div>
  );
}

/** The one sentence for whoever only looks up. */
function Verdict({ health }: { health: Health }) {
  const { t, i18n } = useTranslation('health');
  const count = (state: string): number => health.subjects.filter((one) => one.state === state).length;
  return (
    <div className={styles.verdict} data-state={health.state} role="status">
      <StateShape state={markOf[health.state]} size={20} />
      <p>
        {t(health.state === 'failing' && count('degraded') === 0 ? 'verdict.failingOnly' : `verdict.${health.state}`, {
          failing: whole(count('failing'), i18n.language),
          degraded: whole(count('degraded'), i18n.language),
          unknown: whole(count('unknown'), i18n.language),
        })}
      </p>
    </div>
  );
}
