import dayjs from 'dayjs';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { cancelTask, deleteTask, getTaskFile, listTasks, repeatTask, startTask, type Task as TaskSchema } from '../../../../contract/routes/tasks.ts';
import { download, useCall, useSend } from '../../api/index.ts';
import { toast, useErrorText } from '../../parts/index.ts';
import type { DayRange } from '../../parts/search/index.ts';
import type { LogKind } from './log.ts';

export type Task = Static<typeof TaskSchema>;
export const isOpen = ({ state }: Pick<Task, 'state'>): boolean => state === 'queued' || state === 'running';

const kindOf = { operation: 'export.operation-log', login: 'export.login-log' } as const;
/** The shortcuts of the specification: so many days through today (S2 section 9). */
const lengths = { week: 7, month: 30, quarter: 90 } as const;
type Days = Required<DayRange>;
const lastDays = (today: string, days: number): Days => ({ from: dayjs(today).subtract(days - 1, 'day').format('YYYY-MM-DD'), to: today });
export const quickRanges = (today: string) => (Object.keys(lengths) as (keyof typeof lengths)[]).map((key) => ({ key, ...lastDays(today, lengths[key]) }));
export const usualRange = (today: string): Days => lastDays(today, lengths.week);
/** How many days a range holds, both ends included; null while an end is missing. */
export const daysIn = ({ from, to }: DayRange): number | null => (from === undefined || to === undefined ? null : dayjs(to).diff(from, 'day') + 1);

const SHOWN = 5;
const LOOK_MS = 1000;
const tasksAsked = { query: { page: 0, size: 20 } };

/**
 * The operator's exports of one log. What is begun here goes on by itself, here or not: it is followed until it ends, and its
 * file is then saved. Failures pop up nowhere but stand in the dialog (S2 section 7).
 */
export function useExports(kind: LogKind, isShown: boolean) {
  const { t } = useTranslation('logs');
  const errorText = useErrorText();
  const [awaited, setAwaited] = useState<readonly number[]>([]);
  const known = useCall(listTasks, tasksAsked, { enabled: false, quiet: true }).data?.data;
  const isBusy = awaited.length > 0 || (isShown && known?.some(isOpen) === true);
  const list = useCall(listTasks, tasksAsked, { enabled: isShown || awaited.length > 0, quiet: true, background: true, staleTime: 0, ...(isBusy ? { every: LOOK_MS } : {}) });
  const start = useSend(startTask, [listTasks], { quiet: true });
  const again = useSend(repeatTask, [listTasks], { quiet: true });
  const cancel = useSend(cancelTask, [listTasks], { quiet: true });
  const remove = useSend(deleteTask, [listTasks], { quiet: true });

  const save = (task: Task): void => {
    const name = task.file?.name ?? `${kind}-log.xlsx`;
    download(getTaskFile, { params: { id: task.id } }, name, { quiet: true })
      .then(() => toast.done(t('export.done', { name })), (error: unknown) => toast.failed(`${t('export.failed')} · ${errorText(error)}`, { text: t('export.retry'), onClick: () => save(task) }));
  };
  const ended = list.data?.data.filter((task) => awaited.includes(task.id) && !isOpen(task)) ?? [];
  const endedIds = ended.map(({ id }) => id).join(',');
  const settle = useEffectEvent(() => {
    setAwaited(awaited.filter((id) => !ended.some((task) => task.id === id)));
    for (const task of ended) if (task.state === 'done') save(task);
  });
  useEffect(() => { if (endedIds !== '') settle(); }, [endedIds]);

  const follow = ({ id }: Task): void => setAwaited((before) => [...before, id]);
  return {
    tasks: list.data?.data.filter((task) => task.kind === kindOf[kind]).slice(0, SHOWN),
    error: list.data ? null : list.error,
    retry: list.refetch,
    isStarting: start.isPending,
    /** What refused to begin, be stopped or be removed. */
    refusal: start.error ?? again.error ?? cancel.error ?? remove.error,
    begin: ({ from, to }: Days): void => start.mutate({ body: { kind: kindOf[kind], params: { beginTime: from, endTime: to } } }, { onSuccess: follow }),
    repeat: (task: Task): void => again.mutate({ params: { id: task.id } }, { onSuccess: follow }),
    cancel: (task: Task): void => cancel.mutate({ params: { id: task.id } }),
    remove: (task: Task): void => remove.mutate({ params: { id: task.id } }),
    save,
    forget: (): void => [start, again, cancel, remove].forEach((send) => send.reset()),
  };
}
