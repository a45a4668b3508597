import type { MonthSums } from '../../../../catalogue/lighting/plan/difference.ts';
import type { YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { AskedSimulation } from './simulations.types.ts';

/** The sums of a side with what they cost; null without a price, without a factor. */
export function costed(
  { kwh, hours, switches }: MonthSums,
  { pricePerKwh, kgCo2PerKwh }: Pick<AskedSimulation, 'pricePerKwh' | 'kgCo2PerKwh'>,
) {
  return {
    kwh,
    hours,
    switches: Math.round(switches),
    cost: pricePerKwh === null ? null : kwh * pricePerKwh,
    kgCo2: kgCo2PerKwh === null ? null : kwh * kgCo2PerKwh,
  };
}

export const totalOf = (months: readonly Readonly<Record<YearSide, MonthSums>>[], side: YearSide): MonthSums => {
  const sum = (key: keyof MonthSums) => months.reduce((all, month) => all + month[side][key], 0);
  return { kwh: sum('kwh'), hours: sum('hours'), switches: sum('switches') };
};
