import { floorFindings, type RoadClass } from '../../../../catalogue/lighting/floors.ts';
import { calendarFindings, type CalendarFinding } from '../../../../catalogue/lighting/plan/calendar-findings.ts';
import { programmeOn, type DayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import { compactPlan } from '../../../../catalogue/lighting/plan/compact.ts';
import { countryOf, type HolidayCountry } from '../../../../catalogue/lighting/plan/countries.ts';
import { roadClasses } from '../../../../catalogue/records/road.ts';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { NamedProgramme, SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Track } from '../../../../catalogue/lighting/plan/year-input.ts';
import { spansOf } from '../../../../catalogue/lighting/plan/calendar.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { mostSettingsBytes } from '../../../../protocols/wire.ts';
import type { Db } from '../../platform/db/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import {
  loadSchemeVersions,
  loadTemplateVersions,
  programmesOf,
  type Followed,
  type SchemeVersion,
  type TemplateVersion,
} from '../plans/index.ts';
import type { AskedVersion } from './simulations.types.ts';

/** What lamps follow day by day, made once for all lamps that follow the same in the same country. */

/** Before its first assignment a lamp switches by the sun. */
const firstDay = '0000-01-01';
/** The part of a device's settings that is no plan: place, table, periods of reports. */
const otherBytes = 2048;

export interface KnownTrack {
  readonly track: Track;
  /** The programme of any day; of a day before the first assignment the first. */
  readonly programmeOn: (day: Day) => NamedProgramme | undefined;
  readonly template: TemplateVersion['content'] | null;
  readonly rotation: SchemeContent['rotation'];
  readonly facts: DayFacts;
  readonly calendar: readonly CalendarFinding[];
  readonly tooLarge: boolean;
  /** Road classes that it is excepted from and could be below the floor of, in whatever row. */
  readonly excepted: readonly RoadClass[];
}

/** One thing that is followed from a day on. */
interface Step {
  readonly from: Day;
  readonly scheme: (Pick<SchemeVersion, 'code' | 'content'> & { readonly number: number | null }) | null;
  readonly template: TemplateVersion | null;
}

export interface Span {
  readonly from: Day;
  readonly days: number;
}

const labelOf = ({ scheme, template }: Step): string => {
  const named = scheme ?? template;
  return named === null ? '' : named.number === null ? named.code : `${named.code} v${named.number}`;
};

