import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { listTasks } from '../../../../contract/desk/tasks.ts';
import { callKey, useLive, useLiveState } from '../../api/index.ts';
import { toast } from '../../parts/index.ts';
import {
  begun,
  isOpen,
  takeBegun,
  useSaveFile,
  useTaskActs,
  useTasks,
  useTaskTitle,
  type Task,
} from '../../parts/tasks/index.ts';

/**
 * Keeps the list of tasks fresh by the live topic: whatever changes is asked again, and everything once the line is
 * there again.
 */
function useFreshTasks(): void {
  const client = useQueryClient();
  const { state } = useLiveState();
  const refresh = (): void => void client.invalidateQueries({ queryKey: callKey(listTasks) });
  const caughtUp = useEffectEvent(refresh);
  useLive('tasks', refresh);
  useEffect(() => {
    if (state === 'live') caughtUp();
  }, [state]);
}

/**
 * The account's tasks, kept fresh; what was begun in this window and ends is saved where its dialog or page is still
 * open, told otherwise.
 */
export function useTaskNews() {
  const { t } = useTranslation('tasks');
  useFreshTasks();
  const list = useTasks();
  const { repeat } = useTaskActs();
  const save = useSaveFile();
  const titleOf = useTaskTitle();
  const awaited = useStore(begun);
  const ended = list.data?.data.filter((task) => awaited.has(task.id) && !isOpen(task)) ?? [];
  const endedIds = ended.map(({ id }) => id).join(',');

  const tell = (task: Task): void => {
    const how = takeBegun(task.id);
    const { title, of } = titleOf(task);
    if (task.state === 'failed')
      return void toast.failed(
        t('told.failed', { title, reason: task.error ?? '' }),
        task.kind.startsWith('export.') ? { text: t('repeat'), onClick: () => repeat(task) } : undefined,
      );
    if (task.state !== 'done') return undefined;
    if (task.file && how !== 'left' && how !== undefined) return save(task);
    return void toast.done(
      t('told.done', { title, of }),
      task.file ? { text: t('download'), onClick: () => save(task) } : undefined,
    );
  };
  const tellAll = useEffectEvent(() => ended.forEach(tell));
  useEffect(() => {
    if (endedIds !== '') tellAll();
  }, [endedIds]);
  return list;
}
