import dayjs, { type Dayjs } from 'dayjs';

/** How conditions are written in the address: readable text, and what cannot be read counts as unused. */

/** The fixed formats (specified 2.8). */
export const dateFormats = { month: 'YYYY-MM', date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:mm:ss' } as const;
export type DateKind = keyof typeof dateFormats;

/** A point in time as its kind writes it; null for anything else, 2026-02-30 included. */
export function momentOf(text: string | undefined, kind: DateKind, format: string = dateFormats[kind]): Dayjs | null {
  if (text === undefined || text === '') return null;
  const at = dayjs(text.length === 7 ? `${text}-01` : text);
  return at.isValid() && at.format(format) === text ? at : null;
}

/** Several choices: joined by commas, a comma inside of one is escaped. */
export const joinChoices = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
export const choicesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('%2C', ',').replaceAll('%25', '%'));

/** Days from and to, both included; one end may be missing. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export const joinRange = ({ from = '', to = '' }: DayRange): string =>
  from === '' && to === '' ? '' : `${from}_${to}`;

/** `2026-11-01_2026-11-07`, either end empty; ends that are no days are left out, reversed ones change places. */
export function rangeOf(text: string | undefined): DayRange {
  const [first, second] = (text ?? '').split('_').map((end) => (momentOf(end, 'date') ? end : undefined));
  const [from, to] = first !== undefined && second !== undefined && first > second ? [second, first] : [first, second];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The end of a second that is itself included. */
export const afterSecond = (instant: string): string => new Date(Date.parse(instant) + 1_000).toISOString();

/** The last moment of a second, where the end itself is included. */
export const endOfSecond = (instant: string): string => new Date(Date.parse(instant) + 999).toISOString();

/**
 * The same with moments of a clock, `2026-11-01 18:00:00_2026-11-02 06:00:00`: a day alone begins with its first second
 * and ends with its last.
 */
export function momentsOf(text: string | undefined): DayRange {
  const [first, second] = (text ?? '').split('_');
  const read = (end: string | undefined, clock: string): string | undefined =>
    momentOf(end, 'datetime') ? end : momentOf(end, 'date') ? `${String(end)} ${clock}` : undefined;
  const isReversed = (read(first, '00:00:00') ?? '') > (read(second, '23:59:59') ?? '9');
  const [from, to] = isReversed
    ? [read(second, '00:00:00'), read(first, '23:59:59')]
    : [read(first, '00:00:00'), read(second, '23:59:59')];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
