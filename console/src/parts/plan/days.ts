import { useTranslation } from 'react-i18next';
import type { Day } from '../../../../catalogue/lighting/zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language}${JSON.stringify(options)}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(language === 'en-XA' ? 'en-US' : language, {
      ...options,
      timeZone: 'UTC',
      calendar: 'gregory',
    });
  formats.set(key, format);
  return format;
}
const instant = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
/** A Monday: the first of the week's names. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** Days, months and weekdays in the writing of the language. */
export function useDayNames() {
  const { i18n } = useTranslation('plan');
  const { language } = i18n;
  const write = (options: Intl.DateTimeFormatOptions, at: number): string => formatOf(language, options).format(at);
  return {
    /** "12 April" */
    day: (day: Day): string => write({ month: 'long', day: 'numeric' }, instant(day)),
    /** "Friday, 12 April 2027" */
    long: (day: Day): string =>
      write({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' }, instant(day)),
    months: (): string[] =>
      Array.from({ length: 12 }, (_, month) => write({ month: 'short' }, Date.UTC(2024, month, 15))),
    month: (month: number): string => write({ month: 'long' }, Date.UTC(2024, month - 1, 15)),
    /** 1 Monday to 7 Sunday. */
    weekday: (weekday: number): string => write({ weekday: 'long' }, monday + (weekday - 1) * dayMs),
  };
}
