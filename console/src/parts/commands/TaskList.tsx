import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listCommands } from '../../../../contract/light/commands.ts';
import { useAgain, useCall, useLive } from '../../api/index.ts';
import { useOpen, usePageExists } from '../../frame/index.ts';
import type { ListAddress } from '../lists/use-list-address.ts';
import { formatNumber, RelativeTime, useTime } from '../index.ts';
import type { ListColumn } from '../lists/columns.ts';
import { ListFrame } from '../lists/ListFrame.tsx';
import type { NoticeAction } from '../notices/Notices.tsx';
import { useZone } from '../time/zone.ts';
import { TaskState } from './TaskState.tsx';
import { StepBar } from './StepBar.tsx';
import { missedOf, useTaskWords, type Task } from './task-words.ts';
import { queryOf } from './task-query.ts';
import styles from './task-list.module.css';

/** The live line tells sooner. */
const everyMs = 15_000;

/** Filters of an address as the call takes them. */
export function useTaskQuery(lanes: readonly string[]) {
  const zone = useZone();
  return (filters: ListAddress['filters']) => queryOf(filters, lanes, zone);
}

/** Tasks of some lanes, newest first and live. */
export function useTasksOf(address: ListAddress, lanes: readonly string[]) {
  const asked = useTaskQuery(lanes);
  const list = useCall(
    listCommands,
    { query: { ...asked(address.filters), page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0, every: everyMs },
  );
  useLive('commands', useAgain(list));
  return list;
}

interface Props {
  name: string;
  /** The lanes that `list` has. */
  lanes: readonly string[];
  list: ReturnType<typeof useTasksOf>;
  address: ListAddress;
  texts: {
    count: (n: string, about: boolean) => string;
    failed: string;
    noMatch: string;
    empty: string;
    emptyText: string;
  };
  /** All of them are of the same priority: it says nothing. */
  oneLane?: boolean;
  /** Heads of columns in the words of the page, where they are others. */
  heads?: { readonly progress: string; readonly actor: string; readonly time: string };
  first?: NoticeAction;
  tools?: ReactNode;
}

/** The list itself; each task opens as a page of its own. */
export function TaskList({ name, lanes, list, address, texts, oneLane = false, heads, first, tools }: Props) {
  const { t, i18n } = useTranslation('commands');
  const asked = useTaskQuery(lanes);
  const task = useTaskWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const open = useOpen();
  const hasPage = usePageExists()('lamp/command');
  return (
    <ListFrame<Task>
      name={name}
      list={list}
      {...(hasPage ? { onOpen: ({ id }: Task) => open('lamp/command', { params: { id } }) } : {})}
      address={address}
      queryOf={asked}
      columns={columnsOf(t, {
        target: task.target,
        lane: task.lane,
        number,
        oneLane,
        heads: heads ?? { progress: t('list.progress'), actor: t('list.actor'), time: t('list.time') },
      })}
      texts={texts}
      {...(first ? { first } : {})}
      {...(tools === undefined ? {} : { tools })}
      rowClass={(one) => (one.lane === 'emergency' ? (styles.emergency ?? '') : '')}
      renderCards={(rows) => (
        <ul className={styles.cards}>
          {rows.map((one) => (
            <li key={one.id} data-lane={one.lane}>
              <TaskLink task={one} />
              <TaskState task={one} />
              <span className={styles.cardLine}>{task.target(one)}</span>
              <Progress task={one} />
              <span className={styles.cardLine}>
                {one.actorName} · <RelativeTime at={one.createdAt} />
                {one.lane === 'manual' || one.lane === 'read' ? '' : ` · ${task.lane(one.lane)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    />
  );
}

/** What a task is called and its number: opens its page. */
export function TaskLink({ task }: { task: Task }) {
  const open = useOpen();
  const exists = usePageExists();
  const { title } = useTaskWords();
  const text = (
    <>
      {title(task)} <small>#{task.id}</small>
    </>
  );
  return exists('lamp/command') ? (
    <button type="button" className={styles.link} onClick={() => open('lamp/command', { params: { id: task.id } })}>
      {text}
    </button>
  ) : (
    text
  );
}

interface Words {
  target: (one: Task) => string;
  lane: (lane: Task['lane']) => string;
  number: (n: number) => string;
  oneLane: boolean;
  heads: NonNullable<Props['heads']>;
}

const columnsOf = (t: TFunction<'commands'>, { target, lane, number, oneLane, heads }: Words): ListColumn<Task>[] => [
  { key: 'what', name: t('list.what'), always: true, cell: (one) => <TaskLink task={one} /> },
  { key: 'state', state: true, name: t('list.state'), cell: (one) => <TaskState task={one} /> },
  { key: 'target', name: t('list.target'), className: styles.target, cell: target },
  { key: 'progress', name: heads.progress, cell: (one) => <Progress task={one} /> },
  { key: 'lane', name: t('list.lane'), further: oneLane, cell: (one) => lane(one.lane) },
  { key: 'actor', name: heads.actor, cell: (one) => one.actorName },
  { key: 'time', name: heads.time, cell: (one) => <RelativeTime at={one.createdAt} /> },
  { key: 'total', name: t('list.total'), align: 'right', further: true, cell: (one) => number(one.total) },
  { key: 'reason', name: t('reason'), further: true, className: styles.target, cell: (one) => one.reason ?? '—' },
  { key: 'until', name: t('list.until'), further: true, cell: (one) => <At at={one.until} /> },
];

function At({ at }: { at: string | null }) {
  const time = useTime();
  return <>{time(at, 'dayTime')}</>;
}

/** How far it got: the bar, how many of how many are proven, and what failed. */
function Progress({ task: { states, total, command } }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const missed = missedOf(states);
  return (
    <span className={styles.progress}>
      <StepBar states={states} />
      <span>
        {t(command === 'read' ? 'progress.answered' : 'progress.confirmed', {
          n: number(states.confirmed ?? 0),
          total: number(total),
        })}
        {missed > 0 ? <b> {t('progress.missed', { n: number(missed) })}</b> : null}
      </span>
    </span>
  );
}
