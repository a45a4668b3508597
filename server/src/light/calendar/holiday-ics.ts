import ICAL from 'ical.js';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { atLine, classOf, dayIn, type Entries, type Entry } from './holiday-entries.ts';

/** An event lasts no longer: Golden Weeks have nine days. */
const mostDays = 31;

/** What Apple and Microsoft calendars say of a day. */
const specialDays: Readonly<Record<string, string>> = {
  'WORK-HOLIDAY': 'public',
  'ALTERNATE-WORKDAY': 'makeupWorkday',
};
/** `元旦（休）`, `国庆节 补班`: the name and the class. */
const marked = /^(.*?)[\s(（[【]*(休|班|休息|放假|补班|補班|上班|補行上班)[)）\]】]*$/u;

interface Event {
  readonly component: ICAL.Component;
  readonly line: number;
}

/** The text of a property as the file has it; undefined: there is none. */
function textOf({ component }: Event, name: string): string | undefined {
  const property: unknown = component.getFirstProperty(name)?.toJSON();
  return Array.isArray(property) && typeof property[3] === 'string' ? property[3] : undefined;
}
const dateOf = (event: Event, name: string): string | undefined => textOf(event, name)?.slice(0, 10);

/** Lines at which an event begins, from 1. */
const beginnings = (text: string): number[] =>
  text.split(/\r\n|\r|\n/).flatMap((line, place) => (/^BEGIN:VEVENT\s*$/i.test(line) ? [place + 1] : []));

/** The line that the parser complains of, by its words; else the last one. */
function lineOf(text: string, thrown: unknown): number {
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  const [, quoted] = /"([^"]+)"$/.exec(thrown instanceof Error ? thrown.message : '') ?? [];
  const found = quoted === undefined ? -1 : lines.findIndex((line) => line === quoted);
  return found < 0 ? lines.length : found + 1;
}

function readEvent(event: Event): Entries {
  const { line } = event;
  const start = dateOf(event, 'dtstart');
  if (start === undefined || dayIn(start) === undefined)
    return { entries: [], problems: [atLine(line, 'date', start === undefined ? 'required' : 'date')] };
  if (event.component.hasProperty('rrule')) return { entries: [], problems: [atLine(line, 'rrule', 'unreadable')] };
  const end = dateOf(event, 'dtend') ?? addDays(start, 1);
  const days = dayIn(end) === undefined ? Number.NaN : Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000);
  if (!(days >= 0 && days <= mostDays))
    return { entries: [], problems: [atLine(line, 'to', 'range', { min: 0, max: mostDays })] };
  const summary = textOf(event, 'summary')?.trim() ?? '';
  const [, name, mark] = marked.exec(summary) ?? [];
  const special = specialDays[textOf(event, 'x-apple-special-day') ?? ''];
  const of = special ?? mark ?? classOf(textOf(event, 'categories') ?? '') ?? '';
  const entries: Entry[] = Array.from({ length: Math.max(1, days) }, (_, place) => ({
    line,
    date: addDays(start, place),
    class: of,
    name: name ?? summary,
  }));
  return { entries, problems: [] };
}

/** Every event is days off, or makeup workdays where it says so. Its line is the one on which it begins. */
export function entriesOfIcs(text: string): Entries {
  let root: ICAL.Component;
  try {
    root = new ICAL.Component(ICAL.parse(text));
  } catch (thrown) {
    return { entries: [], problems: [atLine(lineOf(text, thrown), 'event', 'unreadable')] };
  }
  const lines = beginnings(text);
  const read = root
    .getAllSubcomponents('vevent')
    .map((component, place) => readEvent({ component, line: lines[place] ?? 1 }));
  return { entries: read.flatMap(({ entries }) => entries), problems: read.flatMap(({ problems }) => problems) };
}
