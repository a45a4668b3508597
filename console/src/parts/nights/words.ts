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

/** Outcomes of lamps that did not run the plan. */
export const failures = ['diverged', 'away', 'silent', 'notJudged'] as const;
export const failedOf = (counts: NightCounts): number => failures.reduce((sum, key) => sum + counts[key], 0);

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
    ran: ({ lamps, ran }: NightCounts): string => t('ran', { n: number(ran), total: number(lamps) }),
    /** Where a rehearsal stands. */
    phase: ({ phase, firstOn }: Rehearsal): string =>
      phase === 'planned' && firstOn !== null ? t('phase.at', { at: time(firstOn, 'minute') }) : t(`phase.${phase}`),
    dark: ({ dark }: Rehearsal): string => (dark === 0 ? t('dark.none') : t('dark', { n: number(dark) })),
    /** There is a list, however short. */
    isListed: ({ phase }: Rehearsal): boolean => phase === 'listed' || phase === 'over',
  };
}
