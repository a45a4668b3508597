import { readFileSync } from 'node:fs';
import type { LunarDay } from '../../../../catalogue/lighting/plan/calendar.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';

/** Written by `npm run generate`: a year a line. */
const table = new URL('lunar-years.txt', import.meta.url);

function readYears(): Map<Day, LunarDay> {
  const days = new Map<Day, LunarDay>();
  for (const line of readFileSync(table, 'utf8').trim().split('\n')) {
    const [, begins = '', leapMonth = '0', lengths = ''] = line.split(' ');
    let day = begins;
    let month = 0;
    let wasLeap = false;
    for (const length of lengths) {
      const leap: boolean = !wasLeap && month > 0 && month === Number(leapMonth);
      if (!leap) month += 1;
      wasLeap ||= leap;
      for (let date = 1; date <= (length === 'l' ? 30 : 29); date += 1) {
        days.set(day, { month, day: date, leap });
        day = addDays(day, 1);
      }
    }
  }
  return days;
}

let known: Map<Day, LunarDay> | undefined;
/** The day of the lunar calendar; null before 2020 and after 2060. */
export function lunarOn(day: Day): LunarDay | null {
  known ??= readYears();
  return known.get(day) ?? null;
}
