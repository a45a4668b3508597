import { setImmediate as breathe } from 'node:timers/promises';
import ICAL from 'ical.js';
import { spansOf, type DayFacts, type ProgrammeSpan } from '../../../../catalogue/lighting/plan/calendar.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';

/** The calendar of a scheme for people's calendars (.ics): all-day events, one for each span of days with one programme. */

/** Lighting days: as many as devices get. */
export const calendarDays = 400;
/** So many are asked of the rules at once. */
const daysAtOnce = 40;

interface Version {
  readonly code: string;
  readonly name: string;
  readonly number: number;
  /** When it was frozen. */
  readonly at: string;
  readonly hash: string;
  readonly content: SchemeContent;
}

export async function calendarFile({ content, ...version }: Version, from: Day, facts: DayFacts): Promise<string> {
  const { code, name, number, at, hash } = version;
  const calendar = new ICAL.Component('vcalendar');
  for (const [property, value] of Object.entries({
    prodid: '-//Lampyris//Energy-saving schemes//EN',
    version: '2.0',
    calscale: 'GREGORIAN',
    'x-wr-calname': `${code} ${name} v${number}`,
  }))
    calendar.updatePropertyWithValue(property, value);
  const frozen = ICAL.Time.fromJSDate(new Date(at), true);
  for (const { from: first, to, programme } of await spansIn(content, from, facts)) {
    const event = new ICAL.Component('vevent');
    const summary = content.programmes.find(({ key }) => key === programme)?.name || String(programme);
    for (const [property, value] of Object.entries({
      uid: `${hash}-${first}@lampyris`,
      dtstamp: frozen,
      dtstart: ICAL.Time.fromDateString(first),
      // The day after the last one.
      dtend: ICAL.Time.fromDateString(addDays(to, 1)),
      summary,
      transp: 'TRANSPARENT',
    }))
      event.updatePropertyWithValue(property, value);
    calendar.addSubcomponent(event);
  }
  return `${calendar.toString()}\r\n`;
}

async function spansIn({ calendar }: SchemeContent, from: Day, facts: DayFacts): Promise<ProgrammeSpan[]> {
  const spans: ProgrammeSpan[] = [];
  for (let done = 0; done < calendarDays; done += daysAtOnce) {
    for (const span of spansOf(calendar, addDays(from, done), Math.min(daysAtOnce, calendarDays - done), facts)) {
      const last = spans.at(-1);
      if (last?.programme === span.programme) spans[spans.length - 1] = { ...last, to: span.to };
      else spans.push(span);
    }
    await breathe();
  }
  return spans;
}
