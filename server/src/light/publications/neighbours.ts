import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Night } from '../../../../catalogue/lighting/plan/programme.ts';
import { darkLamps } from '../../../../catalogue/lighting/plan/row-darkness.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { plansComing, type LampPlans } from '../plans/index.ts';
import { createKindsOfDays, withoutExceptions } from './kinds-of-days.ts';
import { findMixedRows, type RowLamp } from './found.store.ts';
import type { Found } from './found.ts';
import { othersOf } from './lamp-plans.ts';

/** Lamps of a row that follow different plans: neighbours are looked at together, also those that are not asked about. */

interface Looking {
  readonly plans: LampPlans;
  readonly ids: readonly number[];
  readonly effectiveFrom: Day;
  readonly at: number;
  readonly breathe: () => Promise<void>;
}

const year = 366;
const lampsAtOnce = 1000;

/**
 * More than two neighbours of a row dark while others of it burn; of the lamps that are asked about. Rows are looked at
 * as they are, and with what is on its way to other lamps of theirs.
 */
export async function darkNeighbours(tx: Transaction, looking: Looking): Promise<Found[]> {
  const { plans, ids, effectiveFrom, at, breathe } = looking;
  const members = await findMixedRows(tx, ids);
  if (members.length === 0) return [];
  const asked = new Set(ids);
  const kindsOfDays = createKindsOfDays({ from: effectiveFrom, count: year, seasons: false, breathe });
  const found = { nights: 0, first: '', ids: new Set<number>() };
  const rows = [...Map.groupBy(members, ({ row }) => row).values()];
  const plansOf = (by: LampPlans, some: readonly RowLamp[]) =>
    othersOf(
      tx,
      by,
      some.map(({ id, workAreaId }) => ({ deviceId: id, workAreaId })),
      at,
    );

  async function lookAt(row: readonly RowLamp[], given: ReadonlyMap<number, LampPlan>): Promise<void> {
    const placed = row.flatMap(({ id, position }) => {
      const plan = given.get(id);
      return plan ? [{ id, position, plan: withoutExceptions(plan) }] : [];
    });
    let nights = 0;
    for (const { day, days } of await kindsOfDays(placed.map(({ plan }) => plan))) {
      const dark = darkOn(day, placed).filter((id) => asked.has(id));
      await breathe();
      if (dark.length === 0) continue;
      if (found.first === '' || day < found.first) found.first = day;
      nights += days;
      for (const id of dark) found.ids.add(id);
    }
    found.nights = Math.max(found.nights, nights);
  }

  for (let from = 0; from < rows.length;) {
    const some: (readonly RowLamp[])[] = [];
    for (let lamps = 0; from < rows.length && lamps < lampsAtOnce; from += 1) {
      const row = rows[from] ?? [];
      some.push(row);
      lamps += row.length;
    }
    const given = await plansOf(plans, some.flat());
    const coming = some.flat().filter((lamp) => lamp.coming);
    const later = new Map([...given, ...(await plansOf(plansComing(plans, effectiveFrom, year), coming))]);
    for (const row of some) {
      if (row[0]?.mixed) await lookAt(row, given);
      if (row.some((lamp) => lamp.coming)) await lookAt(row, later);
    }
  }
  if (found.nights === 0) return [];
  return [{ code: 'darkNeighbours', params: { nights: found.nights, first: found.first }, ids: [...found.ids] }];
}

interface Placed {
  readonly id: number;
  readonly position: number;
  readonly plan: LampPlan;
}
function darkOn(day: Day, row: readonly Placed[]): number[] {
  const plans = [...new Set(row.map(({ plan }) => plan))];
  const nights = new Map<number, Night>(plans.map((plan, index) => [index, nightOf(plan, day)]));
  return darkLamps(
    { lamps: row.map(({ id }) => id), positions: row.map(({ position }) => position) },
    row.map(({ plan }) => plans.indexOf(plan)),
    nights,
  );
}
