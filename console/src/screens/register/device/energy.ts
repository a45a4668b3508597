import { addDays, dayOf, type Day } from '../../../../../catalogue/lighting/zone.ts';
import type { getEnergy } from '../../../../../contract/history/history.ts';
import type { QueryOf, ReplyOf } from '../../../../../contract/route.ts';

export type EnergySpan = 'month' | 'lastMonth' | 'year';
export type EnergyRow = ReplyOf<typeof getEnergy>['rows'][number];
type Asked = Pick<QueryOf<typeof getEnergy>, 'from' | 'to' | 'by'>;

const lastOfMonth = (month: string): Day => addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1);

/**
 * What is asked for: the days of this month or the last, or the months of this year, in the zone where the device
 * stands.
 */
export function energyAsked(span: EnergySpan, now: number, zone: string): Asked {
  const month = dayOf(now, zone).slice(0, 7);
  if (span === 'year') return { from: `${month.slice(0, 4)}-01-01`, to: `${month.slice(0, 4)}-12-31`, by: 'month' };
  const shown = span === 'month' ? month : addDays(`${month}-01`, -1).slice(0, 7);
  return { from: `${shown}-01`, to: lastOfMonth(shown), by: 'day' };
}

/** Every step of what was asked for with what is known of it; null: nothing is. */
export function energySteps(asked: Asked, rows: readonly EnergyRow[]): { step: string; row: EnergyRow | null }[] {
  const known = new Map(rows.map((row) => [row.step, row]));
  const steps: string[] = [];
  for (let day = asked.from; day <= asked.to; day = addDays(day, 1)) {
    const step = asked.by === 'month' ? day.slice(0, 7) : day;
    if (steps.at(-1) !== step) steps.push(step);
  }
  return steps.map((step) => ({ step, row: known.get(step) ?? null }));
}
