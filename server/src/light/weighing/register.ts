import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { loadAreas, type Area, type RegisterWeighing } from '../../register/places/index.ts';
import { countDarkening } from '../commands/index.ts';
import { coordinatesOf, findComing, plansComing, type LampPlans } from '../plans/index.ts';
import { createComparison, lockPlannedLight, lookAgain } from '../publications/index.ts';
import { holdRows, orderRoad } from '../rows/index.ts';
import { atOnce, darkerOf, plansOf, type Plans } from './comparing.ts';
import { findStanding, lampsOfArea, type Standing } from './lamps.store.ts';
import { createRowWeighing, daysAhead } from './rows.ts';

interface Parts {
  readonly plans: LampPlans;
  readonly clock: Clock;
}

/**
 * Weighs what a person changes in the register that moves nights or patterns. It holds at once and nobody could agree to
 * it later: whose project gets darker than an account may make it alone says how many lamps that are, and a junction or
 * another side goes as another order of its row does.
 */
export function createRegisterWeighing(parts: Parts): RegisterWeighing {
  const weighRows = createRowWeighing(parts);
  return {
    async ofArea(tx, caller, { id, next, confirmCount, refuseFirst }, work) {
      const isMoved = async (): Promise<Area | undefined> => {
        const area = (await loadAreas(tx, [id])).get(id);
        return area && movesNights(area, next) ? area : undefined;
      };
      // Who moves no night waits for nobody.
      if (await isMoved()) {
        await refuseFirst();
        await lockPlannedLight(tx);
      }
      const was = await isMoved();
      if (!was) {
        await work();
        return undefined;
      }
      const darker = await darkerByPlace(tx, parts, was, work);
      await lookAgain(tx, id, parts.clock.now());
      const lamps = darker.map((lamp) => ({ ...target, id: lamp, workAreaId: id }));
      const about = { actorId: caller.accountId, cause: 'places', lamps, now: parts.clock.now() } as const;
      await countDarkening(tx, about, (much) => {
        if (confirmCount === much.count) return;
        const rule = confirmCount === undefined ? 'required' : 'invalid';
        throw refuse('areaDarkens', { ...much }, { fields: [{ field: 'confirmCount', rule }], body: { ...much } });
      });
      return darker.length;
    },

    async ofDevice(tx, caller, { id, next, refuseFirst }, work) {
      const movedIn = async (): Promise<number | null> => {
        const pole = movesRow(next) ? await findStanding(tx, id) : undefined;
        return pole && standsOtherwise(pole, next) ? pole.roadId : null;
      };
      const roadId = await movedIn();
      if (roadId !== null) {
        await refuseFirst();
        // Before the row of the pole, as who orders rows takes them.
        await holdRows(tx, roadId);
      }
      const still = await movedIn();
      if (still === null) {
        await work();
        return undefined;
      }
      if (still !== roadId) throw refuse('changedMeanwhile');
      return weighRows(tx, caller, roadId, async () => {
        await work();
        await orderRoad(tx, roadId, { mode: 'new', by: null, at: parts.clock.now() });
      });
    },
  };
}

/** What is known of a lamp where nobody is asked to agree. */
const target = { family: '', viaId: 0, enabled: true, visible: true } as const;

type Fields = Readonly<Record<string, unknown>>;

/** Another time or place. */
function movesNights(was: Area, next: Fields): boolean {
  const { timeZone = was.timeZone, latitude = was.latitude, longitude = was.longitude } = next;
  return timeZone !== was.timeZone || latitude !== was.latitude || longitude !== was.longitude;
}

const movesRow = (next: Fields): boolean => 'ifIntersection' in next || 'roadside' in next;
/** At another side of the road, or a junction no longer; what is empty is no junction and no side. */
function standsOtherwise({ junction, side }: Standing, next: Fields): boolean {
  const { ifIntersection = junction, roadside = side } = next;
  return (ifIntersection === true) !== junction || (roadside || null) !== side;
}

/** The lamps of an area that get darker by its other place or time, those without a plan by the sun. */
async function darkerByPlace(
  tx: Transaction,
  { plans, clock }: Parts,
  was: Area,
  work: () => Promise<void>,
): Promise<number[]> {
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
  const is = (await loadAreas(tx, [was.id])).get(was.id);
  const [from, to] = [sunOf(was), is ? sunOf(is) : null];
  // Before or after it nobody knows the night: who has no plan counts.
  const isUnknown = (from === null) !== (to === null);
  const bySun = from !== null && to !== null && (await isDarkerBySun(from, to, at, breathe));
  const darker = new Set<number>();
  for (const page of pages) {
    const lamps = page.ids.map((id) => ({ id }));
    const after = await plansOf(tx, plans, page.ids, at);
    const found = [
      ...(await darkerOf(lamps, page.now, after, at)),
      ...(await darkerOf(lamps, page.later, await plansOf(tx, later, page.coming, at), at)),
      ...(bySun ? lamps.filter(({ id }) => !page.now.has(id)) : []),
      ...(isUnknown ? lamps.filter(({ id }) => !page.now.has(id) || !after.has(id)) : []),
    ];
    for (const { id } of found) darker.add(id);
    await breathe();
  }
  return [...darker];
}

function sunOf(area: Area): SunPlace | null {
  const place = coordinatesOf(area);
  return place && { ...area, ...place };
}

async function isDarkerBySun(was: SunPlace, is: SunPlace, at: number, breathe: () => Promise<void>): Promise<boolean> {
  const compare = createComparison(lightingDay(is, at).day, breathe);
  return (await compare(defaultPlan(was), defaultPlan(is))).darker;
}
