import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { nightOf as planNight } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { noRole, type LampPlan, type Pattern } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { LearnedCurves } from '../lamps/index.ts';
import type { RatedSum } from './home.store.ts';
import { stepSeconds } from './loads.store.ts';

/** The same plan as the whole row follows it: which lamp a pattern lights is another question. */
const wholes = new WeakMap<LampPlan, LampPlan>();
export function wholeRow(plan: LampPlan): LampPlan {
  let whole = wholes.get(plan);
  if (!whole) {
    const { place, role, programmeOn } = plan;
    whole = { place, role: { ...noRole, minLevel: role.minLevel }, programmeOn };
    wholes.set(plan, whole);
  }
  return whole;
}

/** Of a row with this pattern so many lamps burn. */
const litShare: Readonly<Record<Pattern, number>> = { all: 1, alternateOne: 1 / 2, alternateTwo: 1 / 3 };

/** What a row does at an instant: its level, and the share of its lamps that burn. */
function rowAt(plan: LampPlan, at: number): { readonly level: number; readonly share: number } {
  const { day } = lightingDay(plan.place, at);
  for (const night of [planNight(plan, day), planNight(plan, addDays(day, -1))]) {
    const step = night.steps.findLast((one) => one.at <= at);
    if (step) return { level: step.level, share: litShare[step.pattern] };
  }
  return { level: 0, share: 1 };
}

/**
 * kW that the plans expect at each instant, and the mean level they want of all lamps, %: lamps of a model with one plan
 * together, what they take being in proportion to their rated power.
 */
export function planned(
  rated: readonly RatedSum[],
  learned: LearnedCurves,
  planOf: (row: RatedSum) => LampPlan | undefined,
  { from, steps }: { readonly from: number; readonly steps: number },
): { readonly planKw: (number | null)[]; readonly planLevel: (number | null)[] } {
  const none = new Array<null>(steps).fill(null);
  if (rated.length === 0) return { planKw: none, planLevel: none };
  const byPlan = [...Map.groupBy(rated, planOf)].flatMap(([plan, rows]) =>
    plan ? [{ plan, rows, lamps: sum(rows, (row) => row.lamps) }] : [],
  );
  const lamps = sum(byPlan, (one) => one.lamps);
  // A programme has few levels: what all lamps of a plan take at each is reckoned once.
  const known = byPlan.map(() => new Map<number, number>());
  const wattsAt = (rows: readonly RatedSum[], level: number) =>
    sum(rows, ({ watts, manufacturer, model }) => learnedWatts(watts, level, learned.of(manufacturer, model)));
  const at = Array.from({ length: steps }, (_, step) => {
    const instant = from + step * stepSeconds * 1000;
    let watts = 0,
      light = 0;
    for (const [index, one] of byPlan.entries()) {
      const { level, share } = rowAt(one.plan, instant);
      const own = known[index]?.get(level) ?? wattsAt(one.rows, level);
      known[index]?.set(level, own);
      watts += own * share;
      light += level * share * one.lamps;
    }
    return { kw: watts / 1000, level: lamps === 0 ? null : light / lamps };
  });
  return { planKw: at.map((one) => one.kw), planLevel: at.map((one) => one.level) };
}

const sum = <T>(rows: readonly T[], pick: (row: T) => number) => rows.reduce((total, row) => total + pick(row), 0);
