import { useTranslation } from 'react-i18next';
import { dayOf, type Day } from '../../../../../catalogue/lighting/zone.ts';
import { formatBytes, formatNumber } from '../../../parts/index.ts';
import { lastDay } from './retention.ts';

export interface Amounts {
  readonly size: (bytes: number) => string;
  readonly number: (n: number) => string;
  /** How many rows there are, which the database only estimates; none is none. */
  readonly rows: (n: number) => string;
  /** From a day to the last one before `to`, and no further than today. */
  readonly days: (from: Day, to: Day) => string;
}

/** Sizes, numbers and days in the language in force. */
export function useAmounts(): Amounts {
  const { t, i18n } = useTranslation('storage');
  const number = (n: number) => formatNumber(n, i18n.language, 0);
  return {
    size: (bytes) => formatBytes(bytes, i18n.language),
    number,
    rows: (n) => (n === 0 ? '0' : t('about', { n: number(n) })),
    days(from, to) {
      const last = lastDay(to, dayOf(Date.now(), 'UTC'));
      return last <= from ? from : t('days', { from, to: last });
    },
  };
}
