import { lightingDay, lightingDayOf, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import {
  exceptionBounds,
  type createException,
  type decideException,
  type exceptionStates,
  type previewException,
} from '../../../../contract/light/exceptions.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import type { FieldProblem, Sound } from '../../platform/http/index.ts';

export type ExceptionStateName = (typeof exceptionStates)[number];
type Wanted = Sound<BodyOf<typeof previewException>>;
type Body = Sound<BodyOf<typeof createException>>;

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The beginning of the minute: clocks of devices know no seconds. */
export const minuteOf = (at: Date | number): Date => new Date(Math.floor(Number(at) / minuteMs) * minuteMs);

const given = (body: Wanted, ...fields: (keyof Wanted)[]): boolean => fields.some((field) => field in body);

/** Either lighting days or instants, either a level or a programme; and a programme only of days. */
function shapeProblems(body: Wanted): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const need = (...fields: (keyof Wanted)[]) => {
    for (const field of fields) if (!(field in body)) problems.push({ field, rule: 'required' });
  };
  const refuse = (...fields: (keyof Wanted)[]) => {
    for (const field of fields) if (field in body) problems.push({ field, rule: 'invalid' });
  };
  const byDays = given(body, 'fromDay', 'toDay') || !given(body, 'from', 'to');
  need(...(byDays ? (['fromDay', 'toDay'] as const) : (['from', 'to'] as const)));
  if (byDays) refuse('from', 'to');
  const byLevel = given(body, 'op', 'level') || !given(body, 'schemeId', 'programme');
  need(...(byLevel ? (['op', 'level'] as const) : (['schemeId', 'programme'] as const)));
  if (byLevel || !byDays) refuse('schemeId', 'schemeNumber', 'programme');
  return problems;
}

function rangeProblems(
  field: string,
  value: string,
  { least, most }: { readonly least: string; readonly most: string },
  isAfter: (a: string, b: string) => boolean,
): FieldProblem[] {
  if (isAfter(least, value)) return [{ field, rule: 'minimum', values: { limit: least } }];
  return isAfter(value, most) ? [{ field, rule: 'maximum', values: { limit: most } }] : [];
}

function dayProblems({ fromDay, toDay }: Wanted, today: Day): FieldProblem[] {
  const isDay = (text: string) => !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
  const wrong = (field: string, day: Day | undefined): FieldProblem[] =>
    day === undefined || isDay(day) ? [] : [{ field, rule: 'format' }];
  const unread = [...wrong('fromDay', fromDay), ...wrong('toDay', toDay)];
  if (unread.length > 0) return unread;
  const later = (a: string, b: string) => a > b;
  const { days, daysAhead } = exceptionBounds;
  const first = fromDay ?? today;
  return [
    ...(fromDay === undefined
      ? []
      : rangeProblems('fromDay', fromDay, { least: today, most: addDays(today, daysAhead) }, later)),
    ...(toDay === undefined
      ? []
      : rangeProblems('toDay', toDay, { least: first, most: addDays(first, days - 1) }, later)),
  ];
}

function instantProblems({ from, to }: Wanted, now: Date): FieldProblem[] {
  const later = (a: string, b: string) => Date.parse(a) > Date.parse(b);
  const time = (at: number) => minuteOf(at).toISOString();
  const { hours, daysAhead } = exceptionBounds;
  const [present, ahead] = [now.getTime(), daysAhead * dayMs];
  const begin = from === undefined ? present : Date.parse(from);
  return [
    ...(from === undefined
      ? []
      : rangeProblems('from', from, { least: time(present), most: time(present + ahead) }, later)),
    ...(to === undefined
      ? []
      : rangeProblems(
          'to',
          to,
          { least: time(Math.max(begin, present) + minuteMs), most: time(begin + hours * hourMs) },
          later,
        )),
  ];
}

/** Everything that the rules say of when and what. The days are those of the first lamp's place. */
export function timeProblems(body: Wanted, place: SunPlace | undefined, now: Date): FieldProblem[] {
  const today = place ? lightingDay(place, now.getTime()).day : dayOf(now.getTime(), 'UTC');
  const byDays = given(body, 'fromDay', 'toDay');
  return [...shapeProblems(body), ...(byDays ? dayProblems(body, today) : instantProblems(body, now))];
}

/** A reason says something. */
export const reasonProblems = ({ reason }: Body): FieldProblem[] =>
  reason === undefined || reason.trim().length >= exceptionBounds.reason.min
    ? []
    : [{ field: 'reason', rule: 'minLength', values: { limit: exceptionBounds.reason.min } }];

/** Who refuses says why. */
export const decisionProblems = ({ approved, reason }: Sound<BodyOf<typeof decideException>>): FieldProblem[] =>
  approved === false && !reason?.trim() ? [{ field: 'reason', rule: 'required' }] : [];

export interface Times {
  readonly fromDay: Day | null;
  readonly toDay: Day | null;
  readonly from: Date;
  readonly to: Date;
}

/** From when to when: of lighting days from the first noon of all places to the last one. */
export function timesOf(body: BodyOf<typeof previewException>, places: readonly SunPlace[]): Times {
  const { fromDay, toDay, from, to } = body;
  if (fromDay !== undefined && toDay !== undefined)
    return {
      fromDay,
      toDay,
      from: new Date(Math.min(...places.map((place) => lightingDayOf(place, fromDay).from))),
      to: new Date(Math.max(...places.map((place) => lightingDayOf(place, toDay).to))),
    };
  return {
    fromDay: null,
    toDay: null,
    from: minuteOf(Date.parse(from ?? '')),
    to: minuteOf(Date.parse(to ?? '')),
  };
}

/** The state of an exception that was agreed to. */
export function stateAt({ from, to }: Pick<Times, 'from' | 'to'>, now: Date): ExceptionStateName {
  if (now >= to) return 'ended';
  return now >= from ? 'inForce' : 'planned';
}
