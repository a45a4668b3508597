import { useTranslation } from 'react-i18next';
import type { getNight, listNightLamps, listNights } from '../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { formatNumber, formatPercent, useTime } from '../index.ts';

export type OpenNight = ReplyOf<typeof getNight>;
export type NightRow = ReplyOf<typeof listNights>['data'][number];
export type NightLamp = ReplyOf<typeof listNightLamps>['data'][number];
export type NightCounts = OpenNight['counts'];
type Rehearsal = OpenNight['rehearsal'];

/** Outcomes of lamps that the list names: those that did not run the plan, and those of which nobody can say. */
export const listed = ['diverged', 'away', 'silent', 'notJudged'] as const;
/** Lamps that did not run the plan. */
export const failedOf = ({ diverged, away, silent }: NightCounts): number => diverged + away + silent;

/** Nights in words of the language in force. */
export function useNightWords() {
  const { t, i18n } = useTranslation('nights');
  const names = useNames();
  const time = useTime();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const level = (n: number): string => formatPercent(n, i18n.language, 0);
  const detail = ({ reason, since, detail: of }: NightLamp): string => {
    const text =
      reason === 'fault' && of !== null
        ? of
            .split(' ')
            .map((code) => `${code} ${names.fault(code)}`)
            .join(' · ')
        : of;
    return [since === null ? null : t('since', { at: time(since, 'dayTime') }), text]
      .filter((part) => part !== null)
      .join(' · ');
  };
  return {
    number,
    level,
    /** The night that begins on this evening. */
    day: (day: string): string =>
      t('night', {
        day: new Intl.DateTimeFormat(i18n.language === 'en-XA' ? 'en-US' : i18n.language, {
          year: 'numeric',
          month: 'long',
          day: 'numeric',
          timeZone: 'UTC',
        }).format(new Date(day)),
      }),
    outcome: (outcome: string): string => names.option('nightOutcome', outcome),
    reason: (reason: string): string => names.option('nightReason', reason),
    detail,
    /** The planned step, and the level it wanted. */
    step: ({ stepAt, expected }: NightLamp): string =>
      stepAt === null ? '—' : `${time(stepAt, 'dayTime')} ${level(expected ?? 0)}`,
    /** What was read after it. */
    observed: ({ observed, readingAt }: NightLamp): string =>
      observed === null ? '—' : `${level(observed)} ${time(readingAt, 'dayTime')}`,
    /** "Ran the plan: 99,812 of 100,000". */
    ran: ({ lamps, ran, notJudged }: NightCounts): string =>
      [
        t('ran', { n: number(ran), total: number(lamps) }),
        ...(notJudged > 0 ? [t('notJudged', { n: number(notJudged) })] : []),
      ].join(' · '),
    /** Where the rehearsal of a night stands; one that had not begun by the morning never was. */
    phase: ({ report, rehearsal: { phase, firstOn } }: Pick<OpenNight, 'report' | 'rehearsal'>): string =>
      phase !== 'planned'
        ? t(`phase.${phase}`)
        : report !== 'planned'
          ? t('phase.none')
          : firstOn === null
            ? t('phase.planned')
            : t('phase.at', { at: time(firstOn, 'minute') }),
    dark: ({ dark }: Rehearsal): string => (dark === 0 ? t('dark.none') : t('dark', { n: number(dark) })),
    /** There is a list, however short. */
    isListed: ({ phase }: Rehearsal): boolean => phase === 'listed' || phase === 'over',
  };
}
