import { addDays, dayOf, instantOf, zoneOffset } from '../../../../catalogue/lighting/zone.ts';
import type { Span } from '../curves/model.ts';

/**
 * Spans that go with the time; `night` is the lighting day from noon to noon, `month` and `year` those of the calendar
 * so far.
 */
export const spanNames = ['24h', 'night', '7d', '30d', 'month', 'year'] as const;
export type SpanName = (typeof spanNames)[number];

/**
 * What a period is laid over: the one just before, the same a week, month or year earlier, or one that begins on a day
 * of one's own.
 */
export const comparisons = ['previous', 'week', 'month', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

const dayMs = 86_400_000;
const noon = 12 * 60;

/** The span of a name as it is now, by the wall clock of the zone. */
export function spanOf(name: SpanName, now: number, zone: string): Span {
  const today = dayOf(now, zone);
  switch (name) {
    case '24h':
      return { from: now - dayMs, to: now };
    case '7d':
      return { from: now - 7 * dayMs, to: now };
    case '30d':
      return { from: now - 30 * dayMs, to: now };
    case 'night': {
      const evening = now < instantOf(today, noon, zone) ? addDays(today, -1) : today;
      return { from: instantOf(evening, noon, zone), to: instantOf(addDays(evening, 1), noon, zone) };
    }
    case 'month':
      return { from: instantOf(`${today.slice(0, 7)}-01`, 0, zone), to: now };
    case 'year':
      return { from: instantOf(`${today.slice(0, 4)}-01-01`, 0, zone), to: now };
  }
}

/** The same wall-clock time so many months earlier; a day that month does not have becomes its last one. */
function monthsEarlier(at: number, months: number, zone: string): number {
  const wall = at + zoneOffset(at, zone);
  const day = dayOf(at, zone);
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const [year, month] = [Math.floor(count / 12), count % 12];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const then = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-${String(Math.min(last, Number(day.slice(8)))).padStart(2, '0')}`;
  return instantOf(then, 0, zone) + (wall - Math.floor(wall / dayMs) * dayMs);
}

const daysEarlier = (at: number, days: number, zone: string): number => {
  const wall = at + zoneOffset(at, zone);
  return instantOf(addDays(dayOf(at, zone), -days), 0, zone) + (wall - Math.floor(wall / dayMs) * dayMs);
};

/**
 * Where the period begins that another is compared with: by the wall clock, so that evenings lie on evenings also when
 * the clock was changed in between. `from` of one's own: a day, yyyy-MM-dd.
 */
export function comparedFrom(
  { from, to }: Span,
  with_: Comparison | { day: string },
  name: SpanName | null,
  zone: string,
): number {
  if (typeof with_ === 'object') return instantOf(with_.day, 0, zone) + (from - instantOf(dayOf(from, zone), 0, zone));
  if (with_ === 'week') return daysEarlier(from, 7, zone);
  if (with_ === 'month' || (with_ === 'previous' && name === 'month')) return monthsEarlier(from, 1, zone);
  if (with_ === 'year' || (with_ === 'previous' && name === 'year')) return monthsEarlier(from, 12, zone);
  const days = Math.round((to - from) / dayMs);
  return days >= 1 && Math.abs(to - from - days * dayMs) <= 3_600_000
    ? daysEarlier(from, days, zone)
    : from - (to - from);
}
