import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { dayNumber } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { judgeFloors, type Lamp } from '../publications/index.ts';
import type { Effects } from './effects.ts';
import type { Times } from './exceptions.rules.ts';
import type { BelowFloor } from './exceptions.store.ts';
import { nameOfLamps } from './weighed.ts';

interface Asked {
  readonly lamps: readonly Lamp[];
  readonly times: Pick<Times, 'from' | 'to'>;
  readonly now: Date;
  /** The change of some lamps by other plans: those with what is on its way to them. */
  readonly again: (plans: LampPlans, lamps: readonly Lamp[]) => Promise<Change>;
}
/** What lamps do before and after a change. */
type Change = Pick<Effects, 'before' | 'after'>;

/** Lamps that a change darkens below the floor of their road, in the nights that it touches. */
export async function floorsOf(
  tx: Transaction,
  plans: LampPlans,
  { before, after }: Change,
  { lamps, times, now, again }: Asked,
): Promise<BelowFloor[]> {
  const at = now.getTime();
  const [plan] = after.values();
  if (!plan) return [];
  const from = lightingDay(plan.place, Math.max(at, times.from.getTime())).day;
  const last = lightingDay(plan.place, times.to.getTime() - 1).day;
  const found = await judgeFloors(tx, {
    ...{ lamps, before, after, plans, at, again, from, days: dayNumber(last) - dayNumber(from) + 1, darker: true },
    breathe: breather(),
  });
  const classes = Map.groupBy(found, ({ roadClass }) => roadClass);
  return [...classes].map(([roadClass, parts]) => {
    // On other days, and for other reasons, it may be the same lamp.
    const ids = new Set(parts.flatMap((part) => part.ids));
    return {
      roadClass,
      lamps: ids.size,
      floor: parts[0]?.floor ?? 0,
      level: Math.min(...parts.map(({ level }) => level)),
      which: nameOfLamps(ids),
    };
  });
}
