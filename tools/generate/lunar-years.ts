import { LunarYear } from 'tyme4ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';

/**
 * The lunar calendar as the server reads it, one year a line: its number, its first day, its leap month (0: none), and
 * of its months in order `l` (30 days) or `s` (29). The year before the first is there for its January.
 */
export function lunarYears(): string {
  const { min, max } = planLimits.lunarYears;
  const lines = Array.from({ length: max - min + 2 }, (_, place) => {
    const year = LunarYear.fromYear(min - 1 + place);
    const months = year.getMonths();
    const first = months[0]?.getFirstJulianDay().getSolarDay();
    if (!first) throw new Error(`tyme4ts knows no first day of the lunar year ${min - 1 + place}`);
    const begins = new Date(Date.UTC(first.getYear(), first.getMonth() - 1, first.getDay())).toISOString().slice(0, 10);
    const lengths = months.map((month) => (month.getDayCount() === 30 ? 'l' : 's')).join('');
    return `${year.getYear()} ${begins} ${year.getLeapMonth()} ${lengths}\n`;
  });
  return lines.join('');
}
