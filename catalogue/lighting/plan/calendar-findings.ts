import type { Day } from '../zone.ts';
import { rulesOn, type DayFacts } from './calendar.ts';
import type { Calendar, CalendarRule } from './scheme.ts';
import type { FindingCode } from './findings.ts';

/** What a calendar leaves open in a span of lighting days: 29 February, and years of which nothing is known. */

export interface CalendarFinding {
  readonly code: Extract<FindingCode, 'leapDay' | 'unknownHolidays' | 'unknownDays'>;
  /** The label of the rule. */
  readonly rule: string;
  readonly first: Day;
  readonly nights: number;
}

export function calendarFindings(calendar: Calendar, days: readonly Day[], facts: DayFacts): CalendarFinding[] {
  return [...unknownRules(calendar, days, facts), ...calendar.rules.flatMap((rule) => ofLeapDay(rule, days))];
}

function unknownRules(calendar: Calendar, days: readonly Day[], facts: DayFacts): CalendarFinding[] {
  const found = new Map<string, { -readonly [Key in keyof CalendarFinding]: CalendarFinding[Key] }>();
  for (const day of days)
    for (const { rule, kind } of rulesOn(calendar, day, facts).unknown) {
      const code = kind === 'holiday' ? 'unknownHolidays' : 'unknownDays';
      const key = `${rule} ${code}`;
      const known = found.get(key);
      if (known) known.nights += 1;
      else found.set(key, { code, rule: calendar.rules[rule]?.label ?? '', first: day, nights: 1 });
    }
  return [...found.values()];
}

/**
 * A rule that begins or ends on 02-29 and says nothing of other years does not hold as meant in them; one that ends on
 * 02-28 leaves 29 February out.
 */
function ofLeapDay({ enabled, label, when }: CalendarRule, days: readonly Day[]): CalendarFinding[] {
  if (!enabled) return [];
  const leapDays = days.filter((day) => day.endsWith('-02-29'));
  const ends = days.filter((day, index) => day.endsWith('-02-28') && !(days[index + 1] ?? '').endsWith('-02-29'));
  return when.flatMap((condition): CalendarFinding[] => {
    if (condition.kind !== 'yearly') return [];
    const { from, to, otherwise } = condition;
    const isAboutLeapDay = (from === '02-29' || to === '02-29') && otherwise === 'none';
    const days29 = isAboutLeapDay ? ends : to === '02-28' && from !== to ? leapDays : [];
    const [first] = days29;
    return first === undefined ? [] : [{ code: 'leapDay', rule: label, first, nights: days29.length }];
  });
}
