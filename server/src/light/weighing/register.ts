import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { loadPlaces, type AreaPlace, type RegisterWeighing } from '../../register/places/index.ts';
import { countDarkening } from '../commands/index.ts';
import { coordinatesOf, findComing, kilometresTooFar, plansComing, type LampPlans } from '../plans/index.ts';
import { createComparison, lockPlannedLight } from '../publications/index.ts';
import { holdRows, orderRoad } from '../rows/index.ts';
import { atOnce, darkerOf, plansOf, type Plans } from './comparing.ts';
import { findJunction, lampsOfArea } from './lamps.store.ts';
import { createRowWeighing, daysAhead } from './rows.ts';

interface Parts {
  readonly plans: LampPlans;
  readonly clock: Clock;
}

/**
 * Weighs what a person changes in the register that moves nights or patterns. It holds at once and nobody could agree to
 * it later: whose project gets darker than an account may make it alone says how many lamps that are, and a junction goes
 * as another order of its row does.
 */
export function createRegisterWeighing(parts: Parts): RegisterWeighing {
  const weighRows = createRowWeighing(parts);
  return {
    async ofArea(tx, caller, { id, next, confirmCount }, work) {
      const was = (await loadPlaces(tx, [id])).get(id);
      if (!was || !movesNights(was, next)) {
        await work();
        return undefined;
      }
      const darker = await darkerByPlace(tx, parts, was, work);
      const lamps = darker.map((lamp) => ({ ...target, id: lamp, workAreaId: id }));
      const about = { actorId: caller.accountId, cause: 'places', lamps, now: parts.clock.now() } as const;
      await countDarkening(tx, about, (much) => {
        if (confirmCount === much.count) return;
        const rule = confirmCount === undefined ? 'required' : 'invalid';
        throw refuse('areaDarkens', { ...much }, { fields: [{ field: 'confirmCount', rule }], body: { ...much } });
      });
      return darker.length;
    },

    async ofDevice(tx, caller, { id, next }, work) {
      const junction = typeof next['ifIntersection'] === 'boolean' ? await findJunction(tx, id) : undefined;
      const roadId = junction?.is === next['ifIntersection'] ? null : (junction?.roadId ?? null);
      if (roadId === null) {
        await work();
        return undefined;
      }
      // Before the row of the pole, as who orders rows takes them.
      await holdRows(tx, roadId);
      return weighRows(tx, caller, roadId, async () => {
        await work();
        await orderRoad(tx, roadId, { mode: 'new', by: null, at: parts.clock.now() });
      });
    },
  };
}

/** What is known of a lamp where nobody is asked to agree. */
const target = { family: '', viaId: 0, enabled: true, visible: true } as const;

/** Another time, or a place that is too far away for the same night; what is none is refused by the work. */
function movesNights(was: AreaPlace, next: Readonly<Record<string, unknown>>): boolean {
  const { timeZone = was.timeZone, latitude = was.latitude, longitude = was.longitude } = next;
  if (timeZone !== was.timeZone) return true;
  const stands =
    typeof latitude === 'number' && typeof longitude === 'number' ? coordinatesOf({ latitude, longitude }) : null;
  return stands === null || kilometresTooFar(coordinatesOf(was), stands) !== null;
}

/** The lamps of an area that get darker by its other place or time, those without a plan by the sun. */
async function darkerByPlace(
  tx: Transaction,
  { plans, clock }: Parts,
  was: AreaPlace,
  work: () => Promise<void>,
): Promise<number[]> {
  await lockPlannedLight(tx);
  const breathe = breather();
  const now = clock.now();
  const at = now.getTime();
  const later = plansComing(plans, dayOf(at, 'UTC'), daysAhead);
  const pages: { readonly ids: readonly number[]; readonly coming: readonly number[]; now: Plans; later: Plans }[] = [];
  for (let after = 0; ;) {
    const ids = await lampsOfArea(tx, was.id, after, atOnce);
    const last = ids.at(-1);
    if (last === undefined) break;
    const coming = [...(await findComing(tx, ids, now))];
    pages.push({ ids, coming, now: await plansOf(tx, plans, ids, at), later: await plansOf(tx, later, coming, at) });
    after = last;
    await breathe();
  }
  await work();
  const is = (await loadPlaces(tx, [was.id])).get(was.id);
  const bySun = is !== undefined && (await isDarkerBySun(was, is, at, breathe));
  const darker = new Set<number>();
  for (const page of pages) {
    const lamps = page.ids.map((id) => ({ id }));
    const found = [
      ...(await darkerOf(lamps, page.now, await plansOf(tx, plans, page.ids, at), at)),
      ...(await darkerOf(lamps, page.later, await plansOf(tx, later, page.coming, at), at)),
      ...(bySun ? lamps.filter(({ id }) => !page.now.has(id)) : []),
    ];
    for (const { id } of found) darker.add(id);
    await breathe();
  }
  return [...darker];
}

async function isDarkerBySun(was: SunPlace, is: SunPlace, at: number, breathe: () => Promise<void>): Promise<boolean> {
  const compare = createComparison(lightingDay(is, at).day, breathe);
  return (await compare(defaultPlan(was), defaultPlan(is))).darker;
}
