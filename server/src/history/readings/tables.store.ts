import { sql } from 'kysely';
import type { historyParts } from '../../../../contract/history/history.ts';
import type { Db } from '../../platform/db/index.ts';

export type Part = (typeof historyParts)[number];
const parts: Readonly<Record<string, Part>> = {
  reading: 'raw',
  reading_hour: 'hour',
  reading_day: 'day',
  energy_hour: 'energyHour',
  energy_day: 'energyDay',
  energy_event: 'energyEvent',
};

/**
 * One table of the history: its part, the days it covers (`to` not included), about how many rows, bytes with its
 * indexes.
 */
export interface HistoryTable {
  readonly name: string;
  readonly parent: string;
  readonly part: Part;
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly bytes: number;
  /** Its taking away has begun: nobody finds its rows any more. */
  readonly isLeaving: boolean;
}

/** What a table is noted with before it is taken out: what somebody else takes out by hand, to keep it, stays. */
export const leavingNote = 'taken out of the history: too old to be kept';

/** Every table of the history, oldest first. Their names end with the day, month or year they are of. */
export async function findTables(db: Db): Promise<HistoryTable[]> {
  const { rows } = await sql<{
    parent: string;
    name: string;
    rows: number;
    bytes: number;
    isLeaving: boolean;
  }>`SELECT p.relname AS parent, c.relname AS name, i.inhdetachpending
    AND coalesce(obj_description(c.oid, 'pg_class') = ${leavingNote}, false) AS "isLeaving",
      greatest(c.reltuples, coalesce(s.n_live_tup, 0), 0)::float8 AS rows, pg_total_relation_size(c.oid) AS bytes
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE p.relname = ANY(${Object.keys(parts)}::text[]) ORDER BY c.relname COLLATE "C"`.execute(db);
  return rows.flatMap(({ parent, name, ...sizes }) => {
    const part = parts[parent];
    const span = spanOfName(name.slice(parent.length + 1));
    return part && span ? [{ name, parent, part, ...span, ...sizes, rows: Math.round(sizes.rows) }] : [];
  });
}

/** Tables that were taken out of the history because of their age and are still there: whoever did it was killed. */
export async function findLoose(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND NOT relispartition
    AND obj_description(oid, 'pg_class') = ${leavingNote} ORDER BY relname`.execute(db);
  return rows.map(({ name }) => name);
}

function spanOfName(digits: string): { from: string; to: string } | null {
  if (!/^\d{4}(\d\d){0,2}$/.test(digits)) return null;
  const [year, month, day] = [Number(digits.slice(0, 4)), digits.slice(4, 6), digits.slice(6, 8)];
  const date = (...at: [number, number, number]) => new Date(Date.UTC(...at)).toISOString().slice(0, 10);
  const [m, d] = [month === '' ? 0 : Number(month) - 1, day === '' ? 1 : Number(day)];
  return {
    from: date(year, m, d),
    to: day === '' ? (month === '' ? date(year + 1, 0, 1) : date(year, m + 1, 1)) : date(year, m, d + 1),
  };
}
