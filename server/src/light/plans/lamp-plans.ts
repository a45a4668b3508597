import { programmeOn, type DayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import { exceptedProgramme, type PlanException } from '../../../../catalogue/lighting/plan/exceptions.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import {
  noRole,
  type LampPlan,
  type LampRole,
  type Programme,
  type Switching,
} from '../../../../catalogue/lighting/plan/programme.ts';
import type { NamedProgramme, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultProgramme } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDayOf, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Stop } from '../../platform/clock.ts';
import { currentTrial, type Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { loadAreas } from '../../register/places/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import { rolesOf } from '../rows/index.ts';
import { emptyKept, keptOrBegun, keptOrLoaded, type Kept } from './kept.ts';
import { sunPlaceOf } from './place.ts';
import {
  loadAbilities,
  loadAssigned,
  loadSchemeVersions,
  loadTemplateVersions,
  type AssignedLamp,
  type DeviceAbility,
  type Followed,
  type GivenLists,
  type Giving,
  type More,
  type SchemeVersion,
  type StoredException,
  type TemplateVersion,
} from './plans.store.ts';

/** What a lamp follows from a lighting day on. */
export interface Following {
  readonly from: Day;
  readonly scheme: SchemeVersion | null;
  readonly template: TemplateVersion | null;
  /** By key, as the lamp runs them: what its template bounds is bounded. */
  readonly programmes: ReadonlyMap<number, Programme>;
  /** The key of the programme of a day. */
  readonly keyOn: (day: Day) => number;
}

/** The plan of a lamp that was given one. Lamps that follow the same share the object, and its nights. */
export interface AssignedPlan extends LampPlan {
  /** Ascending by day, at least one. */
  readonly following: readonly Following[];
  /** The oldest first; `programmeOn` has them in it. */
  readonly exceptions: readonly LampException[];
}

/** An exception as it holds for the lamp. */
export interface LampException extends PlanException {
  readonly id: number;
}

/** What a device can. */
export interface Able extends DeviceAbility {
  /** Of a message to it. */
  readonly mostBytes: number;
}

/** Plans, and what lamps with one can. */
export interface AblePlans {
  readonly own: ReadonlyMap<number, AssignedPlan>;
  readonly able: (id: number) => Able;
}

/** The plan of a lamp, by whom it was given, and what of the lamp its light is judged by. */
export interface GivenPlan extends Giving {
  readonly workAreaId: number;
  /** Null: nobody knows where the lamp stands. */
  readonly plan: AssignedPlan | null;
}

export interface LampPlans {
  /**
   * The plans of these lamps around an instant, from its lighting day back and four days ahead, with what is excepted. A
   * lamp that was never given a plan or an exception has none: it switches by the sun of its area. `coming`: with what
   * is on its way to them up to that lighting day.
   */
  of(db: Db, ids: readonly number[], at: number, coming?: Day): Promise<ReadonlyMap<number, AssignedPlan>>;
  /** The plans as they are, and what these lamps can. */
  withAbilities(db: Db, ids: readonly number[], at: number): Promise<AblePlans>;
  /** The plans as they are, and by whom these lamps were given them. */
  withGiving(db: Db, ids: readonly number[], at: number): Promise<ReadonlyMap<number, GivenPlan>>;
  /** What devices can, as far as it is known. */
  abilities(db: Db, ids: readonly number[]): Promise<(id: number) => Able>;
  /** Of the largest packet that the broker takes. */
  readonly packetBytes: () => number;
  /** Plans of so many lamps cannot be made, and why the first cannot: they are left out of what is judged. */
  readonly leftOut: (count: number, thrown: unknown) => void;
  stop: Stop;
}

const daysAhead = 4;
/** Who asks looks back so many days at most: of what a lamp followed before, the last one is enough. */
const daysWhole = 14;
/** Exceptions that ended so long before are left out, ms. */
const daysBackMs = 4 * 86_400_000;
/** Followed by a lamp that has exceptions alone. */
const nothing: Followed = { from: '0001-01-01', schemeVersionId: null, templateVersionId: null };
/** The programme of a lamp without a scheme. */
export const onlyProgramme = 1;

/**
 * The plans of lamps by what they were given, where they stand and what they are in their rows. `packetBytes`: of the
 * largest packet that the broker takes.
 */
export function createLampPlans(
  bus: Bus,
  packetBytes: () => number = () => Number.POSITIVE_INFINITY,
  log?: Pick<Log, 'warn'>,
): LampPlans {
  const real = emptyKept();
  /** Of trials and dry runs: what they read is taken back with them, and nobody else gets it. */
  const ofTrials = new WeakMap<object, Kept>();
  /** Counts how often all was forgotten. */
  let forgotten = 0;

  /** What this work keeps; a trial finds what is known, and waits for nothing that others read. */
  function keptNow(): Kept {
    const trial = currentTrial();
    if (!trial) return real;
    const kept = ofTrials.get(trial) ?? emptyKept(real);
    ofTrials.set(trial, kept);
    return kept;
  }

  const versionsOf = async (db: Db, kept: Kept, followed: readonly Followed[]): Promise<Versions> => ({
    schemes: await keptOrLoaded(
      kept.schemes,
      followed.map(({ schemeVersionId }) => schemeVersionId),
      (ids) => loadSchemeVersions(db, ids),
    ),
    templates: await keptOrLoaded(
      kept.templates,
      followed.map(({ templateVersionId }) => templateVersionId),
      (ids) => loadTemplateVersions(db, ids),
    ),
  });

  /** What the calendar of a scheme asks of days; one that asks nothing of a country is the same in all. */
  function factsOf(
    { db, kept: { facts } }: Source,
    scheme: SchemeVersion,
    timeZone: string,
    year: number,
  ): Promise<DayFacts> {
    return keptOrBegun(facts, `${scheme.id} ${countryOf(timeZone) ?? ''} ${year}`, () =>
      loadDayFacts(db, countryOf(timeZone), { from: year - 1, to: year + 2 }, [scheme.content.calendar]),
    );
  }

  /** The same object wherever it is followed in a country. */
  function following(
    source: Source,
    followed: Followed,
    versions: Versions,
    { timeZone, at }: Moment,
  ): Promise<Following> {
    const { from, schemeVersionId, templateVersionId } = followed;
    const year = dayOf(at, timeZone).slice(0, 4);
    const key = `${from} ${schemeVersionId} ${templateVersionId} ${countryOf(timeZone) ?? ''} ${year}`;
    return keptOrBegun(source.kept.followings, key, () => makeFollowing(source, followed, versions, { timeZone, at }));
  }

  async function makeFollowing(
    source: Source,
    { from, schemeVersionId, templateVersionId }: Followed,
    versions: Versions,
    { timeZone, at }: Moment,
  ): Promise<Following> {
    const scheme = versions.schemes.get(schemeVersionId ?? 0) ?? null;
    const template = versions.templates.get(templateVersionId ?? 0) ?? null;
    const programmes = new Map(programmesOf(scheme, template).map(({ key, programme }) => [key, programme]));
    if (!scheme) return { from, scheme, template, programmes, keyOn: () => onlyProgramme };
    const days = await factsOf(source, scheme, timeZone, Number(dayOf(at, timeZone).slice(0, 4)));
    return { from, scheme, template, programmes, keyOn: (day) => programmeOn(scheme.content.calendar, day, days) };
  }

  /** The exceptions of a lamp as its own place and template make them. */
  function exceptionsOf(
    stored: readonly StoredException[],
    { schemes }: Versions,
    place: SunPlace,
    newest: Following | undefined,
  ): LampException[] {
    return stored.flatMap(({ id, op, level, schemeVersionId, programmeKey, ...one }): LampException[] => {
      const days = one.fromDay === null || one.toDay === null ? null : { first: one.fromDay, last: one.toDay };
      const from = days ? lightingDayOf(place, days.first).from : one.from;
      const to = days ? lightingDayOf(place, days.last).to : one.to;
      const span = { from: Math.max(from, one.holdsFrom), to: Math.min(to, one.endedAt ?? to) };
      const named = schemes
        .get(schemeVersionId ?? 0)
        ?.content.programmes.find(({ key }) => key === programmeKey)?.programme;
      const template = newest?.template?.content;
      const effect =
        op !== null && level !== null
          ? { op, level }
          : named && { programme: template ? boundBy(named, template) : named };
      return effect && span.from < span.to ? [{ id, nightOnly: days !== null, effect, ...span }] : [];
    });
  }

  /** `text`: the same for the same place and role. */
  async function planFor(
    source: Source,
    { key: given, followed, exceptions: stored }: GivenLists,
    { versions, place, role, text }: Given & { readonly versions: Versions; readonly text: string },
    at: number,
    generation: number,
  ): Promise<AssignedPlan> {
    // Of what calendars ask is known from the year before to two years ahead.
    const key = `${dayOf(at, 'UTC').slice(0, 4)} ${text} ${given}`;
    const { plans } = source.kept;
    const known = plans.get(key);
    if (known) return known;
    const steps: Following[] = [];
    for (const one of followed ?? [nothing])
      steps.push(await following(source, one, versions, { timeZone: place.timeZone, at }));
    const plan = planOf({ place, role }, steps, exceptionsOf(stored ?? [], versions, place, steps.at(-1)));
    // What was read before all was forgotten may be outdated.
    if (generation !== forgotten) return plan;
    plans.set(key, plan);
    return plan;
  }

  /** Places, rows and calendars may have changed. Versions never do. */
  const forget = () => {
    forgotten += 1;
    real.plans.clear();
    real.facts.clear();
    real.followings.clear();
  };
  const stops = (['settings.changed', 'bus.resumed'] as const).map((topic) => bus.subscribe(topic, forget));

  async function read(
    db: Db,
    ids: readonly number[],
    at: number,
    { more = null, coming, take }: Reading,
  ): Promise<void> {
    const generation = forgotten;
    const kept = keptNow();
    const lamps = await loadAssigned(db, ids, {
      since: new Date(at - daysBackMs),
      until: coming ?? addDays(dayOf(at, 'UTC'), daysAhead),
      whole: addDays(dayOf(at, 'UTC'), -daysWhole),
      coming: coming === undefined ? undefined : new Date(at),
      more,
    });
    if (lamps.length === 0) return;
    const lists = [...new Set(lamps.map((lamp) => lamp.lists))];
    const versions = await versionsOf(
      db,
      kept,
      lists.flatMap(({ followed, exceptions }) => [
        ...(followed ?? []),
        ...(exceptions ?? []).map(({ schemeVersionId }) => ({ ...nothing, schemeVersionId })),
      ]),
    );
    const groups = new Map(lists.map((one) => [one, groupOf(one, versions)]));
    const inRows = lamps.flatMap((lamp) => (groups.get(lamp.lists)?.asksForRows ? [lamp.id] : []));
    const [areas, roles] = await Promise.all([
      loadAreas(db, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]),
      inRows.length > 0 ? rolesOf(db, inRows) : new Map<number, LampRole>(),
    ]);
    for (const lamp of lamps) {
      const group = groups.get(lamp.lists);
      const area = areas.get(lamp.workAreaId);
      const place = area ? sunPlaceOf(group?.template, lamp, area) : null;
      if (!group || !place) {
        // Nobody knows where it stands, so nobody knows its sun.
        take(lamp, null);
        continue;
      }
      const inRow = roles.get(lamp.id);
      const role = inRow ? { ...inRow, ...group.role } : group.lone;
      const { latitude, longitude, timeZone, sunOffsetMinutes } = place;
      const standing = inRow ? Object.values(role).join(' ') : '';
      const text = `${latitude} ${longitude} ${timeZone} ${sunOffsetMinutes} ${standing}`;
      let plan = group.plans.get(text);
      if (!plan) {
        plan = await planFor({ db, kept }, lamp.lists, { place, role, text, versions }, at, generation);
        group.plans.set(text, plan);
      }
      take(lamp, plan);
    }
  }

  const ableBy = (known: ReadonlyMap<number, DeviceAbility>): ((id: number) => Able) => {
    const most = packetBytes();
    return (id) => {
      const { said, dimming } = known.get(id) ?? { said: null, dimming: null };
      const mostBytes = Math.min(said?.messageBytes ?? most, said?.foundBytes ?? most, most);
      return { said, dimming, mostBytes };
    };
  };

  return {
    async of(db, ids, at, coming) {
      const own = new Map<number, AssignedPlan>();
      await read(db, ids, at, { coming, take: ({ id }, plan) => void (plan && own.set(id, plan)) });
      return own;
    },
    async withAbilities(db, ids, at) {
      const own = new Map<number, AssignedPlan>();
      const known = new Map<number, DeviceAbility>();
      const take: Reading['take'] = ({ id, ability }, plan) => {
        if (plan) own.set(id, plan);
        if (plan && ability) known.set(id, ability);
      };
      await read(db, ids, at, { more: 'abilities', take });
      return { own, able: ableBy(known) };
    },
    async withGiving(db, ids, at) {
      const found = new Map<number, GivenPlan>();
      const take: Reading['take'] = ({ id, workAreaId, giving }, plan) => {
        if (giving) found.set(id, { ...giving, workAreaId, plan });
      };
      await read(db, ids, at, { more: 'giving', take });
      return found;
    },
    packetBytes,
    leftOut: (count, thrown) =>
      log?.warn({ count, reason: reasonOf(thrown) }, 'plans of lamps could not be made; judged without them'),
    abilities: async (db, ids) => ableBy(await loadAbilities(db, ids)),
    stop: () => stops.forEach((stop) => stop()),
  };
}

