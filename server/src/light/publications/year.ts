import { calendarFindings } from '../../../../catalogue/lighting/plan/calendar-findings.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import { noRole } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { codeOfMark, createMarks, markNight, type Marks } from '../../../../catalogue/lighting/plan/year-findings.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import { followingOn, type AssignedPlan } from '../plans/index.ts';
import type { Found } from './found.ts';

/** What a year says of the plans that lamps are to follow, as a simulation finds it: one look for lamps that do alike. */

const year = 366;
/**
 * Places looked at of the same content, and looks in all: lamps at others go with the first place of theirs. Each
 * content is looked at in one place.
 */
const mostPlaces = 12;
const mostLooks = 60;

interface Look {
  readonly plan: AssignedPlan;
  readonly ids: number[];
}

export function createYear(from: Day) {
  const looks = new Map<string, Look>();
  const places = new Map<string, Look[]>();
  const texts = new Map<string, number>();
  const numbers = new WeakMap<object, number>();
  /** The same for the same: time tables of single lamps are versions of their own and often alike. */
  function numberOf(content: object | undefined): number {
    if (!content) return 0;
    const known = numbers.get(content);
    if (known !== undefined) return known;
    const text = JSON.stringify(content);
    const number = texts.get(text) ?? texts.size + 1;
    texts.set(text, number);
    numbers.set(content, number);
    return number;
  }

  return {
    /** A lamp and what it is to follow. */
    add(id: number, plan: AssignedPlan): void {
      const { latitude, longitude, timeZone } = plan.place;
      const step = followingOn(plan.following, from);
      const content = `${numberOf(step?.scheme?.content)} ${numberOf(step?.template?.content)}`;
      const key = `${content} ${timeZone} ${Math.round(latitude * 2)} ${Math.round(longitude * 2)}`;
      const of = places.get(content) ?? [];
      const known = looks.get(key) ?? (of.length >= mostPlaces || looks.size >= mostLooks ? of[0] : undefined);
      if (known) known.ids.push(id);
      else {
        const look = { plan, ids: [id] };
        looks.set(key, look);
        places.set(content, [...of, look]);
      }
    },

    async findings(breathe: () => Promise<void>): Promise<Found[]> {
      const found = new Map<string, Merged>();
      for (const { plan, ids } of looks.values()) {
        for (const [key, one] of saidOf(plan, await marksOf(plan, from, breathe))) {
          const known = found.get(key);
          if (!known) found.set(key, { ...one, ids });
          else {
            known.nights = Math.max(known.nights, one.nights);
            if (one.first < known.first) known.first = one.first;
            known.ids = known.ids.concat(ids);
          }
        }
        await breathe();
      }
      return [...found.values()].map(({ code, nights, first, programme, period, ids }) => ({
        code,
        params: { nights, first, ...(period === null ? {} : { programme, period }) },
        ids,
      }));
    },
  };
}

interface Said {
  readonly code: Found['code'];
  readonly programme: string;
  /** Null: of the night, and then of any programme. */
  readonly period: number | null;
  nights: number;
  first: Day;
}
interface Merged extends Said {
  ids: readonly number[];
}

const known = new WeakMap<AssignedPlan, { readonly from: Day; readonly marks: Marks }>();

/** Kept with the plan. The lamps of a row take turns: every lamp that burns in a night is looked at as one. */
async function marksOf(plan: AssignedPlan, from: Day, breathe: () => Promise<void>): Promise<Marks> {
  const before = known.get(plan);
  if (before?.from === from) return before.marks;
  const marks = createMarks();
  const role = { ...noRole, minLevel: plan.role.minLevel };
  for (let day = from, left = year; left > 0; day = addDays(day, 1), left -= 1) {
    const programme = plan.programmeOn(day);
    const night = resolveNight(programme, plan.place, day, role);
    const index = followingOn(plan.following, day)?.keyOn(day) ?? 0;
    markNight(marks, { night, index, place: plan.place });
    await breathe();
  }
  known.set(plan, { from, marks });
  return marks;
}

function saidOf(plan: AssignedPlan, marks: Marks): ReadonlyMap<string, Said> {
  const scheme = plan.following.at(-1)?.scheme;
  const said = new Map<string, Said>();
  for (const one of marks.all.values()) {
    const code = codeOfMark(one, marks);
    const { period, nights, first } = one;
    const programme =
      scheme?.content.programmes.find(({ key }) => key === one.programme)?.name || String(one.programme);
    const key = period === null ? code : `${code} ${scheme?.code ?? ''} ${one.programme} ${period}`;
    const before = said.get(key);
    if (!before) said.set(key, { code, programme, period, nights, first });
    else {
      before.nights += nights;
      if (first < before.first) before.first = first;
    }
  }
  return said;
}

/** What the calendar leaves open: 29 February, and days of which nothing is known. Years of holidays are asked apart. */
export async function openDays(
  tx: Transaction,
  { calendar }: SchemeContent,
  from: Day,
  lampsOf: ReadonlyMap<string, readonly number[]>,
): Promise<Found[]> {
  if (calendar.rules.length === 0) return [];
  const days = Array.from({ length: year }, (_none, ahead) => addDays(from, ahead));
  const years = { from: Number(from.slice(0, 4)) - 1, to: Number(days.at(-1)?.slice(0, 4)) + 1 };
  const countries = Map.groupBy(lampsOf, ([timeZone]) => countryOf(timeZone));
  const found = new Map<string, Found & { ids: readonly number[] }>();
  for (const [country, zones] of countries) {
    const ids = zones.flatMap(([, some]) => some);
    const facts = await loadDayFacts(tx, country, years, [calendar]);
    for (const { code, rule, nights, first } of calendarFindings(calendar, days, facts)) {
      if (code === 'unknownHolidays') continue;
      const key = `${code} ${rule}`;
      found.set(key, { code, params: { rule, nights, first }, ids: [...(found.get(key)?.ids ?? []), ...ids] });
    }
  }
  return [...found.values()];
}
