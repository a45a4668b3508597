import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { ApiError } from '../../api/index.ts';
import { formatNumber, toast, useErrorText } from '../index.ts';
import { noteUnsent, storedToken, storedWorkId } from '../../session/index.ts';
import { heldAbove, heldCommands, heldOver, holdCommand } from './hold.ts';
import { newRequestId } from './request-id.ts';
import type { Task } from './task-words.ts';

interface Holding {
  /** What it does, in the words of its dialog. */
  readonly what: string;
  readonly lamps: number;
  /** Never waits. */
  readonly emergency?: boolean;
  /** The task that it retries, resumes or agrees to. */
  readonly task?: number;
}

/** What is done again, or at last, with so many lamps of a task: an emergency never waits, nor does a read. */
export const holdingOf = (task: Pick<Task, 'id' | 'command' | 'lane'>, what: string, lamps: number): Holding => ({
  what,
  lamps: task.command === 'read' ? 0 : lamps,
  emergency: task.lane === 'emergency',
  task: task.id,
});

/** Whether something about the task waits behind the undo bar: it is not asked for a second time. */
export const useIsHeld = (task: number): boolean =>
  useStore(heldCommands, (held) => held.some((one) => one.task === task));

/** The server has said no; after any other failure nobody knows whether the command was made. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'problem' && (error.status < 500 || error.status === 503);

/** Whether the project is another now: the same words would mean other lamps. */
function projectWatch(): () => boolean {
  const project = storedWorkId();
  return () => storedWorkId() !== project;
}

/**
 * Waits until what is held behind the undo bar was sent or undone: a lamp that both mean does what was asked last.
 * Throws why nothing may be sent any more, in the operator's language.
 */
export function useAfterHeld(): () => Promise<void> {
  const { t } = useTranslation('commands');
  return async () => {
    const isMoved = projectWatch();
    const notSent = await heldOver();
    if (notSent !== undefined) throw new Error(t(`hold.${notSent}`));
    if (isMoved()) throw new Error(t('hold.project'));
  };
}

/**
 * Sends a command that the operator has confirmed: an emergency or a read at once, one to few lamps after what is held,
 * one to more than `heldAbove` behind the undo bar, resolving as soon as it waits there. `send` may be called again after
 * a failure that the operator wants repeated, so it takes the name of its request beforehand.
 */
export function useHold(): (about: Holding, send: () => Promise<unknown>) => Promise<void> {
  const { t, i18n } = useTranslation('commands');
  const textOf = useErrorText();
  const afterHeld = useAfterHeld();
  return async ({ what, lamps, emergency = false, task }, send) => {
    if (emergency || lamps <= heldAbove) {
      if (!emergency && lamps > 0) await afterHeld();
      return void (await send());
    }
    const isMoved = projectWatch();
    const about = { what, n: formatNumber(lamps, i18n.language, 0) };
    // Two commands that do the same are two failures, each with its own way to send it again.
    const key = newRequestId();
    const failed = (text: string, again = true): void =>
      void toast.mustRead(text, {
        key,
        ...(again ? { action: { text: t('hold.again'), onClick: () => void sendNow() } } : {}),
      });
    const sendNow = async (): Promise<void> => {
      if (isMoved()) return failed(t('hold.failed', { ...about, reason: t('hold.project') }));
      try {
        await send();
      } catch (error) {
        failed(t(isRefused(error) ? 'hold.failed' : 'hold.unknown', { ...about, reason: textOf(error) }));
        // The refusal has ended the session, and takes this page with all that it says.
        if (error instanceof ApiError && error.status === 401 && storedToken() === undefined) noteUnsent(what);
      }
    };
    holdCommand(
      { what, lamps, task },
      {
        send: sendNow,
        notSent: (why) => failed(t('hold.failed', { ...about, reason: t(`hold.${why}`) }), why === 'late'),
      },
    );
  };
}
