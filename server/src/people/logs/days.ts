import type { Language } from '../../../../catalogue/languages.ts';
import type { RefusalDetails } from '../../platform/http/index.ts';
import { beijingMinutes } from '../../platform/sheet/wall-time.ts';
import { logTexts, type LogTexts } from './texts.ts';

export type Problem = Extract<NonNullable<RefusalDetails['fields']>[number], { say: unknown }>;

/** Days of somebody's zone as moments: from the first's beginning up to, not including, the end of the last. */
export interface Days {
  readonly from: Date;
  readonly until: Date;
}

const dayMs = 86_400_000;
const worded = (
  field: string,
  rule: string,
  text: 'malformedDay' | 'reversedDays' | 'reversedTimes' | 'futureDay',
): Problem => ({ field, rule, say: (language: Language) => (logTexts(language) satisfies LogTexts)[text] });

/**
 * When a day `yyyy-MM-dd` begins for who is `timezoneOffset` minutes east of UTC+8; undefined when there is no such
 * day.
 */
function startOf(day: string, timezoneOffset: number): Date | undefined {
  const [, year = 0, month = 0, date = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []).map(Number);
  const start = new Date(Date.UTC(year, month - 1, date));
  // 30 February, and what is no date at all; years below 100 would be read as 19xx.
  if (year < 1900 || start.toISOString().slice(0, 10) !== day) return undefined;
  return new Date(start.getTime() - (beijingMinutes + timezoneOffset) * 60_000);
}

export interface AskedDays {
  readonly beginTime?: string | undefined;
  readonly endTime?: string | undefined;
}

/** The days a list or an export asks for, each end by itself where only one is given; or every field that is wrong. */
export function daysOf(
  { beginTime, endTime }: AskedDays,
  timezoneOffset: number,
): { days: Partial<Days>; problems: Problem[] } {
  const begin = beginTime === undefined ? undefined : startOf(beginTime.trim(), timezoneOffset);
  const end = endTime === undefined ? undefined : startOf(endTime.trim(), timezoneOffset);
  const problems = [
    ...(beginTime !== undefined && !begin ? [worded('beginTime', 'format', 'malformedDay')] : []),
    ...(endTime !== undefined && !end ? [worded('endTime', 'format', 'malformedDay')] : []),
    ...(begin && end && end < begin ? [worded('endTime', 'minimum', 'reversedDays')] : []),
  ];
  return {
    days: { ...(begin ? { from: begin } : {}), ...(end ? { until: new Date(end.getTime() + dayMs) } : {}) },
    problems,
  };
}

export interface AskedSpan extends AskedDays {
  readonly 'time.greaterOrEqualThan'?: string;
  readonly 'time.lessOrEqualThan'?: string;
}

/** The days and moments a list asks for: what lies in both; or every field that is wrong. */
export function spanOf(asked: AskedSpan, timezoneOffset: number): { days: Partial<Days>; problems: Problem[] } {
  const { days, problems } = daysOf(asked, timezoneOffset);
  const [first, last] = [asked['time.greaterOrEqualThan'], asked['time.lessOrEqualThan']].map((text) =>
    text === undefined ? undefined : Date.parse(text),
  );
  if (first !== undefined && last !== undefined && last < first)
    problems.push(worded('time.lessOrEqualThan', 'minimum', 'reversedTimes'));
  const from = Math.max(days.from?.getTime() ?? -Infinity, first ?? -Infinity);
  // Rows are told to the millisecond, and kept finer.
  const until = Math.min(days.until?.getTime() ?? Infinity, last === undefined ? Infinity : last + 1);
  return {
    days: {
      ...(from > -Infinity ? { from: new Date(from) } : {}),
      ...(until < Infinity ? { until: new Date(until) } : {}),
    },
    problems,
  };
}

/** The days of an export: both ends, in order, none later than today. */
export function exportDays(asked: AskedDays, timezoneOffset: number, now: Date): { days: Days; problems: Problem[] } {
  const {
    days: { from = now, until = now },
    problems,
  } = daysOf(asked, timezoneOffset);
  if (problems.length > 0) return { days: { from, until }, problems };
  const late = [
    ...(from > now ? [worded('beginTime', 'maximum', 'futureDay')] : []),
    ...(until.getTime() - dayMs > now.getTime() ? [worded('endTime', 'maximum', 'futureDay')] : []),
  ];
  return { days: { from, until }, problems: late };
}