/** The plan of a lamp that follows this, with these exceptions. */
const planOf = (given: Given, following: readonly Following[], exceptions: readonly LampException[]): AssignedPlan => ({
  place: given.place,
  role: given.role,
  following,
  exceptions,
  programmeOn: (day) => exceptedProgramme(given, exceptions, day, programmeOf(following, day)).programme,
});

const formers = new WeakMap<AssignedPlan, AssignedPlan>();

/** What the lamp followed before its newest plan; exceptions hold whatever it follows. The same object again. */
export function formerOf(plan: AssignedPlan): AssignedPlan {
  const former = formers.get(plan) ?? planOf(plan, plan.following.slice(0, -1), plan.exceptions);
  formers.set(plan, former);
  return former;
}

const unexcepted = new WeakMap<AssignedPlan, AssignedPlan>();

/** The same plan without its exceptions; the same object again, so that its nights are kept. */
export function plainOf(plan: AssignedPlan): AssignedPlan {
  if (plan.exceptions.length === 0) return plan;
  const known = unexcepted.get(plan) ?? planOf(plan, plan.following, []);
  unexcepted.set(plan, known);
  return known;
}

/** The plan as it is from an instant on: exceptions that are over before it are left out. */
export const planFrom = (plan: AssignedPlan, now: number): AssignedPlan =>
  plan.exceptions.every(({ to }) => to > now)
    ? plan
    : planOf(
        plan,
        plan.following,
        plan.exceptions.filter(({ to }) => to > now),
      );

