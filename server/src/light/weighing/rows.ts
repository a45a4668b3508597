import { litByPattern } from '../../../../catalogue/lighting/plan/pattern.ts';
import type { LampPlan, LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { countDarkening } from '../commands/index.ts';
import { plansOfEachLamp, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import {
  calendarOf,
  createComparison,
  findLamps,
  judgeFloors,
  plansWithAreas,
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
    const now = clock.now();
    const ids = await lampsOnRoad(tx, roadId);
    const before = await plansOf(tx, plans, ids, now.getTime());
    await work();
    if (before.size === 0) return 0;
    const after = await plansOf(tx, plans, ids, now.getTime());
    const lamps = await findLamps(tx, { deviceIds: ids }, caller, ids.length);
    const darker = await darkerOf(lamps, before, after, now.getTime());
    if (darker.length > 0) await refuseBelowFloor(tx, plans, { lamps, before, after, now });
    await countDarkening(tx, { actorId: caller.accountId, cause: 'rows', lamps: darker, now }, (much) => {
      throw refuse('rowsDarken', { ...much }, { body: { ...much } });
    });
    return darker.length;
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
  let compare: ((one: LampPlan, other: LampPlan) => { readonly darker: boolean }) | undefined;
  for (const lamp of lamps) {
    const [was, is] = [before.get(lamp.id), after.get(lamp.id)];
    if (!was || !is || was === is) continue;
    compare ??= createComparison(lightingDay(is.place, at).day);
    const key = JSON.stringify([
      ...[calendarOf(is), is.exceptions.map(({ id }) => id), is.place],
      ...[is.role.minLevel, is.role.rotation, turnsOf(was.role), turnsOf(is.role)],
    ]);
    const isDarker = known.get(key) ?? compare(was, is).darker;
    known.set(key, isDarker);
    if (isDarker) darker.push(lamp);
    await breathe();
  }
  return darker;
}

/** In which of six turns, the whole circle of every pattern, a lamp is lit. */
function turnsOf(role: LampRole): string {
  const turning: LampRole = { ...role, rotation: 'nightly' };
  return Array.from({ length: 6 }, (_, turn) => addDays('2026-01-01', turn))
    .flatMap((day) => (['alternateOne', 'alternateTwo'] as const).map((one) => litByPattern(one, turning, day)))
    .map(Number)
    .join('');
}

interface Asked {
  readonly lamps: readonly Lamp[];
  readonly before: Plans;
  readonly after: Plans;
  readonly now: Date;
}

/** What is kept lit may have been the reason that a pattern was allowed: it is not taken back without a publication. */
async function refuseBelowFloor(
  tx: Transaction,
  plans: LampPlans,
  { lamps, before, after, now }: Asked,
): Promise<void> {
  const at = now.getTime();
  const [plan] = after.values();
  if (!plan) return;
  const found = await judgeFloors(tx, {
    ...{ lamps, before, after, from: lightingDay(plan.place, at).day, days: daysAhead, darker: true },
    breathe: breather(),
    async others(others) {
      const { of } = await plansWithAreas(tx, plans, others, at);
      return new Map(
        others.flatMap(({ deviceId, workAreaId }) => {
          const known = of(deviceId, workAreaId);
          return known ? [[deviceId, known] as const] : [];
        }),
      );
    },
  });
  // Where the scheme is excepted a second person agreed to it.
  const [worst] = found.filter(({ reason }) => reason === null).toSorted((a, b) => a.level - b.level);
  if (!worst) return;
  const { level, floor, ids } = worst;
  const count = ids.length;
  throw refuse('rowsBelowFloor', { level, floor, count }, { body: { level, floor, count } });
}
