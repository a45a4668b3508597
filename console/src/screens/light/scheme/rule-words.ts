import { useTranslation } from 'react-i18next';
import type { CalendarRule, Condition } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { formatList } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';

/** Month and day of `MM-DD`, of a leap year, so that 02-29 has a name. */
const monthDay = (text: string): string => `2024-${text}`;
const isMonthDay = (text: string): boolean => /^\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(monthDay(text)));
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** What a condition asks, in words; "…" where something is not entered yet. */
export function useConditionWords(): (condition: Condition) => string {
  const { t, i18n } = useTranslation('scheme');
  const names = useDayNames();
  const day = (text: string): string => (isDay(text) ? text : '…');
  const yearly = (text: string): string => (isMonthDay(text) ? names.day(monthDay(text)) : '…');
  const list = (items: readonly string[]): string => (items.length === 0 ? '…' : formatList(items, i18n.language));
  return (condition) => {
    switch (condition.kind) {
      case 'date':
        return day(condition.date);
      case 'range':
        return t('when.range', { from: day(condition.from), to: day(condition.to) });
      case 'yearly':
        return condition.from === condition.to
          ? t('when.yearlyDay', { day: yearly(condition.from) })
          : t('when.yearly', { from: yearly(condition.from), to: yearly(condition.to) });
      case 'weekdays':
        return t('when.weekdays', {
          days: list(condition.days.toSorted((one, other) => one - other).map(names.weekday)),
        });
      case 'nthWeekday': {
        const n = ([1, 2, 3, 4, 5, -1] as const).find((one) => one === condition.n) ?? 1;
        const weekday = names.weekday(condition.weekday);
        return condition.months.length === 0
          ? t(`when.nth.${n}`, { weekday })
          : t('when.inMonths', {
              what: t(`when.nth.${n}`, { weekday }),
              months: list(condition.months.map(names.month)),
            });
      }
      case 'holiday':
        return condition.name === null
          ? t(`holiday.${condition.class}`)
          : t('when.holidayNamed', { class: t(`holiday.${condition.class}`), name: condition.name });
      case 'lunar': {
        const date = t('when.lunar', { month: condition.month, day: condition.day });
        const whole = condition.leap ? t('when.leap', { date }) : date;
        return condition.span > 1 ? t('when.span', { date: whole, n: condition.span }) : whole;
      }
      case 'rrule':
        return t('when.rrule', { rrule: condition.rrule === '' ? '…' : condition.rrule, start: day(condition.start) });
    }
  };
}

/** When a rule holds: its conditions, which all hold. */
export function useRuleWords(): (rule: CalendarRule) => string {
  const { t } = useTranslation('scheme');
  const words = useConditionWords();
  return ({ when }) => {
    const [first, second] = when.map(words);
    return second === undefined ? (first ?? '…') : t('when.both', { first, second });
  };
}