/** By id: all that some lamps follow. */
interface Versions {
  readonly schemes: ReadonlyMap<number, SchemeVersion>;
  readonly templates: ReadonlyMap<number, TemplateVersion>;
}
/** What of lamps is read, and who gets each with its plan; null: nobody knows where it stands. */
interface Reading {
  readonly more?: More;
  readonly coming?: Day | undefined;
  readonly take: (lamp: AssignedLamp, plan: AssignedPlan | null) => void;
}
interface Source {
  readonly db: Db;
  readonly kept: Kept;
}
interface Moment {
  readonly timeZone: string;
  readonly at: number;
}
interface Given {
  readonly place: SunPlace;
  readonly role: LampRole;
}

const usesPattern = ({ periods }: Programme): boolean => periods.some(({ pattern }) => pattern !== 'all');

/** Lamps that were given the same. */
interface Group {
  readonly template: TemplateContent | undefined;
  readonly asksForRows: boolean;
  /** What its lamps are in the plan, wherever they stand. */
  readonly role: Pick<LampRole, 'rotation' | 'minLevel'>;
  /** One that stands in no row. */
  readonly lone: LampRole;
  /** By place and role. */
  readonly plans: Map<string, AssignedPlan>;
}

function groupOf(lists: GivenLists, versions: Versions): Group {
  const newest = lists.followed?.at(-1);
  const template = versions.templates.get(newest?.templateVersionId ?? 0)?.content;
  const rotation = versions.schemes.get(newest?.schemeVersionId ?? 0)?.content.rotation ?? noRole.rotation;
  const role = { rotation, minLevel: template?.minLevel ?? 0 };
  return { template, asksForRows: asksForRows(versions, lists), role, lone: { ...noRole, ...role }, plans: new Map() };
}