export function createTracks(db: Db, { from, days }: Span) {
  const schemes = new Map<number, SchemeVersion>();
  const templates = new Map<number, TemplateVersion>();
  const facts = new Map<string, Promise<DayFacts>>();
  const places = new Map<string, Promise<number>>();
  const tracks: KnownTrack[] = [];
  const span = Array.from({ length: days }, (_, index) => addDays(from, index));
  const year = Number(from.slice(0, 4));

  function factsOf(country: HolidayCountry | null, scheme: Step['scheme']): Promise<DayFacts> {
    const key = `${country ?? ''} ${scheme?.code ?? ''} ${scheme?.number ?? ''}`;
    let found = facts.get(key);
    if (!found) {
      found = loadDayFacts(db, country, { from: year - 1, to: year + 2 }, scheme ? [scheme.content.calendar] : []);
      facts.set(key, found);
    }
    return found;
  }

  async function make(steps: readonly Step[], country: HolidayCountry | null): Promise<number> {
    const newest = steps.at(-1);
    const made = await Promise.all(
      steps.map(async (step) => {
        const known = await factsOf(country, step.scheme);
        const programmes = programmesOf(step.scheme, step.template);
        const calendar = step.scheme?.content.calendar;
        const keyOn = (day: Day) => (calendar ? programmeOn(calendar, day, known) : programmes[0]?.key);
        return { ...step, known, programmes, keyOn };
      }),
    );
    const all = made.flatMap(({ programmes }) => programmes);
    const on = (day: Day): NamedProgramme | undefined => {
      const step = made.findLast((one) => one.from <= day) ?? made[0];
      return step?.programmes.find(({ key }) => key === step.keyOn(day));
    };
    const last = made.at(-1);
    const calendar = newest?.scheme?.content.calendar;
    return (
      tracks.push({
        track: {
          label: newest ? labelOf(newest) : '',
          programmes: all,
          byDay: Array.from({ length: days + 3 }, (_, index) => {
            const programme = on(addDays(from, index - 1));
            return programme ? all.indexOf(programme) : 0;
          }),
          excepted: roadClasses.filter((road) =>
            newest?.scheme?.content.floorExceptions.some(({ roadClass }) => roadClass === road),
          ),
        },
        programmeOn: on,
        template: newest?.template?.content ?? null,
        rotation: newest?.scheme?.content.rotation ?? 'weekly',
        facts: last?.known ?? (await factsOf(country, null)),
        calendar: calendar && last ? calendarFindings(calendar, span, last.known) : [],
        excepted: newest?.scheme ? couldBeBelow(newest.scheme.content) : [],
        tooLarge: newest?.scheme && last ? isTooLarge(newest.scheme, last.programmes, from, last.known) : false,
      }) - 1
    );
  }

  /** The same steps in the same country are one track. */
  function placeOf(key: string, make_: () => Promise<number>): Promise<number> {
    let found = places.get(key);
    if (!found) places.set(key, (found = make_()));
    return found;
  }

  return {
    tracks,

    /** Reads the versions that these lamps follow. */
    async load(followed: readonly (readonly Followed[] | null)[]): Promise<void> {
      const all = followed.flatMap((steps) => steps ?? []);
      const missing = (key: 'schemeVersionId' | 'templateVersionId', known: ReadonlyMap<number, unknown>) => [
        ...new Set(all.flatMap((one) => (one[key] === null || known.has(one[key]) ? [] : [one[key]]))),
      ];
      for (const one of await loadSchemeVersions(db, missing('schemeVersionId', schemes))) schemes.set(one.id, one);
      for (const one of await loadTemplateVersions(db, missing('templateVersionId', templates)))
        templates.set(one.id, one);
    },

    /** Of a lamp as it is: its versions from their days on; without any the sun alone. */
    current(followed: readonly Followed[] | null, timeZone: string): Promise<number> {
      const country = countryOf(timeZone);
      return placeOf(`now ${country ?? ''} ${JSON.stringify(followed)}`, () => {
        const steps = (followed ?? []).map((one): Step => ({
          from: one.from,
          scheme: schemes.get(one.schemeVersionId ?? 0) ?? null,
          template: templates.get(one.templateVersionId ?? 0) ?? null,
        }));
        return make([{ from: firstDay, scheme: null, template: null }, ...steps], country);
      });
    },

    /** Of a lamp that followed this version, with the template that it has. */
    of(
      version: AskedVersion,
      side: 'a' | 'b',
      followed: readonly Followed[] | null,
      timeZone: string,
    ): Promise<number> {
      const country = countryOf(timeZone);
      const templateId = followed?.at(-1)?.templateVersionId ?? 0;
      return placeOf(`${side} ${country ?? ''} ${templateId}`, () =>
        make([{ from, scheme: version, template: templates.get(templateId) ?? null }], country),
      );
    },
  };
}

function couldBeBelow(content: SchemeContent): RoadClass[] {
  const below = floorFindings({ ...content, floorExceptions: [] });
  return roadClasses.filter(
    (road) =>
      content.floorExceptions.some(({ roadClass }) => roadClass === road) &&
      below.some(({ roadClass }) => roadClass === road),
  );
}

/** Whether the message to a device would have more bytes than one takes. */
function isTooLarge(
  { code, number, content }: NonNullable<Step['scheme']>,
  programmes: readonly NamedProgramme[],
  from: Day,
  facts: DayFacts,
): boolean {
  const plan = compactPlan(
    {
      scheme: code,
      version: number ?? 0,
      from,
      programmes,
      default: content.calendar.default,
      days: spansOf(content.calendar, `${from.slice(0, 7)}-01`, planLimits.deviceDays.max, facts),
      role: { position: 0, rowLength: 0, right: true, keep: true, minLevel: 10, rotation: content.rotation },
    },
    () => '000000000000',
  );
  return Buffer.byteLength(JSON.stringify(plan)) + otherBytes > mostSettingsBytes;
}
