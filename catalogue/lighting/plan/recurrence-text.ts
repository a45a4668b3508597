/** Which RRULEs (RFC 5545) a calendar takes: days only, each part bounded, none that looks for ever for a day. */

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const whole = (text: string): number => (/^[+-]?\d{1,4}$/.test(text) ? Number(text) : Number.NaN);
const within = (min: number, max: number) => (text: string) => whole(text) >= min && whole(text) <= max;
/** From either end: 1 to `most` or -1 to -`most`. */
const fromEnds = (most: number) => (text: string) => Math.abs(whole(text)) >= 1 && Math.abs(whole(text)) <= most;
const list = (check: (text: string) => boolean) => (text: string) => text.split(',').every(check);
const weekday = (text: string): boolean => weekdays.some((one) => one === text);
const countedWeekday = (most: number) => (text: string) =>
  weekday(text.slice(-2)) && (text.length === 2 || fromEnds(most)(text.slice(0, -2)));

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

type Parts = Readonly<Record<string, (text: string) => boolean>>;
const always: Parts = {
  INTERVAL: within(1, 366),
  COUNT: within(1, 2000),
  UNTIL: isDate,
  BYMONTH: list(within(1, 12)),
  WKST: weekday,
};
const inMonths: Parts = { ...always, BYMONTHDAY: list(fromEnds(31)), BYSETPOS: list(fromEnds(366)) };
const parts: Readonly<Record<string, Parts>> = {
  DAILY: { ...always, BYDAY: list(weekday) },
  WEEKLY: { ...always, BYDAY: list(weekday) },
  MONTHLY: { ...inMonths, BYDAY: list(countedWeekday(5)) },
  YEARLY: { ...inMonths, BYDAY: list(countedWeekday(53)) },
};

/** Its parts without the name of the property, in capitals. */
export const recurrenceText = (rrule: string): string =>
  rrule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');

/** Whether a calendar takes it. */
export function isRecurrence(rrule: string): boolean {
  const given = recurrenceText(rrule).split(';');
  const named = given.map((part) => part.split('='));
  const names = named.map(([name = '']) => name);
  const allowed = parts[named.find(([name]) => name === 'FREQ')?.[1] ?? ''];
  if (!allowed || new Set(names).size < names.length || (names.includes('COUNT') && names.includes('UNTIL')))
    return false;
  return named.every(
    ([name = '', value = '', ...more]) =>
      more.length === 0 && (name === 'FREQ' || (Object.hasOwn(allowed, name) && allowed[name]?.(value) === true)),
  );
}
