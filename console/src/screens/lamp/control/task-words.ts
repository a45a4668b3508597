import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { retryStates, type CommandSummary, type taskStates } from '../../../../../contract/routes/commands.ts';
import { useNames } from '../../../parts/catalogue-names.ts';
import { formatList, formatNumber, type MarkState } from '../../../parts/index.ts';

export type Task = Static<typeof CommandSummary>;
export type TaskStateName = (typeof taskStates)[number];

/** How many devices came to an end that may be asked for again without being named. */
export const missedOf = (states: Readonly<Record<string, number>>): number => retryStates.reduce((sum, state) => sum + (state === 'cancelled' ? 0 : states[state] ?? 0), 0);

const marks: Record<Exclude<TaskStateName, 'finished'>, MarkState> = { awaitingApproval: 'info', running: 'dimmed', halted: 'maintenance', cancelled: 'offline', refused: 'offline', lapsed: 'offline' };

/** A task as a whole in words of the language in force: where it stands, to whom it goes. */
export function useTaskWords() {
  const { t, i18n } = useTranslation('commands');
  const names = useNames();
  const count = (n: number): string => t('target.lamps', { n: formatNumber(n, i18n.language, 0) });
  /** A finished one says whether all went well: "finished" alone would hide what failed. */
  const standing = ({ state, states, total }: Pick<Task, 'state' | 'states' | 'total'>): { mark: MarkState; word: string } => {
    if (state !== 'finished') return { mark: marks[state], word: t(`phase.${state}`) };
    if (missedOf(states) > 0) return { mark: 'alarm', word: t('phase.missed') };
    return states.confirmed === total ? { mark: 'on', word: t('phase.allConfirmed') } : { mark: 'off', word: t('phase.finished') };
  };
  /** Road, group, controller or area by name, families when they were named, else how many were chosen. */
  const target = ({ scope, total }: Pick<Task, 'scope' | 'total'>): string => {
    const where = [...(scope.names ?? []), ...(scope.families ?? []).map((family) => names.family(family))];
    return where.length === 0 ? t('target.chosen', { n: formatNumber(total, i18n.language, 0) }) : `${formatList(where, i18n.language)} · ${count(total)}`;
  };
  const percent = (share: number): string => new Intl.NumberFormat(i18n.language === 'en-XA' ? 'en-US' : i18n.language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  return { standing, target, count, percent, lane: (lane: Task['lane']): string => t(`lane.${lane}`) };
}
