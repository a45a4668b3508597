import { addDays, type Day } from '../../../../../catalogue/lighting/zone.ts';
import { keptByYears, retentionBounds, type getHistoryStorage } from '../../../../../contract/history/history.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';

export type Storage = ReplyOf<typeof getHistoryStorage>;
export type Retention = Storage['retention'];
export type RetentionField = keyof Retention;
export const retentionFields = ['rawDays', 'hourYears'] as const satisfies readonly RetentionField[];

/** What is typed; null: nothing. */
export type Typed = Readonly<Record<RetentionField, number | null>>;
export type Rule = 'required' | 'whole' | 'bounds';

/** Everything that is refused before the server is asked. */
export function problemsOf(typed: Typed): Partial<Record<RetentionField, Rule>> {
  const problem = (field: RetentionField): Rule | undefined => {
    const value = typed[field];
    const { least, most } = retentionBounds[field];
    if (value === null) return 'required';
    if (!Number.isInteger(value)) return 'whole';
    return value < least || value > most ? 'bounds' : undefined;
  };
  return Object.fromEntries(
    retentionFields.flatMap((field) => {
      const rule = problem(field);
      return rule === undefined ? [] : [[field, rule]];
    }),
  );
}

/** The day before which hours go after so many years. */
const yearsBefore = (day: Day, years: number): Day => {
  const earlier = `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;
  return earlier.endsWith('-02-29') ? `${earlier.slice(0, 4)}-02-28` : earlier;
};

export interface Lost {
  readonly part: Storage['parts'][number]['part'];
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
  readonly from: Day;
  readonly to: Day;
}

/** What a setting takes away that the one in force would keep: whole tables that end before its day. */
export function lostBy(next: Retention, { parts, retention }: Storage, today: Day): Lost[] {
  const before = ({ rawDays, hourYears }: Retention, part: Lost['part']): Day =>
    part === 'raw' ? addDays(today, -rawDays) : yearsBefore(today, hourYears);
  return parts.flatMap(({ part, tables }): Lost[] => {
    if (part !== 'raw' && !keptByYears.includes(part)) return [];
    const gone = tables.filter(({ to }) => to <= before(next, part) && to > before(retention, part));
    const [first, last] = [gone[0], gone.at(-1)];
    if (!first || !last) return [];
    return [
      {
        part,
        tables: gone.length,
        rows: gone.reduce((sum, { rows }) => sum + rows, 0),
        bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
        from: first.from,
        to: last.to,
      },
    ];
  });
}

/** The last day that a stretch covers whose end is the day after; of one that reaches into the future today. */
export const lastDay = (to: Day, today: Day): Day => (addDays(to, -1) < today ? addDays(to, -1) : today);
