import dayjs from 'dayjs';
import { useEffect, useRef } from 'react';
import { listTasks, startTask } from '../../../../../contract/desk/tasks.ts';
import { useSend } from '../../../api/index.ts';
import type { DayRange } from '../../../parts/search-fields/index.ts';
import { leaveBegun, noteBegun, useTaskActs, useTasks, type Task } from '../../../parts/tasks/index.ts';
import type { LogKind } from './log.ts';

const kindOf = { operation: 'export.operation-log', login: 'export.login-log' } as const;
/** The fixed shortcuts: so many days through today (specified 8.4). */
const lengths = { week: 7, month: 30, quarter: 90 } as const;
type Days = Required<DayRange>;
const lastDays = (today: string, days: number): Days => ({
  from: dayjs(today)
    .subtract(days - 1, 'day')
    .format('YYYY-MM-DD'),
  to: today,
});
export const quickRanges = (today: string) =>
  (Object.keys(lengths) as (keyof typeof lengths)[]).map((key) => ({ key, ...lastDays(today, lengths[key]) }));
export const usualRange = (today: string): Days => lastDays(today, lengths.week);
/** How many days a range holds, both ends included; null while an end is missing. */
export const daysIn = ({ from, to }: DayRange): number | null =>
  from === undefined || to === undefined ? null : dayjs(to).diff(from, 'day') + 1;

const SHOWN = 5;

/**
 * The operator's exports of one log. What is begun here goes on by itself, here or not; the shell follows it
 * (app/tasks): while the dialog waits its file is saved, afterwards its end is told. Failures pop up nowhere but stand
 * in the dialog (specified 8.4).
 */
export function useExports(kind: LogKind, isShown: boolean) {
  const list = useTasks();
  const acts = useTaskActs();
  const start = useSend(startTask, [listTasks], { quiet: true });
  // The answer may come after the dialog was closed.
  const isWaiting = useRef(isShown);
  useEffect(() => {
    isWaiting.current = isShown;
  }, [isShown]);
  const forget = (): void => {
    start.reset();
    acts.forget();
  };
  return {
    list,
    tasks: list.data?.data.filter((task) => task.kind === kindOf[kind]).slice(0, SHOWN) ?? [],
    acts: { ...acts, repeat: (task: Task): void => acts.repeat(task, 'waiting') },
    isStarting: start.isPending,
    /** What refused to begin. */
    refusal: start.error,
    begin: ({ from, to }: Days): void => {
      start.mutateAsync({ body: { kind: kindOf[kind], params: { beginTime: from, endTime: to } } }).then(
        ({ id }) => noteBegun(id, isWaiting.current ? 'waiting' : 'left'),
        () => undefined,
      );
    },
    forget,
    leave: (): void => {
      leaveBegun();
      forget();
    },
  };
}
