import { atLine, type Entries, type Entry } from './holiday-entries.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Lines on which the objects inside the first list begin, from 1. */
function beginnings(text: string): number[] {
  const lines: number[] = [];
  let [line, depth, listDepth] = [1, 0, 0];
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[{}[\]]|\n/g)) {
    if (token === '\n') line += 1;
    else if (token === '[' || token === '{') {
      depth += 1;
      if (token === '[' && listDepth === 0) listDepth = depth;
      else if (listDepth > 0 && depth === listDepth + 1) lines.push(line);
    } else if (token === ']' || token === '}') depth -= 1;
  }
  return lines;
}

/** The line that the parser complains of; the last one for a file that breaks off. */
function lineOf(text: string, thrown: unknown): number {
  const [, position] = /position (\d+)/.exec(thrown instanceof Error ? thrown.message : '') ?? [];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}

/** `class`, or `isOffDay` as holiday-cn writes it. */
function classIn({ class: of, isOffDay }: Fields): string {
  if (typeof isOffDay === 'boolean') return isOffDay ? 'public' : 'makeupWorkday';
  return of === undefined || of === null ? '' : typeof of === 'string' ? of : '?';
}

/** A list of {date, class, name}, or an object with one as `days` or `holidays`. */
export function entriesOfJson(text: string): Entries {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    return { entries: [], problems: [atLine(lineOf(text, thrown), 'json', 'unreadable')] };
  }
  const list: unknown = isFields(parsed) ? (parsed['days'] ?? parsed['holidays']) : parsed;
  if (!Array.isArray(list)) return { entries: [], problems: [atLine(1, 'days', 'required')] };
  const lines = beginnings(text);
  const given: readonly unknown[] = list;
  const wrong = given.flatMap((entry, place) =>
    isFields(entry) ? [] : [atLine(lines[place] ?? place + 1, 'days', 'type')],
  );
  // Where an entry is no object, the lines of those after it are not known.
  if (wrong.length > 0) return { entries: [], problems: wrong };
  const entries = given.filter(isFields).map((fields, place): Entry => ({
    line: lines[place] ?? 1,
    date: textIn(fields['date']),
    class: classIn(fields),
    name: textIn(fields['name']),
  }));
  return { entries, problems: [] };
}
