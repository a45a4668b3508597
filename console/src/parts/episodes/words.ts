import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { Episode as Wire } from '../../../../contract/episodes.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { MarkState } from '../state/StateMark.tsx';

export type Episode = Static<typeof Wire>;

const marks: Readonly<Record<Episode['kind'], MarkState>> = {
  fault: 'alarm',
  offline: 'offline',
  link: 'partial',
  refused: 'alarm',
  unpowered: 'off',
};
const states: ReadonlySet<Episode['kind']> = new Set(['fault', 'offline', 'link']);
/** What is over is no state any more. */
export const markOf = ({ kind, endedAt }: Pick<Episode, 'kind' | 'endedAt'>): MarkState =>
  endedAt !== null && states.has(kind) ? 'info' : marks[kind];

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long, in the two largest units: "2 d 3 h", "4 min 20 s". */
export function lengthText(seconds: number, language: string): string {
  const tag = language === 'en-XA' ? 'en-US' : language;
  const write = (value: number, unit: string): string =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, length]) => whole >= length);
  const [unit, length] = units[first] ?? (['second', 1] as const);
  const [next, nextLength] = units[first + 1] ?? (['second', 1] as const);
  const rest = first < 0 || first + 1 >= units.length ? 0 : Math.floor((whole % length) / nextLength);
  return rest === 0
    ? write(Math.floor(whole / length), unit)
    : `${write(Math.floor(whole / length), unit)} ${write(rest, next)}`;
}

/** The words of what lasts. */
export function useEpisodeWords() {
  const { t, i18n } = useTranslation('episodes');
  const names = useNames();
  const length = (seconds: number): string => lengthText(seconds, i18n.language);
  return {
    kind: (kind: Exclude<Episode['kind'], 'fault'>): string => t(`kind.${kind}`),
    reason: (reason: NonNullable<Episode['reason']>): string => t(`reason.${reason}`),
    /** What it is: a fault by its name. */
    what: ({ kind, fault }: Pick<Episode, 'kind' | 'fault'>): string =>
      kind !== 'fault' ? t(`kind.${kind}`) : fault === null ? '' : names.fault(fault),
    length,
    /** How long something lasted or has lasted until now. */
    lasted: ({ seconds, lastAt }: Pick<Episode, 'seconds' | 'lastAt'>, now: number): string =>
      length(seconds ?? (now - Date.parse(lastAt)) / 1000),
  };
}
