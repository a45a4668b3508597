import { programmeOn, type DayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import { noRole, type LampPlan, type LampRole, type Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { NamedProgramme, SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultProgramme } from '../../../../catalogue/lighting/plan/table.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import { rolesOf } from '../rows/index.ts';
import {
  loadAssigned,
  loadSchemeVersions,
  loadTemplateVersions,
  type AssignedLamp,
  type Followed,
  type SchemeVersion,
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
}

export interface LampPlans {
  /**
   * The plans of these lamps around an instant, from its lighting day back and four days ahead. A lamp that was never
   * given one has none: it switches by the sun of its area.
   */
  of(db: Db, ids: readonly number[], at: number): Promise<ReadonlyMap<number, AssignedPlan>>;
  stop: Stop;
}

/** Kept plans; some kilobytes each with their nights. */
const mostPlans = 20_000;
const daysAhead = 4;
/** The programme of a lamp without a scheme. */
export const onlyProgramme = 1;
/** Server and device reckon the sun by the same digits; 0.01° are 2.4 s of the sun from east to west. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100;

/** The plans of lamps by what they were given, where they stand and what they are in their rows. */
export function createLampPlans(bus: Bus): LampPlans {
  const schemes = new Map<number, SchemeVersion>();
  const templates = new Map<number, TemplateVersion>();
  const plans = new Map<string, AssignedPlan>();
  const facts = new Map<string, Promise<DayFacts>>();

  async function loadVersions(db: Db, followed: readonly Followed[]): Promise<void> {
    const missing = (pick: (one: Followed) => number | null, known: ReadonlyMap<number, unknown>) => [
      ...new Set(
        followed.flatMap((one) => {
          const id = pick(one);
          return id === null || known.has(id) ? [] : [id];
        }),
      ),
    ];
    const schemeIds = missing(({ schemeVersionId }) => schemeVersionId, schemes);
    const templateIds = missing(({ templateVersionId }) => templateVersionId, templates);
    if (schemeIds.length > 0) for (const one of await loadSchemeVersions(db, schemeIds)) schemes.set(one.id, one);
    if (templateIds.length > 0)
      for (const one of await loadTemplateVersions(db, templateIds)) templates.set(one.id, one);
  }

  /** What the calendar of a scheme asks of days; one that asks nothing of a country is the same in all. */
  function factsOf(db: Db, scheme: SchemeVersion, timeZone: string, year: number): Promise<DayFacts> {
    const key = `${scheme.id} ${countryOf(timeZone) ?? ''} ${year}`;
    let found = facts.get(key);
    if (!found) {
      found = loadDayFacts(db, countryOf(timeZone), { from: year - 1, to: year + 2 }, [scheme.content.calendar]);
      facts.set(key, found);
      // A failure is not kept.
      found.catch(() => facts.delete(key));
    }
    return found;
  }

  async function following(db: Db, { from, ...ids }: Followed, timeZone: string, at: number): Promise<Following> {
    const scheme = ids.schemeVersionId === null ? null : (schemes.get(ids.schemeVersionId) ?? null);
    const template = ids.templateVersionId === null ? null : (templates.get(ids.templateVersionId) ?? null);
    const programmes = new Map(programmesOf(scheme, template).map(({ key, programme }) => [key, programme]));
    if (!scheme) return { from, scheme, template, programmes, keyOn: () => onlyProgramme };
    const days = await factsOf(db, scheme, timeZone, Number(dayOf(at, timeZone).slice(0, 4)));
    return { from, scheme, template, programmes, keyOn: (day) => programmeOn(scheme.content.calendar, day, days) };
  }

  async function planFor(db: Db, lamp: AssignedLamp, given: Given, at: number): Promise<AssignedPlan> {
    // Of what calendars ask is known from the year before to two years ahead.
    const key = JSON.stringify([lamp.followed, given.place, given.role, dayOf(at, 'UTC').slice(0, 4)]);
    const known = plans.get(key);
    if (known) return known;
    const steps: Following[] = [];
    for (const one of lamp.followed) steps.push(await following(db, one, given.place.timeZone, at));
    const plan = { ...given, following: steps, programmeOn: (day: Day) => programmeOf(steps, day) };
    if (plans.size >= mostPlans) plans.clear();
    plans.set(key, plan);
    return plan;
  }

  /** Places, rows and calendars may have changed. Versions never do. */
  const forget = () => {
    plans.clear();
    facts.clear();
  };
  const stops = (['settings.changed', 'bus.resumed'] as const).map((topic) => bus.subscribe(topic, forget));

  return {
    async of(db, ids, at) {
      const lamps = await loadAssigned(db, ids, addDays(dayOf(at, 'UTC'), daysAhead));
      if (lamps.length === 0) return new Map();
      await loadVersions(
        db,
        lamps.flatMap(({ followed }) => followed),
      );
      const [places, roles] = await Promise.all([
        loadPlaces(db, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]),
        rolesOf(
          db,
          lamps.flatMap((lamp) => (asksForRows(schemes, lamp) ? [lamp.id] : [])),
        ),
      ]);
      const found = new Map<number, AssignedPlan>();
      for (const lamp of lamps) {
        const newest = lamp.followed.at(-1);
        const template = templates.get(newest?.templateVersionId ?? 0)?.content;
        const place = placeOf(lamp, template, places.get(lamp.workAreaId));
        // Nobody knows where it stands, so nobody knows its sun.
        if (!place) continue;
        const rotation = schemes.get(newest?.schemeVersionId ?? 0)?.content.rotation ?? noRole.rotation;
        const role = { ...(roles.get(lamp.id) ?? noRole), rotation, minLevel: template?.minLevel ?? 0 };
        found.set(lamp.id, await planFor(db, lamp, { place, role }, at));
      }
      return found;
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

interface Given {
  readonly place: SunPlace;
  readonly role: LampRole;
}

/** The template's place, or the lamp's own, or its area's. */
function placeOf(
  { timeZone, sunOffsetMinutes, ...lamp }: AssignedLamp,
  template: TemplateContent | undefined,
  area: AreaPlace | undefined,
): SunPlace | null {
  const own = [template, lamp, area].find((one) => one && one.latitude !== null && one.longitude !== null);
  if (!own || own.latitude === null || own.longitude === null) return null;
  return { latitude: rounded(own.latitude), longitude: rounded(own.longitude), timeZone, sunOffsetMinutes };
}

const usesPatterns = ({ programmes }: SchemeContent): boolean =>
  programmes.some(({ programme }) => programme.periods.some(({ pattern }) => pattern !== 'all'));
const asksForRows = (schemes: ReadonlyMap<number, SchemeVersion>, { followed }: AssignedLamp): boolean =>
  followed.some(({ schemeVersionId }) => {
    const scheme = schemes.get(schemeVersionId ?? 0);
    return scheme !== undefined && usesPatterns(scheme.content);
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
const boundBy = (programme: Programme, { minimumMinutes, rampSeconds }: TemplateContent): Programme => ({
  ...programme,
  minimumMinutes: Math.max(programme.minimumMinutes, minimumMinutes),
  periods: programme.periods.map((period) => ({ ...period, rampSeconds: period.rampSeconds || rampSeconds })),
});

/** What a lamp follows on a lighting day; undefined: nothing yet. */
export const followingOn = (following: readonly Following[], day: Day): Following | undefined =>
  following.findLast(({ from }) => from <= day);

function programmeOf(following: readonly Following[], day: Day): Programme {
  const step = followingOn(following, day);
  return step?.programmes.get(step.keyOn(day)) ?? defaultProgramme;
}
