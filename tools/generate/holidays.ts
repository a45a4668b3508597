import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Holidays from 'date-holidays';
import { addDays } from '../../catalogue/lighting/zone.ts';

const years = { first: 2025, last: 2036 };
const dayMs = 86_400_000;

/**
 * How far what the law says can be computed for certain. France: fixed days and Easter. Japan: the equinoxes are
 * published in the February before. Taiwan and Korea announce bridge days and substitutes each year.
 */
const officialTo = { TW: 0, JP: 2027, KR: 0, FR: years.last } as const;

const { version } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('date-holidays/package.json'), 'utf8'),
) as { version: string };

/** Public holidays of Taiwan, Japan, Korea and France as the server reads them; the first lines name their licence. */
export function holidays(): string {
  const lines = Object.entries(officialTo).flatMap(([country, last]) => {
    const table = new Holidays(country, { types: ['public'] });
    return Array.from({ length: years.last - years.first + 1 }, (_, place) => years.first + place).flatMap((year) => [
      `${country} ${year} ${year <= last ? 'official' : 'estimated'}`,
      ...daysOf(table, year),
    ]);
  });
  return [
    `# date-holidays ${version}`,
    '# Public holidays computed with date-holidays, whose data are under CC BY-SA 3.0 (its package names CC-BY-3.0):',
    '# https://creativecommons.org/licenses/by-sa/3.0/, https://github.com/commenthol/date-holidays. So is this file.',
    '# Changed: one line a day, names in the language of the country. Written by `npm run generate`.',
    ...lines,
    '',
  ].join('\n');
}

/** One line a day; a day with two names has the first. */
function daysOf(table: Holidays, year: number): string[] {
  const named = new Map<string, string>();
  for (const { date, start, end, name } of table.getHolidays(year)) {
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
    for (let place = 0; place < days; place += 1) {
      const day = addDays(date.slice(0, 10), place);
      if (!named.has(day) && day.startsWith(`${year}`)) named.set(day, name);
    }
  }
  return [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([day, name]) => `${day} ${name}`);
}
