import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayNumber, type Day } from '../../../../catalogue/lighting/zone.ts';
import { followingOn, plainOf, type AssignedPlan, type Following, type LampException } from '../plans/index.ts';

/** Days of a year between two of which no period comes or goes with the sun unnoticed. */
const seasonDays = 61;

export const isAssigned = (plan: LampPlan): plan is AssignedPlan => 'following' in plan;

/** Without exceptions. */
export const withoutExceptions = (plan: LampPlan): LampPlan => (isAssigned(plan) ? plainOf(plan) : plan);

/** What decides which programmes a plan has on which days. */
export const calendarOf = (plan: LampPlan): string =>
  isAssigned(plan)
    ? plan.following.map(({ from, scheme, template }) => `${from} ${scheme?.id ?? 0} ${template?.id ?? 0}`).join()
    : '';
/** The programme of a day among those of the calendar. */
export function programmeOf(plan: LampPlan, day: Day): string {
  const step = isAssigned(plan) ? followingOn(plan.following, day) : undefined;
  return step ? `${step.from} ${step.keyOn(day)}` : '';
}

const alternating = new WeakMap<Following, boolean>();
function alternates(following: Following): boolean {
  const known =
    alternating.get(following) ??
    [...following.programmes.values()].some(({ periods }) => periods.some(({ pattern }) => pattern !== 'all'));
  alternating.set(following, known);
  return known;
}

/** A lighting day that stands for all like it, and how many these are. */
export interface KindOfDay {
  readonly day: Day;
  days: number;
}
interface Sorted {
  readonly from: Day;
  readonly count: number;
  /** Each programme also has a day in each season, of no kind of its own: `days` is 0. */
  readonly seasons: boolean;
  readonly breathe: () => Promise<void>;
}

/**
 * Of so many lighting days those that stand for all: one for each meeting of programmes, exceptions and places of the
 * patterns, the first of them. Found once for all lamps with the same calendars.
 */
export function createKindsOfDays(sorted: Sorted): (plans: readonly LampPlan[]) => Promise<readonly KindOfDay[]> {
  const known = new Map<string, readonly KindOfDay[]>();
  const keys = new WeakMap<LampPlan, string>();
  const keyOf = (plan: LampPlan): string => {
    const key =
      keys.get(plan) ??
      JSON.stringify([
        calendarOf(plan),
        isAssigned(plan) ? plan.exceptions.map(({ id }) => id) : [],
        rotationOf(plan),
        plan.place.timeZone,
      ]);
    keys.set(plan, key);
    return key;
  };
  return async (plans) => {
    const distinct = new Map(plans.map((plan) => [keyOf(plan), plan]));
    const key = [...distinct.keys()].toSorted().join('\n');
    const found = known.get(key) ?? (await kindsOf([...distinct.values()], sorted));
    known.set(key, found);
    return found;
  };
}

/** How the pattern of a lamp moves; null: it has none. */
const rotationOf = (plan: LampPlan): string | null =>
  plan.role.position !== null && isAssigned(plan) && plan.following.some(alternates) ? plan.role.rotation : null;

async function kindsOf(plans: readonly LampPlan[], { from, count, seasons, breathe }: Sorted): Promise<KindOfDay[]> {
  const rotations = new Set(plans.map(rotationOf));
  const kinds = new Map<string, KindOfDay>();
  const met = new Set<string>();
  const found: KindOfDay[] = [];
  for (let day = from, ahead = 0; ahead < count; day = addDays(day, 1), ahead += 1) {
    const number = dayNumber(day);
    const programmes = plans.map((plan) => `${programmeOf(plan, day)} ${exceptedOn(plan, day)}`).join('/');
    const place = [
      rotations.has('nightly') ? number % 6 : '',
      rotations.has('weekly') ? Math.floor(number / 7) % 6 : '',
    ].join(' ');
    const known = kinds.get(`${programmes} ${place}`);
    const season = `${programmes} ${Math.floor(ahead / seasonDays)}`;
    const isMet = met.has(season);
    met.add(season);
    if (known) known.days += 1;
    if (!known || (seasons && !isMet)) {
      const kind = { day, days: known ? 0 : 1 };
      if (!known) kinds.set(`${programmes} ${place}`, kind);
      found.push(kind);
    }
    await breathe();
  }
  return found;
}

/** The exceptions that touch a lighting day. */
export function exceptionsOn(plan: LampPlan, day: Day): readonly LampException[] {
  if (!isAssigned(plan) || plan.exceptions.length === 0) return [];
  const span = lightingDayOf(plan.place, day);
  return plan.exceptions.filter(({ from, to }) => from < span.to && to > span.from);
}

/** The same as a part of what kind the day is; one that begins or ends in it makes it a day of its own. */
function exceptedOn(plan: LampPlan, day: Day): string {
  const exceptions = exceptionsOn(plan, day);
  if (exceptions.length === 0) return '';
  const span = lightingDayOf(plan.place, day);
  return exceptions.map(({ id, from, to }) => (from > span.from || to < span.to ? `${id} ${day}` : `${id}`)).join();
}
