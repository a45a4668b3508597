import { litByPattern } from '../../../../catalogue/lighting/plan/pattern.ts';
import type { LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { countDarkening } from '../commands/index.ts';
import { findComing, plansComing, plansOfEachLamp, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import {
  calendarOf,
  createComparison,
  findLamps,
  judgeFloors,
  lockPlannedLight,
  type Lamp,
} from '../publications/index.ts';
import type { WeighRows } from '../rows/index.ts';
import { lampsOnRoad } from './lamps.store.ts';

const atOnce = 1000;
/** Lighting days over which rows are held against the floor of their road. */
const daysAhead = 400;

type Plans = ReadonlyMap<number, AssignedPlan>;

/**
 * Weighs another order of the poles of a road by what the lamps on them do by their patterns. Nobody can be asked to
 * agree to it later, as the rows are there: what is more than an account may darken alone is refused.
 */
export function createRowWeighing({ plans, clock }: { readonly plans: LampPlans; readonly clock: Clock }): WeighRows {
  return async (tx, caller, roadId, work) => {
    await lockPlannedLight(tx);
    const now = clock.now();
    const at = now.getTime();
    const ids = await lampsOnRoad(tx, roadId);
    const coming = [...(await findComing(tx, ids, now))];
    const later = plansComing(plans, dayOf(at, 'UTC'), daysAhead);
    const before = { now: await plansOf(tx, plans, ids, at), later: await plansOf(tx, later, coming, at) };
    await work();
    if (before.now.size === 0 && before.later.size === 0) return 0;
    const after = { now: await plansOf(tx, plans, ids, at), later: await plansOf(tx, later, coming, at) };
    const lamps = await findLamps(tx, { deviceIds: ids }, caller, ids.length);
    const darker = new Set([
      ...(await darkerOf(lamps, before.now, after.now, at)),
      ...(await darkerOf(lamps, before.later, after.later, at)),
    ]);
    if (darker.size > 0) await refuseBelowFloor(tx, plans, { lamps, before, after, at });
    await countDarkening(tx, { actorId: caller.accountId, cause: 'rows', lamps: [...darker], now }, (much) => {
      throw refuse('rowsDarken', { ...much }, { body: { ...much } });
    });
    return darker.size;
  };
}

async function plansOf(tx: Transaction, plans: LampPlans, ids: readonly number[], at: number): Promise<Plans> {
  const found = new Map<number, AssignedPlan>();
  // A lamp whose plan cannot be made stands in no other's way: who tells it its plan hears why.
  const about = { now: at, failing: () => undefined };
  for (let from = 0; from < ids.length; from += atOnce) {
    const { own } = await plansOfEachLamp(tx, plans, ids.slice(from, from + atOnce), about);
    for (const [id, plan] of own) found.set(id, plan);
  }
  return found;
}

/** Lamps that are darker at their new place. Lamps with the same plan and the same turns of patterns are compared once. */
async function darkerOf(lamps: readonly Lamp[], before: Plans, after: Plans, at: number): Promise<Lamp[]> {
  const breathe = breather();
  const known = new Map<string, boolean>();
  const darker: Lamp[] = [];
  const comparisons = new Map<Day, ReturnType<typeof createComparison>>();
  const compareFrom = (day: Day) => {
    const compare = comparisons.get(day) ?? createComparison(day, breathe);
    comparisons.set(day, compare);
    return compare;
  };
  async function isEverDarker(was: AssignedPlan, is: AssignedPlan): Promise<boolean> {
    for (const day of firstDays(is, at)) if ((await compareFrom(day)(was, is)).darker) return true;
    return false;
  }
  for (const lamp of lamps) {
    const [was, is] = [before.get(lamp.id), after.get(lamp.id)];
    if (!was || !is || was === is) continue;
    const key = JSON.stringify([
      ...[calendarOf(is), is.exceptions.map(({ id }) => id), is.place],
      ...[is.role.minLevel, is.role.rotation, turnsOf(was.role), turnsOf(is.role)],
    ]);
    const isDarker = known.get(key) ?? (await isEverDarker(was, is));
    known.set(key, isDarker);
    if (isDarker) darker.push(lamp);
    await breathe();
  }
  return darker;
}

/** The lighting day of an instant, and the later ones on which a lamp begins to follow something else. */
function firstDays({ place, following }: AssignedPlan, at: number): readonly Day[] {
  const today = lightingDay(place, at).day;
  return [today, ...following.flatMap(({ from }) => (from > today ? [from] : []))];
}

/** In which of six turns, the whole circle of every pattern, a lamp is lit. */
function turnsOf(role: LampRole): string {
  const turning: LampRole = { ...role, rotation: 'nightly' };
  return Array.from({ length: 6 }, (_, turn) => addDays('2026-01-01', turn))
    .flatMap((day) => (['alternateOne', 'alternateTwo'] as const).map((one) => litByPattern(one, turning, day)))
    .map(Number)
    .join('');
}

/** Now, and with what is on its way to the lamps. */
interface Both {
  readonly now: Plans;
  readonly later: Plans;
}
interface Asked {
  readonly lamps: readonly Lamp[];
  readonly before: Both;
  readonly after: Both;
  readonly at: number;
}

/** What is kept lit may have been the reason that a pattern was allowed: it is not taken back without a publication. */
async function refuseBelowFloor(tx: Transaction, plans: LampPlans, { lamps, before, after, at }: Asked): Promise<void> {
  const [plan] = [...after.now.values(), ...after.later.values()];
  if (!plan) return;
  const found = await judgeFloors(tx, {
    ...{ lamps, before: before.now, after: after.now, plans, at },
    again: () => Promise.resolve({ before: before.later, after: after.later }),
    ...{ from: lightingDay(plan.place, at).day, days: daysAhead, darker: true },
    breathe: breather(),
  });
  // Where the scheme is excepted a second person agreed to it.
  const [worst] = found.filter(({ reason }) => reason === null).toSorted((a, b) => a.level - b.level);
  if (!worst) return;
  const { level, floor, ids } = worst;
  const count = ids.length;
  throw refuse('rowsBelowFloor', { level, floor, count }, { body: { level, floor, count } });
}
