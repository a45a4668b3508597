import type { TFunction } from 'i18next';
import { Segmented } from 'antd';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useListAddress, type ListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber, RelativeTime, StateMark, useTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { TaskLink, useTaskQuery, useTasksOf } from '../../../parts/commands/TaskList.tsx';
import styles from '../../../parts/commands/task-list.module.css';
import { useTaskWords, type Task } from '../../../parts/commands/task-words.ts';
import { allDecided as all, decided, DecidedExceptions, DecidedPublications } from './Decided.tsx';

const filterKeys = ['approval', 'approver', 'actor', 'days'] as const;
const lanes = ['emergency', 'manual', 'plan'] as const;
const kinds = ['tasks', 'publications', 'exceptions'] as const;
const lists = {
  tasks: DecidedTasks,
  publications: DecidedPublications,
  exceptions: DecidedExceptions,
} satisfies Record<(typeof kinds)[number], () => ReactNode>;

type Kind = (typeof kinds)[number];
const kindIn = (params: URLSearchParams): Kind => kinds.find((one) => one === params.get('of')) ?? 'tasks';

/** Whether the history shows tasks, publications or exceptions. */
export function HistoryKinds() {
  const { t } = useTranslation('commands');
  const { t: ofPublications } = useTranslation('publishing');
  const { t: ofExceptions } = useTranslation('exceptions');
  const [params, setParams] = useSearchParams();
  const words = { tasks: t('title'), publications: ofPublications('title'), exceptions: ofExceptions('menu') };
  return (
    <Segmented<Kind>
      value={kindIn(params)}
      options={kinds.map((one) => ({ value: one, label: words[one] }))}
      onChange={(next) => setParams({ view: 'history', ...(next === 'tasks' ? {} : { of: next }) })}
      aria-label={t('approvals.kind')}
    />
  );
}

/** What became of what needed a second person. */
export function History() {
  const [params] = useSearchParams();
  const List = lists[kindIn(params)];
  return <List />;
}

/** Tasks that were agreed to, refused, expired or withdrawn, by whom, when and why; newest first. */
function DecidedTasks() {
  const { t, i18n } = useTranslation('commands');
  const address = useListAddress(filterKeys);
  const decidedOf = (filters: ListAddress['filters']) => ({ ...filters, approval: filters.approval ?? all });
  const list = useTasksOf({ ...address, filters: decidedOf(address.filters) }, lanes);
  const asked = useTaskQuery(lanes);
  const { target } = useTaskWords();
  const time = useTime();
  const fields = useMemo(
    () => [
      searchField({
        key: 'approval',
        label: t('approvals.outcome'),
        type: 'select',
        multiple: true,
        options: decided.map((outcome) => ({ itemValue: outcome, itemName: t(`outcome.${outcome}`) })),
      }),
      searchField({ key: 'approver', label: t('approvals.by'), type: 'text' }),
      searchField({ key: 'actor', label: t('approvals.asker'), type: 'text' }),
      searchField({ key: 'days', label: t('approvals.days'), type: 'datetimerange' }),
    ],
    [t],
  );
  return (
    <>
      <SearchPanel fields={fields} values={address.filters} onSearch={address.search} />
      <ListFrame<Task>
        name="approvals"
        list={list}
        address={address}
        queryOf={(filters) => asked(decidedOf(filters))}
        columns={columnsOf(t, { target, time, number: (n) => formatNumber(n, i18n.language, 0) })}
        texts={{
          count: (n, about) => t(about ? 'list.countAbout' : 'list.count', { n }),
          failed: t('list.failed'),
          noMatch: t('list.noMatch'),
          empty: t('approvals.noneDecided'),
          emptyText: t('approvals.noneDecidedText'),
        }}
        renderCards={(rows) => (
          <ul className={styles.cards}>
            {rows.map((task) => (
              <HistoryCard key={task.id} task={task} />
            ))}
          </ul>
        )}
      />
    </>
  );
}

/** Who decided, when and why; nobody for what expired. */
function decisionOf({ approval, cancelled }: Task): { by: string | null; at: string | null; reason: string | null } {
  if (approval?.outcome === 'withdrawn' && cancelled !== null) return cancelled;
  return approval?.decision ?? { by: null, at: approval?.expiresAt ?? null, reason: null };
}

function Outcome({ task: { approval } }: { task: Task }) {
  const { t } = useTranslation('commands');
  return approval === null ? null : (
    <StateMark state={approval.outcome === 'agreed' ? 'on' : 'offline'} word={t(`outcome.${approval.outcome}`)} />
  );
}

interface Words {
  target: (task: Task) => string;
  time: ReturnType<typeof useTime>;
  number: (n: number) => string;
}

const columnsOf = (t: TFunction<'commands'>, { target, time, number }: Words): ListColumn<Task>[] => [
  { key: 'what', name: t('list.what'), always: true, cell: (task) => <TaskLink task={task} /> },
  { key: 'outcome', state: true, name: t('approvals.outcome'), cell: (task) => <Outcome task={task} /> },
  { key: 'target', name: t('list.target'), className: styles.target, cell: target },
  { key: 'asker', name: t('approvals.asker'), cell: (task) => task.actorName },
  { key: 'asked', name: t('approvals.asked'), cell: (task) => <RelativeTime at={task.createdAt} /> },
  { key: 'reason', name: t('reason'), className: styles.target, cell: (task) => task.reason ?? '—' },
  { key: 'by', name: t('approvals.by'), cell: (task) => decisionOf(task).by ?? '—' },
  { key: 'at', name: t('approvals.at'), cell: (task) => time(decisionOf(task).at, 'dateTime') },
  { key: 'why', name: t('approvals.why'), className: styles.target, cell: (task) => decisionOf(task).reason ?? '—' },
  { key: 'total', name: t('list.total'), align: 'right', further: true, cell: (task) => number(task.total) },
];

/** The same on a phone. */
function HistoryCard({ task }: { task: Task }) {
  const { t } = useTranslation('commands');
  const { target } = useTaskWords();
  const time = useTime();
  const { by, at, reason } = decisionOf(task);
  return (
    <li>
      <TaskLink task={task} />
      <Outcome task={task} />
      <span className={styles.cardLine}>{target(task)}</span>
      <span className={styles.cardLine}>
        {t('approvals.asker')} {task.actorName} · <RelativeTime at={task.createdAt} />
        {task.reason === null ? '' : ` · ${task.reason}`}
      </span>
      <span className={styles.cardLine}>
        {by === null ? t('approvals.at') : `${t('approvals.by')} ${by} ·`} {time(at, 'dateTime')}
        {reason === null ? '' : ` · ${reason}`}
      </span>
    </li>
  );
}
