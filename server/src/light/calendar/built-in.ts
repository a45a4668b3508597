import { readFileSync } from 'node:fs';
import chinese from 'chinese-days/dist/chinese-days.json' with { type: 'json' };
import chinesePackage from 'chinese-days/package.json' with { type: 'json' };
import { holidayCountries } from '../../../../catalogue/lighting/plan/countries.ts';
import type { StoredDay, StoredYear } from './holidays.store.ts';

/** Years of holidays that come with the program. */

type Named = Readonly<Record<string, string>>;
/** `Spring Festival,春节,4`: its second part. */
const chineseName = (words: string): string => words.split(',')[1] ?? words;
const chineseDays = (named: Named, of: StoredDay['class']): StoredDay[] =>
  Object.entries(named).map(([day, words]) => ({ day, class: of, name: chineseName(words) }));

/** A year is announced whole: it has its spring festival and its national day. */
const wholeYear: readonly string[] = ['春节', '国庆节'];

/**
 * Years that the State Council announced. chinese-days answers a year that it does not know as ordinary days, so what
 * is known is read from its data.
 */
export function chineseYears(): StoredYear[] {
  const all = [...chineseDays(chinese.holidays, 'public'), ...chineseDays(chinese.workdays, 'makeupWorkday')];
  return [...Map.groupBy(all, ({ day }) => Number(day.slice(0, 4)))]
    .filter(([, days]) => wholeYear.every((name) => days.some((one) => one.class === 'public' && one.name === name)))
    .map(([year, days]) => ({
      country: 'CN',
      year,
      state: 'official',
      source: `chinese-days ${chinesePackage.version}`,
      days,
    }));
}

/** The years of the file that `npm run generate` writes: a heading `JP 2027 official`, then a line a day. */
function otherYears(): StoredYear[] {
  const [first = '', ...lines] = readFileSync(new URL('holidays.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const source = first.slice(2);
  const years: (StoredYear & { days: StoredDay[] })[] = [];
  for (const line of lines.filter((one) => !one.startsWith('#'))) {
    const country = holidayCountries.find((one) => line.startsWith(`${one} `));
    if (country) {
      const [, year, state] = line.split(' ');
      years.push({ country, year: Number(year), state: state === 'official' ? state : 'estimated', source, days: [] });
    } else years.at(-1)?.days.push({ day: line.slice(0, 10), class: 'public', name: line.slice(11) });
  }
  return years;
}

export const builtInYears = (): StoredYear[] => [...chineseYears(), ...otherYears()];
