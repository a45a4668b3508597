import { useTranslation } from 'react-i18next';
import type { QueryOf, ReplyOf } from '../../../../../contract/route.ts';
import {
  cancelCommand,
  exportCommand,
  getCommand,
  listCommands,
  resumeCommand,
  retryCommand,
  verifyCommand,
  type retryStates,
} from '../../../../../contract/light/commands.ts';
import { listTasks } from '../../../../../contract/desk/tasks.ts';
import { useAgain, useCall, useLive, useSend } from '../../../api/index.ts';
import { useIsShown, useOpen } from '../../../frame/index.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import { noteBegun } from '../../../parts/tasks/index.ts';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import { holdingOf, useHold, useIsHeld } from '../../../parts/commands/use-hold.ts';
import { useCommandWords } from '../../../parts/commands/words.ts';

export type OpenTask = ReplyOf<typeof getCommand>;
export type RetryState = (typeof retryStates)[number];

/** One task, kept fresh by its live topic; `query` narrows its results. */
export function useTask(id: number, query: QueryOf<typeof getCommand>) {
  const task = useCall(getCommand, { params: { id }, query }, { keepPrevious: true, staleTime: 0 });
  const again = useAgain(task);
  useLive(`command:${id}`, (message) => {
    if (message.type === 'command' || message.type === 'stale') again();
  });
  return task;
}

const refreshed = [getCommand, listCommands];

/** What can be done with a task; each resolves when it was done and throws what was refused. */
export function useTaskActs(task: OpenTask) {
  const { id } = task;
  const { t } = useTranslation('commands');
  const open = useOpen();
  const errorText = useErrorText();
  const words = useCommandWords();
  const retry = useSend(retryCommand, refreshed, { quiet: true });
  const verify = useSend(verifyCommand, refreshed, { quiet: true });
  const cancel = useSend(cancelCommand, refreshed, { quiet: true });
  const resume = useSend(resumeCommand, refreshed, { quiet: true });
  const save = useSend(exportCommand, [listTasks], { quiet: true });
  const requests = useRequestIds();
  const params = { id };
  const isShown = useIsShown();
  const hold = useHold();
  const held = useIsHeld(id);
  const about = (lamps: number) => holdingOf(task, words.title(task.command, task.args), lamps);
  const show = (made: { id: number }, content: unknown): void => {
    requests.answered(content);
    if (isShown()) open('lamp/command', { params: { id: made.id } });
  };
  return {
    /** `lamps`: how many are asked again. */
    retry: async (states: readonly RetryState[], reason: string, lamps: number): Promise<void> => {
      const body = { states: [...states], ...(reason === '' ? {} : { reason }) };
      const requestId = requests.of(body);
      await hold(about(lamps), async () =>
        show(await retry.mutateAsync({ params, body: { ...body, requestId } }), body),
      );
    },
    verify: async (): Promise<void> =>
      show(await verify.mutateAsync({ params, body: { requestId: requests.of('verify') } }), 'verify'),
    cancel: async (reason: string): Promise<void> => {
      const { cancelled, onTheWay } = await cancel.mutateAsync({ params, body: { reason } });
      toast.done(t(onTheWay > 0 ? 'cancel.doneOnTheWay' : 'cancel.done', { n: cancelled, onTheWay }));
    },
    resume: async (reason: string): Promise<void> => {
      await hold(about(task.states.waiting ?? 0), async () => {
        const { released } = await resume.mutateAsync({ params, body: { reason } });
        toast.done(t('resume.done', { n: released }));
      });
    },
    /** Begins the sheet of the results; it comes by itself when it is ready (app/tasks). */
    save(format: 'xlsx' | 'csv'): void {
      save.mutateAsync({ params, body: { format } }).then(
        ({ taskId }) => noteBegun(taskId, 'waiting'),
        (error: unknown) => toast.failed(errorText(error)),
      );
    },
    saving: save.isPending,
    /** A retry or the going on waits to be sent, or for its answer. */
    sending: held || retry.isPending || resume.isPending,
  };
}
