import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { commandStates } from '../../../../../contract/light/commands.ts';
import { ApiError } from '../../../api/index.ts';
import { useOpen, usePageExists, useTabTitle } from '../../../frame/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton, useTime } from '../../../parts/index.ts';
import { durationClock, useNow } from '../../../parts/time/use-now.ts';
import type { CommandState } from '../../../parts/commands/commands.ts';
import { useTaskWords } from '../../../parts/commands/task-words.ts';
import { Actions } from './Actions.tsx';
import { ApprovalPanel } from '../../../parts/commands/ApprovalPanel.tsx';
import { Facts } from './Facts.tsx';
import { Funnel } from './Funnel.tsx';
import { Items } from './Items.tsx';
import { Notices } from '../../../parts/commands/Notices.tsx';
import { TaskState } from '../../../parts/commands/TaskState.tsx';
import { useTask, type OpenTask } from './use-task.ts';
import styles from './command.module.css';

/** One task with an address of its own: how far it got, what became of each device, and what can be done about it. */
export default function CommandPage() {
  const { t } = useTranslation('commands');
  const { id: text = '' } = useParams();
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return id === null ? (
    <Untold>
      <Empty title={t('gone')} />
    </Untold>
  ) : (
    <One key={id} id={id} />
  );
}

/** The page while there is no task to name it after. */
function Untold({ children }: { children: ReactNode }) {
  const { t } = useTranslation('commands');
  return (
    <Page>
      <PageBar title={t('list.what')} />
      {children}
    </Page>
  );
}

const filterKeys = ['state', 'q'] as const;
const isState = (text: string): text is CommandState => (commandStates as readonly string[]).includes(text);

function One({ id }: { id: number }) {
  const { t } = useTranslation('commands');
  const open = useOpen();
  const exists = usePageExists();
  const words = useTaskWords();
  const address = useListAddress(filterKeys);
  const states = (address.filters.state ?? '').split(',').filter(isState);
  const query = {
    page: address.page,
    size: address.size,
    ...(states.length === 0 ? {} : { state: states.join(',') }),
    ...(address.filters.q === undefined ? {} : { q: address.filters.q }),
  };
  const task = useTask(id, query);
  const { data, error } = task;
  const title = data ? words.title(data) : undefined;
  useTabTitle(title === undefined ? undefined : `${title} #${id}`);
  if (error && !data) {
    return (
      <Untold>
        {error instanceof ApiError && error.status === 404 ? (
          <Empty
            title={t('gone')}
            {...(exists('lamp/commands') ? { action: { text: t('title'), onClick: () => open('lamp/commands') } } : {})}
          />
        ) : (
          <ErrorState error={error} onRetry={task.refetch} />
        )}
      </Untold>
    );
  }
  if (!data || title === undefined)
    return (
      <Untold>
        <Skeleton rows={8} height={480} />
      </Untold>
    );
  return (
    <Page>
      <PageBar
        title={title}
        note={
          <span className={styles.head}>
            <TaskState task={data} />
            <span>#{id}</span>
            <Running task={data} />
          </span>
        }
        actions={<Actions task={data} />}
      />
      <Notices task={data} />
      <ApprovalPanel task={data} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Card title={t('funnel.title')}>
            <Funnel
              states={data.states}
              total={data.total}
              read={data.command === 'read'}
              chosen={states}
              onChoose={(next) => address.search({ ...address.filters, state: next.join(',') })}
            />
          </Card>
          <Items task={task} address={address} />
        </div>
        <Card title={t('facts.title')}>
          <Facts task={data} />
        </Card>
      </div>
    </Page>
  );
}

/** How long it has been running; of one that is over, when it began. */
function Running({ task }: { task: OpenTask }) {
  const { t } = useTranslation('commands');
  const time = useTime();
  const now = useNow(task.state === 'running');
  return (
    <span className={styles.clock}>
      {task.state === 'running'
        ? t('running', { clock: durationClock(now - new Date(task.createdAt).getTime()) })
        : time(task.createdAt, 'dayTime')}
    </span>
  );
}
