import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useTabTitle } from '../../../frame/index.ts';
import { useWaitingTasks } from '../../../parts/commands/use-waiting-tasks.ts';
import { Card, Empty, ErrorState, formatNumber, Page, PageBar, RefreshBar, Skeleton } from '../../../parts/index.ts';
import { History } from './History.tsx';
import { useWaitingPublications } from '../../../parts/publishing/use-waiting-publications.ts';
import { PublicationNote, WaitingPublications } from './WaitingPublications.tsx';
import { WaitingTask } from './WaitingTask.tsx';
import styles from './approvals.module.css';

const views = ['waiting', 'history'] as const;
/**
 * Tasks that need a second person: those that wait for one, each with what would happen and the decision; and what
 * became of the others.
 */
export default function Approvals() {
  const { t, i18n } = useTranslation('commands');
  const [params, setParams] = useSearchParams();
  const view = params.get('view') === 'history' ? 'history' : 'waiting';
  useTabTitle(t('approvals.title'));
  const waiting = useWaitingTasks();
  const publications = useWaitingPublications();
  const count =
    waiting.data && publications.data ? waiting.data.recordsTotal + publications.data.recordsTotal : undefined;
  const word = (name: (typeof views)[number]): string =>
    `${t(`approvals.${name}`)}${name === 'waiting' && count !== undefined ? ` ${formatNumber(count, i18n.language, 0)}` : ''}`;
  return (
    <Page>
      <PageBar
        title={t('approvals.title')}
        note={t('approvals.note')}
        actions={
          <Segmented<(typeof views)[number]>
            value={view}
            options={views.map((name) => ({ value: name, label: word(name) }))}
            onChange={(next) => setParams(next === 'history' ? { view: next } : {})}
            aria-label={t('approvals.title')}
          />
        }
      />
      {view === 'history' ? (
        <>
          <PublicationNote />
          <History />
        </>
      ) : (
        <Waiting waiting={waiting} publications={publications} />
      )}
    </Page>
  );
}

function Waiting({
  waiting,
  publications,
}: {
  waiting: ReturnType<typeof useWaitingTasks>;
  publications: ReturnType<typeof useWaitingPublications>;
}) {
  const { t } = useTranslation('commands');
  const { data, error, isPending, isFetching, refetch } = waiting;
  if (isPending || publications.isPending)
    return (
      <Card>
        <Skeleton rows={6} height={260} />
      </Card>
    );
  if (!data)
    return (
      <Card>
        <ErrorState title={t('list.failed')} error={error} onRetry={refetch} />
      </Card>
    );
  const some = publications.data?.data ?? [];
  if (data.data.length + some.length === 0 && publications.data)
    return (
      <Card>
        <Empty title={t('approvals.none')} text={t('approvals.noneText')} />
      </Card>
    );
  return (
    <div className={styles.waiting}>
      <RefreshBar active={isFetching || publications.isFetching} />
      <WaitingPublications answer={publications} />
      {data.data.length === 0 ? null : (
        <ul className={styles.tasks} aria-label={t('approvals.waiting')}>
          {data.data.map((task) => (
            <WaitingTask key={task.id} task={task} />
          ))}
        </ul>
      )}
    </div>
  );
}
