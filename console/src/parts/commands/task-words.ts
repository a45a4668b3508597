import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { retryStates, type CommandSummary, type taskStates } from '../../../../contract/light/commands.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { formatList, formatNumber, type MarkState } from '../index.ts';
import { useCommandWords } from './words.ts';

export type Task = Static<typeof CommandSummary>;
export type TaskStateName = (typeof taskStates)[number];

/** How many devices came to an end that may be asked for again without being named. */
export const missedOf = (states: Readonly<Record<string, number>>): number =>
  retryStates.reduce((sum, state) => sum + (state === 'cancelled' ? 0 : (states[state] ?? 0)), 0);

const marks: Record<Exclude<TaskStateName, 'finished'>, MarkState> = {
  awaitingApproval: 'info',
  running: 'partial',
  halted: 'alarm',
  cancelled: 'offline',
  refused: 'offline',
  lapsed: 'offline',
};

/** A task as a whole in words of the language in force: where it stands, to whom it goes. */
export function useTaskWords() {
  const { t, i18n } = useTranslation('commands');
  const names = useNames();
  const words = useCommandWords();
  const count = (n: number): string => t('target.lamps', { n: formatNumber(n, i18n.language, 0) });
  /** A finished one says whether all went well: "finished" alone would hide what failed. */
  const standing = ({
    state,
    states,
    total,
    command,
  }: Pick<Task, 'state' | 'states' | 'total' | 'command'>): { mark: MarkState; word: string } => {
    if (state !== 'finished') return { mark: marks[state], word: t(`phase.${state}`) };
    const read = command === 'read';
    if (missedOf(states) > 0) return { mark: 'alarm', word: t(read ? 'phase.someSilent' : 'phase.missed') };
    return states.confirmed === total
      ? { mark: 'on', word: t(read ? 'phase.allAnswered' : 'phase.allConfirmed') }
      : { mark: 'off', word: t('phase.finished') };
  };
  /** Road, group, controller or area by name, families when they were named, else how many were chosen. */
  const target = ({ scope, total }: Pick<Task, 'scope' | 'total'>): string => {
    const where = [...(scope.names ?? []), ...(scope.families ?? []).map((family) => names.family(family))];
    const n = formatNumber(total, i18n.language, 0);
    return where.length === 0
      ? t('target.chosen', { n })
      : `${formatList(where, i18n.language)} · ${scope.families ? t('target.devices', { n }) : count(total)}`;
  };
  /** What a task is called: a read of devices, what it settles of another task, or its command. */
  const title = ({ command, args, verifies }: Pick<Task, 'command' | 'args' | 'verifies'>): string =>
    verifies !== null
      ? t('list.verifies', { id: verifies })
      : command === 'read'
        ? t('polls.title')
        : words.title(command, args);
  const percent = (share: number): string =>
    new Intl.NumberFormat(i18n.language === 'en-XA' ? 'en-US' : i18n.language, {
      style: 'percent',
      maximumFractionDigits: 1,
    }).format(share);
  return { standing, target, title, count, percent, lane: (lane: Task['lane']): string => t(`lane.${lane}`) };
}
