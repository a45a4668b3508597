import { classFloors, type RoadClass } from '../../../../catalogue/lighting/floors.ts';
import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import { litByPattern } from '../../../../catalogue/lighting/plan/pattern.ts';
import type { LampPlan, Night, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import {
  belowFloorOfRow,
  neighbours,
  type FloorLamp,
  type FloorRow,
} from '../../../../catalogue/lighting/plan/row-floor.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { roadClasses } from '../../../../catalogue/records/road.ts';
import { takeLock, type Transaction } from '../../platform/db/index.ts';
import { currentDryRun } from '../../platform/dry-run.ts';
import { findComing, followingOn, plansComing, type LampPlans } from '../plans/index.ts';
import { rowsAround, type RowPlace } from '../rows/index.ts';
import { createKindsOfDays, isAssigned } from './kinds-of-days.ts';
import { othersOf } from './lamp-plans.ts';
import type { Lamp } from './publications.store.ts';

/** Lamps of a class of road that are among three neighbours below its floor. */
export interface FloorFound {
  readonly roadClass: RoadClass;
  readonly floor: number;
  /** The reason by which the scheme of the lamps is excepted from it; null: it is not. */
  readonly reason: string | null;
  readonly ids: readonly number[];
  /** The lowest mean of three, percent; the day, and which programme and period of the darkest lamp. */
  readonly level: number;
  readonly day: Day;
  readonly programme: number;
  readonly period: number;
}

/** What lamps followed and would follow; a lamp without the latter is left as it is. */
interface Change {
  readonly before: ReadonlyMap<number, LampPlan>;
  readonly after: ReadonlyMap<number, LampPlan>;
}
interface FloorsAsked extends Change {
  readonly lamps: readonly Lamp[];
  /** What other lamps of their rows follow is asked of these, as of an instant; `plain`: without exceptions. */
  readonly plans: LampPlans;
  readonly at: number;
  readonly plain?: boolean;
  /** The change of lamps to which something is on its way, with that: `plans` have it. Absent: nothing is. */
  readonly again?: (plans: LampPlans, lamps: readonly Lamp[]) => Promise<Change>;
  /** Lighting days: the first, and how many. */
  readonly from: Day;
  readonly days: number;
  /** Only where it is darker than before. */
  readonly darker?: boolean;
  readonly breathe: () => Promise<void>;
}

/** Poles that are judged at once. */
const polesAtOnce = 200;
const judgedClasses = roadClasses.filter((roadClass) => classFloors[roadClass] > 0);
const isJudged = (roadClass: string | null): roadClass is RoadClass =>
  judgedClasses.some((judged) => judged === roadClass);

/** Poles next to each other, of lamps that change and of up to two neighbours on either side. */
interface Run {
  readonly roadClass: RoadClass;
  readonly poles: readonly (readonly number[])[];
  readonly loose: boolean;
  /** Lamps of no row with the same plans: the one that is judged stands for them. */
  readonly alike?: readonly number[];
}

/**
 * One change of planned light is judged and made at a time, so that two at the same moment see each other. Before other
 * locks of the change, except that of a road's rows. A dry run waits for nobody.
 */
export async function lockPlannedLight(tx: Transaction): Promise<void> {
  if (!currentDryRun()) await takeLock(tx, 'plannedLight');
}

/**
 * What of the rows of these lamps is below the floor of its road, with what each lamp would do: beside what their
 * neighbours follow, and beside what is on its way to them. The latter may come and may not.
 */
export async function judgeFloors(tx: Transaction, asked: FloorsAsked): Promise<FloorFound[]> {
  const { before, after, plans, at, again, from, days } = asked;
  const lamps = again ? asked.lamps : asked.lamps.filter(({ id }) => after.has(id));
  const own = new Set(lamps.map(({ id }) => id));
  const rows = await rowsAround(tx, [...own], judgedClasses);
  const judgement = createJudgement(tx, asked);
  await judgement.judge({ rows, lamps, before, after, plans });
  const near = rows.flatMap((row) => (again ? row.lamps : row.lamps.filter((id) => !own.has(id))));
  const coming = await findComing(tx, [...new Set([...near, ...(again ? own : [])])], new Date(at));
  if (coming.size === 0) return judgement.found();
  const later = plansComing(plans, from, days);
  const changed = await again?.(
    later,
    lamps.filter(({ id }) => coming.has(id)),
  );
  const sideOf = ({ roadId, side }: RowPlace) => `${roadId} ${side}`;
  const sides = new Set(rows.flatMap((row) => (row.lamps.some((id) => coming.has(id)) ? sideOf(row) : [])));
  const touched = rows.filter((row) => sides.has(sideOf(row)));
  const inTouched = new Set(touched.flatMap((row) => row.lamps));
  await judgement.judge({
    rows: touched,
    lamps: lamps.filter(({ id }) => inTouched.has(id) || coming.has(id)),
    before: new Map([...before, ...(changed?.before ?? [])]),
    after: new Map([...after, ...(changed?.after ?? [])]),
    plans: later,
  });
  return judgement.found();
}

interface Judged extends Change {
  readonly rows: readonly RowPlace[];
  readonly lamps: readonly Lamp[];
  readonly plans: LampPlans;
}
function createJudgement(tx: Transaction, { at, plain = false, from, days, darker = false, breathe }: FloorsAsked) {
  const kindsOfDays = createKindsOfDays({ from, count: days, seasons: true, breathe });
  const nightOf = createNights();
  const found = new Map<string, FloorFound>();
  /** Each lamp once, however many nights and neighbours it is below in. */
  const counted = new Map<string, Set<number>>();

  async function judge({ rows, lamps, before, after, plans }: Judged): Promise<void> {
    const own = new Map(lamps.flatMap((lamp) => (after.has(lamp.id) ? [[lamp.id, lamp] as const] : [])));
    const runs = [...runsOf(rows, own)];
    const inRows = new Set(runs.flatMap(({ poles }) => poles.flat()));
    const others = await othersOf(
      tx,
      plans,
      rows.flatMap(({ lamps: ids, workAreaId }) =>
        ids.flatMap((deviceId) => (inRows.has(deviceId) && !own.has(deviceId) ? [{ deviceId, workAreaId }] : [])),
      ),
      { at, plain },
    );
    runs.push(
      ...looseRuns(
        [...own.values()].filter(({ id }) => !inRows.has(id)),
        before,
        after,
      ),
    );
    const planOf = (id: number, side: 'before' | 'after'): LampPlan | undefined =>
      own.has(id) ? (side === 'after' ? after : before).get(id) : others.get(id);
    for (const run of runs) {
      const poles = run.poles.map((ids) => ids.filter((id) => planOf(id, 'after'))).filter((ids) => ids.length > 0);
      const plansOf = (['before', 'after'] as const).flatMap((side) =>
        poles.flatMap((ids) => ids.flatMap((id) => planOf(id, side) ?? [])),
      );
      const floor = classFloors[run.roadClass];
      const changing = poles.flat().filter((id) => own.has(id));
      for (const { day } of await kindsOfDays(plansOf)) {
        // What one scheme is excepted from excuses no lamp of another one.
        const reasons = Map.groupBy(changing, (id) => followedOn(after.get(id), day, run.roadClass).reason);
        for (const [reason, ids] of reasons) {
          const some = reasons.size === 1 ? own : new Set(ids);
          const row = await rowOf({ ...run, poles }, day, { own: some, planOf, nightOf, breathe });
          const one = belowFloorOfRow(row, floor, { darker });
          await breathe();
          if (!one) continue;
          const darkest = after.get(poles[one.pole]?.[one.lamp] ?? 0);
          const { programme } = followedOn(darkest, day, run.roadClass);
          const key = `${run.roadClass} ${reason ?? ''}`;
          const below = counted.get(key) ?? new Set<number>();
          counted.set(key, below);
          for (const pole of one.poles) for (const id of run.alike ?? poles[pole] ?? []) if (some.has(id)) below.add(id);
          if ((found.get(key)?.level ?? Number.POSITIVE_INFINITY) <= one.level) continue;
          found.set(key, {
            ...{ roadClass: run.roadClass, floor, reason, ids: [], day, programme },
            ...{ level: one.level, period: one.period ?? 0 },
          });
        }
      }
    }
  }
  return {
    judge,
    found: () => [...found].map(([key, one]) => ({ ...one, ids: [...(counted.get(key) ?? [])] })),
  };
}

function* runsOf(places: readonly RowPlace[], own: ReadonlyMap<number, Lamp>): Generator<Run> {
  const reach = neighbours - 1;
  for (const row of Map.groupBy(places, ({ roadId, side }) => `${roadId} ${side}`).values()) {
    const roadClass = row[0]?.roadClass ?? null;
    if (!isJudged(roadClass)) continue;
    const isNear = row.map(() => false);
    for (const [place, { lamps }] of row.entries())
      if (lamps.some((id) => own.has(id))) isNear.fill(true, Math.max(0, place - reach), place + reach + 1);
    for (let first = 0; first < row.length; first += 1) {
      if (!isNear[first]) continue;
      const end = isNear.indexOf(false, first);
      const to = Math.min(end < 0 ? row.length : end, first + polesAtOnce);
      yield { roadClass, poles: row.slice(first, to).map(({ lamps }) => lamps), loose: false };
      // The next part begins with the last neighbours of this one.
      first = to < row.length && isNear[to] ? to - reach - 1 : to - 1;
    }
  }
}

/** Lamps of no row, those with the same plans as one. */
function looseRuns(lamps: readonly Lamp[], before: Change['before'], after: Change['after']): Run[] {
  const numbers = new Map<LampPlan | undefined, number>();
  const numberOf = (plan: LampPlan | undefined): number => {
    const number = numbers.get(plan) ?? numbers.size;
    numbers.set(plan, number);
    return number;
  };
  const alike = Map.groupBy(
    lamps,
    ({ id, roadClass }) => `${roadClass} ${numberOf(before.get(id))} ${numberOf(after.get(id))}`,
  );
  return [...alike.values()].flatMap((of): Run[] => {
    const [first] = of;
    return first && isJudged(first.roadClass)
      ? [{ roadClass: first.roadClass, poles: [[first.id]], loose: true, alike: of.map(({ id }) => id) }]
      : [];
  });
}

interface Looking {
  /** The lamps that are judged: others stand as they would after the change. */
  readonly own: { has(id: number): boolean };
  readonly planOf: (id: number, side: 'before' | 'after') => LampPlan | undefined;
  readonly nightOf: (plan: LampPlan, day: Day) => Night;
  readonly breathe: FloorsAsked['breathe'];
}
async function rowOf({ poles, loose }: Run, day: Day, looking: Looking): Promise<FloorRow> {
  const { own, planOf, nightOf, breathe } = looking;
  const of = (id: number, side: 'before' | 'after') => {
    const plan = planOf(id, side);
    return plan ? nightOf(plan, day) : null;
  };
  const found: FloorLamp[][] = [];
  for (const lamps of poles) {
    found.push(
      lamps.map((id) => {
        const [isOwn, next] = [own.has(id), of(id, 'after')];
        return { before: isOwn ? of(id, 'before') : next, after: next, own: isOwn };
      }),
    );
    await breathe();
  }
  return { poles: found, loose };
}

/** Lamps that do the same in a night have the same object. */
function createNights(): Looking['nightOf'] {
  const alike = new WeakMap<Programme, Map<string, Night>>();
  const known = new WeakMap<LampPlan, Map<Day, Night>>();
  function shared({ place, role, programmeOn }: LampPlan, day: Day): Night {
    const programme = programmeOn(day);
    const nights = alike.get(programme) ?? new Map<string, Night>();
    alike.set(programme, nights);
    const lit = (['alternateOne', 'alternateTwo'] as const).map((pattern) => litByPattern(pattern, role, day));
    const key = [day, ...Object.values(place), role.minLevel, ...lit].join(' ');
    const night = nights.get(key) ?? resolveNight(programme, place, day, role);
    nights.set(key, night);
    return night;
  }
  return (plan, day) => {
    const nights = known.get(plan) ?? new Map<Day, Night>();
    known.set(plan, nights);
    const night = nights.get(day) ?? shared(plan, day);
    nights.set(day, night);
    return night;
  };
}

/** The programme of a lamp on a day, and why its scheme is excepted from the floor of a class. */
function followedOn(
  plan: LampPlan | undefined,
  day: Day,
  roadClass: RoadClass,
): { readonly programme: number; readonly reason: string | null } {
  const step = plan && isAssigned(plan) ? followingOn(plan.following, day) : undefined;
  const excepted = step?.scheme?.content.floorExceptions.find((one) => one.roadClass === roadClass);
  return { programme: step?.keyOn(day) ?? 1, reason: excepted?.reason ?? null };
}
