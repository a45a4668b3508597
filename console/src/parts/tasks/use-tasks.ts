import { useTranslation } from 'react-i18next';
import { cancelTask, deleteTask, getTaskFile, listTasks, repeatTask } from '../../../../contract/desk/tasks.ts';
import { download, useCall, useSend } from '../../api/index.ts';
import { useErrorText } from '../notices/error-text.ts';
import { toast } from '../../frame/toast-store.ts';
import { noteBegun } from './begun.ts';
import type { Task } from './task.ts';

const SHOWN = 20;
const asked = { query: { page: 0, size: SHOWN } };

/** The account's latest tasks, newest first. The shell keeps them fresh by the live topic `tasks` (app/tasks). */
export const useTasks = () => useCall(listTasks, asked, { background: true });

/** Takes a task's file; what went wrong offers to try again. */
export function useSaveFile(): (task: Task) => void {
  const { t } = useTranslation('tasks');
  const errorText = useErrorText();
  const save = (task: Task): void => {
    const name = task.file?.name ?? `${task.id}.xlsx`;
    download(getTaskFile, { params: { id: task.id } }, name, { quiet: true }).then(
      () => toast.done(t('saved', { name })),
      (error: unknown) =>
        toast.failed(`${t('notSaved', { name })} · ${errorText(error)}`, {
          text: t('again'),
          onClick: () => save(task),
        }),
    );
  };
  return save;
}

/** What can be done with a task of the list; `refusal` is what was refused last. */
export function useTaskActs() {
  const again = useSend(repeatTask, [listTasks], { quiet: true });
  const cancel = useSend(cancelTask, [listTasks], { quiet: true });
  const remove = useSend(deleteTask, [listTasks], { quiet: true });
  const save = useSaveFile();
  const sends = [again, cancel, remove];
  const only = (one: { reset: () => void }): void =>
    sends.filter((send) => send !== one).forEach((send) => send.reset());
  return {
    refusal: again.error ?? cancel.error ?? remove.error,
    busy: sends.find((send) => send.isPending)?.variables?.params.id,
    repeat: (task: Task, how: 'waiting' | 'left' = 'left'): void => {
      only(again);
      // Whoever closed the list meanwhile is told all the same.
      again.mutateAsync({ params: { id: task.id } }).then(
        ({ id }) => noteBegun(id, how),
        () => undefined,
      );
    },
    cancel: (task: Task): void => {
      only(cancel);
      cancel.mutate({ params: { id: task.id } });
    },
    remove: (task: Task): void => {
      only(remove);
      remove.mutate({ params: { id: task.id } });
    },
    save,
    forget: (): void => sends.forEach((send) => send.reset()),
  };
}
export type TaskActs = ReturnType<typeof useTaskActs>;
