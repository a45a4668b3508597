import { addDays, dayOf, instantOf, zoneOffset, type Day } from '../../../../catalogue/lighting/zone.ts';

/** A span of time, epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A mark on the axis of time: `begins` a day (or month, or year), which is written with its date. */
export interface TimeTick {
  readonly at: number;
  readonly step: 'second' | 'minute' | 'day' | 'month' | 'year';
  readonly begins: boolean;
}

const second = 1000;
const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;
const clockSteps = [
  second,
  5 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
];
const daySteps = [1, 2, 7, 14];
const monthSteps = [1, 2, 3, 6, 12, 24, 60];

/**
 * Marks for a span by the wall clock of the zone, at most `most`: full minutes, hours, days, Mondays, months or years.
 */
export function timeTicks({ from, to }: Span, zone: string, most: number): TimeTick[] {
  const room = (to - from) / Math.max(1, most);
  const clock = clockSteps.find((step) => step >= room);
  if (clock !== undefined) return byClock({ from, to }, zone, clock);
  const days = daySteps.find((step) => step * dayMs >= room);
  if (days !== undefined) return byDays({ from, to }, zone, days);
  return byMonths({ from, to }, zone, monthSteps.find((step) => step * 30 * dayMs >= room) ?? 120);
}

function byClock({ from, to }: Span, zone: string, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let day = dayOf(from, zone); ; day = addDays(day, 1)) {
    const midnight = instantOf(day, 0, zone);
    if (midnight > to) return ticks;
    const next = instantOf(addDays(day, 1), 0, zone);
    // Within a day by the wall clock; where it jumps, what is skipped is left out.
    const first = Math.max(0, Math.floor((from - midnight) / step) - 2);
    for (let index = first; ; index += 1) {
      const wall = index * step;
      const at = wall % minute === 0 && wall < dayMs ? instantOf(day, wall / minute, zone) : midnight + wall;
      if (at >= next || at > to || wall >= dayMs) break;
      if (at >= from && (ticks.at(-1)?.at ?? -Infinity) < at)
        ticks.push({ at, step: step < minute ? 'second' : 'minute', begins: index === 0 });
    }
  }
}

function byDays({ from, to }: Span, zone: string, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  const numbered = (day: Day): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
  for (let day = dayOf(from, zone); ; day = addDays(day, 1)) {
    const at = instantOf(day, 0, zone);
    if (at > to) return ticks;
    // Weeks begin on Mondays: the first day of 1970 was a Thursday.
    const isOne = step < 7 ? numbered(day) % step === 0 : (numbered(day) + 3) % step === 0;
    if (at >= from && isOne) ticks.push({ at, step: 'day', begins: day.endsWith('-01') });
  }
}

function byMonths({ from, to }: Span, zone: string, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  const [year, month] = dayOf(from, zone).split('-').map(Number) as [number, number];
  for (let count = Math.floor((year * 12 + month - 1) / step) * step; ; count += step) {
    const at = instantOf(
      `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`,
      0,
      zone,
    );
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, step: step % 12 === 0 ? 'year' : 'month', begins: count % 12 === 0 });
  }
}

/** How a mark is written: the clock, and where a day begins its date; days with their month, months with their year. */
export function tickText({ at, step, begins }: TimeTick, zone: string): string {
  const wall = new Date(at + zoneOffset(at, zone)).toISOString();
  if (step === 'year') return wall.slice(0, 4);
  if (step === 'month') return wall.slice(0, 7);
  if (step === 'day' || begins) return wall.slice(5, 10);
  return step === 'second' ? wall.slice(11, 19) : wall.slice(11, 16);
}
