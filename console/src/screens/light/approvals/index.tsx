import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { useWaiting, type Waiting as Answers } from '../../../parts/approvals/use-waiting.ts';
import { Card, Empty, ErrorState, formatNumber, Page, PageBar, RefreshBar, Skeleton } from '../../../parts/index.ts';
import { History, HistoryKinds } from './History.tsx';
import { WaitingExceptions } from './WaitingExceptions.tsx';
import { WaitingPublications } from './WaitingPublications.tsx';
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
  const waiting = useWaiting();
  const { commands, publications, exceptions } = waiting;
  const count =
    commands.data && publications.data && exceptions.data
      ? commands.data.recordsTotal + publications.data.recordsTotal + exceptions.data.recordsTotal
      : undefined;
  const word = (name: (typeof views)[number]): string =>
    `${t(`approvals.${name}`)}${name === 'waiting' && count !== undefined ? ` ${formatNumber(count, i18n.language, 0)}` : ''}`;
  return (
    <Page list={view === 'history'}>
      <PageBar
        title={t('approvals.title')}
        {...(view === 'history' ? {} : { note: t('approvals.note') })}
        actions={
          <span className={styles.views}>
            {view === 'history' ? <HistoryKinds /> : null}
            <Segmented<(typeof views)[number]>
              value={view}
              options={views.map((name) => ({ value: name, label: word(name) }))}
              onChange={(next) => setParams(next === 'history' ? { view: next } : {})}
              aria-label={t('approvals.title')}
            />
          </span>
        }
      />
      {view === 'history' ? <History /> : <Waiting {...waiting} />}
    </Page>
  );
}

function Waiting({ commands, publications, exceptions }: Answers) {
  const { t } = useTranslation('commands');
  const { data, error, isPending, isFetching, refetch } = commands;
  if (isPending || publications.isPending || exceptions.isPending)
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
  const count = data.data.length + (publications.data?.data.length ?? 0) + (exceptions.data?.data.length ?? 0);
  if (count === 0 && publications.data && exceptions.data)
    return (
      <Card>
        <Nothing />
      </Card>
    );
  return (
    <div className={styles.waiting}>
      <RefreshBar active={isFetching || publications.isFetching || exceptions.isFetching} />
      <WaitingPublications answer={publications} />
      <WaitingExceptions answer={exceptions} />
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

/** Nobody waits: when somebody would, is a matter of the site's rules. */
function Nothing() {
  const { t } = useTranslation('commands');
  const { t: menu } = useTranslation('menu');
  const open = useOpen();
  const exists = usePageExists();
  const rules = 'system/command-policy';
  return (
    <Empty
      title={t('approvals.none')}
      text={t('approvals.noneText')}
      {...(exists(rules) ? { action: { text: menu(rules), onClick: () => open(rules) } } : {})}
    />
  );
}