/** Whether a lamp's programmes, the scheme's, its template's alone or an exception's, ask where it stands in its row. */
const asksForRows = ({ schemes, templates }: Versions, { followed, exceptions }: GivenLists): boolean =>
  [
    ...(followed ?? []),
    ...(exceptions ?? []).map(({ schemeVersionId }) => ({ schemeVersionId, templateVersionId: null })),
  ].some(({ schemeVersionId, templateVersionId }) => {
    const scheme = schemes.get(schemeVersionId ?? 0);
    const fallback = templates.get(templateVersionId ?? 0)?.content.fallbackProgramme;
    return scheme
      ? scheme.content.programmes.some(({ programme }) => usesPattern(programme))
      : fallback !== undefined && usesPattern(fallback);
  });

/** The programmes of a scheme, or the one of a lamp without a scheme, as a controller with the template runs them. */
export function programmesOf(
  scheme: Pick<SchemeVersion, 'content'> | null,
  template: Pick<TemplateVersion, 'content'> | null,
): NamedProgramme[] {
  const bound = (programme: Programme) => (template ? boundBy(programme, template.content) : programme);
  if (scheme) return scheme.content.programmes.map((one) => ({ ...one, programme: bound(one.programme) }));
  const programme = template ? bound(template.content.fallbackProgramme) : defaultProgramme;
  return [{ key: onlyProgramme, name: '', programme }];
}

/** A programme as a controller with this template runs it. */
const boundBy = (programme: Programme, { minimumMinutes, rampSeconds, light }: TemplateContent): Programme => ({
  ...programme,
  on: sensing(programme.on, light),
  off: sensing(programme.off, light),
  minimumMinutes: Math.max(programme.minimumMinutes, minimumMinutes),
  periods: programme.periods.map((period) => ({ ...period, rampSeconds: period.rampSeconds || rampSeconds })),
});

/** Light control that names no sensitivity has the template's. */
const sensing = (switching: Switching, light: TemplateContent['light']): Switching =>
  switching.light === null || switching.light.sensitivity !== null || light === null
    ? switching
    : { ...switching, light: { ...switching.light, sensitivity: light.sensitivity } };

/** What a lamp follows on a lighting day; undefined: nothing yet. */
export const followingOn = (following: readonly Following[], day: Day): Following | undefined =>
  following.findLast(({ from }) => from <= day);

function programmeOf(following: readonly Following[], day: Day): Programme {
  const step = followingOn(following, day);
  return step?.programmes.get(step.keyOn(day)) ?? defaultProgramme;
}
