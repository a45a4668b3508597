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
import type { Transaction } from '../../platform/db/index.ts';
import { findComing, followingOn, plansComing, type LampPlans } from '../plans/index.ts';
import { rowsAround, type RowPlace } from '../rows/index.ts';
import { createKindsOfDays, exceptionsOn, isAssigned, withoutExceptions } from './kinds-of-days.ts';
import { othersOf } from './lamp-plans.ts';
import type { Lamp } from './publications.store.ts';

/** Lamps of a class of road that are among three neighbours below its floor. */
export interface FloorFound {
  readonly roadClass: RoadClass;
  readonly floor: number;
  /** The reason by which the scheme of the lamps is excepted from it; null: it is not. */
  readonly reason: string | null;
  readonly ids: readonly number[];
  /** The exception that holds for a lamp among them, without which they are not below. */
  readonly exception?: number;
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
const none: Change = { before: new Map(), after: new Map() };
interface FloorsAsked extends Change {
  readonly lamps: readonly Lamp[];
  /** What other lamps of their rows follow is asked of these, as of an instant. */
  readonly plans: LampPlans;
  readonly at: number;
  /**
   * The change with the exceptions of these lamps, where it is without them: lamps are judged without exceptions, and
   * then on the days of exceptions by what gets darker than they made it.
   */
  readonly whole?: Change;
  /** The same of those of these lamps to which something is on its way, with that. */
  readonly wholeComing?: Change;
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
 * What of the rows of these lamps is below the floor of its road, with what each lamp would do: beside what their
 * neighbours follow, and beside what is on its way to them. The latter may come and may not.
 */
export async function judgeFloors(tx: Transaction, asked: FloorsAsked): Promise<FloorFound[]> {
  const { before, after, plans, at, again, whole, wholeComing = none, from, days } = asked;
  const lamps = again ? asked.lamps : asked.lamps.filter(({ id }) => after.has(id));
  const own = new Set(lamps.map(({ id }) => id));
  const rows = await rowsAround(tx, [...own], judgedClasses);
  const judgement = createJudgement(tx, asked);
  const excepted = await judgement.judge({ rows, lamps, before, after, plans });
  /** The same for the rows in which any of these lamps stands, and for those of them that stand in none. */
  const judgeWith = (some: ReadonlySet<number>, change: Omit<Judged, 'rows' | 'lamps'>) => {
    const sides = new Set(rows.flatMap((row) => (row.lamps.some((id) => some.has(id)) ? sideOf(row) : [])));
    const touched = rows.filter((row) => sides.has(sideOf(row)));
    const inTouched = new Set(touched.flatMap((row) => row.lamps));
    const near = lamps.filter(({ id }) => inTouched.has(id) || some.has(id));
    return judgement.judge({ rows: touched, lamps: near, ...change });
  };
  const others = rows.flatMap((row) => row.lamps.filter((id) => again || !own.has(id)));
  const coming = await findComing(tx, [...new Set([...others, ...(again ? own : [])])], new Date(at));
  const later = plansComing(plans, from, days);
  if (coming.size > 0) {
    const changed = await again?.(
      later,
      lamps.filter(({ id }) => coming.has(id)),
    );
    await judgeWith(coming, {
      before: new Map([...before, ...(changed?.before ?? [])]),
      after: new Map([...after, ...(changed?.after ?? [])]),
      plans: later,
    });
  }
  if (whole) {
    for (const [id, plan] of whole.after) if (isAssigned(plan) && plan.exceptions.length > 0) excepted.add(id);
    if (excepted.size > 0) await judgeWith(excepted, { ...whole, plans, excepted: true });
    const withComing = new Set([...coming, ...wholeComing.after.keys()]);
    if (withComing.size > 0)
      await judgeWith(new Set([...excepted, ...withComing]), {
        before: new Map([...whole.before, ...wholeComing.before]),
        after: new Map([...whole.after, ...wholeComing.after]),
        ...{ plans: later, excepted: true },
      });
  }
  return judgement.all();
}
const sideOf = ({ roadId, side }: RowPlace) => `${roadId} ${side}`;

interface Judged extends Change {
  readonly rows: readonly RowPlace[];
  readonly lamps: readonly Lamp[];
  readonly plans: LampPlans;
  /** On days of exceptions alone. */
  readonly excepted?: boolean;
}

function createJudgement(tx: Transaction, { at, whole, from, days, darker = false, breathe }: FloorsAsked) {
  const kindsOfDays = createKindsOfDays({ from, count: days, seasons: true, breathe });
  const nightOf = createNights();
  /** Each lamp once, however many nights and neighbours it is below in. */
  const found = new Map<string, { worst: Omit<FloorFound, 'ids'>; readonly ids: Set<number> }>();
  function add(one: Omit<FloorFound, 'ids'>, ids: readonly number[]): void {
    const key = `${one.roadClass} ${one.exception ?? ''} ${one.reason ?? ''}`;
    const known = found.get(key) ?? { worst: one, ids: new Set() };
    found.set(key, known);
    for (const id of ids) known.ids.add(id);
    if (one.level < known.worst.level) known.worst = one;
  }
  /** Lamps that are below without exceptions are not named again with them. */
  function all(): FloorFound[] {
    const all = [...found.values()].map(({ worst, ids }) => ({ ...worst, ids: [...ids] }));
    const named = new Set(
      all.flatMap(({ exception, roadClass, ids }) =>
        exception === undefined ? ids.map((id) => `${roadClass} ${id}`) : [],
      ),
    );
    return all.flatMap((one) => {
      const ids = one.ids.filter((id) => one.exception === undefined || !named.has(`${one.roadClass} ${id}`));
      return ids.length > 0 ? { ...one, ids } : [];
    });
  }

  /** The lamps beside which others are judged and for which exceptions hold, of which nothing is said. */
  async function judge({ rows, lamps, before, after, plans, excepted = false }: Judged): Promise<Set<number>> {
    const own = new Map(lamps.flatMap((lamp) => (after.has(lamp.id) ? [[lamp.id, lamp] as const] : [])));
    const runs = [...runsOf(rows, own)];
    const inRows = new Set(runs.flatMap(({ poles }) => poles.flat()));
    const beside = rows.flatMap(({ lamps: ids, workAreaId }) =>
      ids.flatMap((deviceId) => (inRows.has(deviceId) && !own.has(deviceId) ? [{ deviceId, workAreaId }] : [])),
    );
    const others = await othersOf(tx, plans, beside, at);
    const isPlain = whole !== undefined && !excepted;
    runs.push(
      ...looseRuns(
        [...own.values()].filter(({ id }) => !inRows.has(id)),
        before,
        after,
      ),
    );
    const planOf = (id: number, side: 'before' | 'after'): LampPlan | undefined => {
      if (own.has(id)) return (side === 'after' ? after : before).get(id);
      const plan = others.get(id);
      return plan && isPlain ? withoutExceptions(plan) : plan;
    };
    for (const run of runs) {
      const poles = run.poles.map((ids) => ids.filter((id) => planOf(id, 'after'))).filter((ids) => ids.length > 0);
      const plansOf = (['before', 'after'] as const).flatMap((side) =>
        poles.flatMap((ids) => ids.flatMap((id) => planOf(id, side) ?? [])),
      );
      const distinct = new Set(plansOf);
      const { roadClass } = run;
      const floor = classFloors[roadClass];
      const changing = poles.flat().filter((id) => own.has(id));
      for (const { day } of await kindsOfDays(plansOf)) {
        const [exception] = excepted
          ? [...distinct].flatMap((plan) => exceptionsOn(plan, day).map(({ id }) => id))
          : [];
        if (excepted && exception === undefined) continue;
        // What one scheme is excepted from excuses no lamp of another one.
        const reasons = Map.groupBy(changing, (id) =>
          excepted ? null : followedOn(after.get(id), day, roadClass).reason,
        );
        for (const [reason, ids] of reasons) {
          const some = reasons.size === 1 ? own : new Set(ids);
          const row = await rowOf({ ...run, poles }, day, { own: some, planOf, nightOf, breathe });
          const one = belowFloorOfRow(row, floor, { darker: darker || excepted });
          await breathe();
          if (!one) continue;
          const below = one.poles.flatMap((pole) => run.alike ?? poles[pole] ?? []).filter((id) => some.has(id));
          const darkest = after.get(poles[one.pole]?.[one.lamp] ?? 0);
          const { programme } = followedOn(darkest, day, roadClass);
          const { level, period } = one;
          const worst = { roadClass, floor, reason, level, day, programme, period: period ?? 0 };
          add(exception === undefined ? worst : { ...worst, exception }, below);
        }
      }
    }
    return new Set([...others].flatMap(([id, plan]) => (isAssigned(plan) && plan.exceptions.length > 0 ? id : [])));
  }
  return { judge, all };
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
