import { sql } from 'kysely';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getHistoryQuantities } from '../../../../contract/history/history.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Kept } from './resolution.ts';

/** What the database takes, up to when hours are rolled, and what of them waits to be rolled. */
export async function readWaiting(
  db: Db,
): Promise<{ bytes: number; rolledTo: Date | null; cleanedAt: Date | null; late: number; days: number }> {
  const {
    rows: [row],
  } = await sql<{
    bytes: number;
    rolledTo: Date | null;
    cleanedAt: Date | null;
    late: number;
    days: number;
  }>`SELECT pg_database_size(current_database()) AS bytes,
    CASE WHEN isfinite(rolled_to) THEN rolled_to END AS "rolledTo", cleaned_at AS "cleanedAt",
      (SELECT count(*)::int FROM rollup_late) AS late, (SELECT count(*)::int FROM rollup_day_due
      WHERE due_at <= now()) AS days FROM rollup_state`.execute(db);
  return row ?? { bytes: 0, rolledTo: null, cleanedAt: null, late: 0, days: 0 };
}

/** Since when readings and hours are kept, and up to when hours are rolled, epoch milliseconds. */
export async function keptSince(db: Db): Promise<Kept & { readonly rolledTo: number }> {
  const {
    rows: [state],
  } = await sql<{
    raw: number;
    hours: number;
    rolledTo: number;
  }>`SELECT (extract(epoch FROM raw_from) * 1000)::float8 AS raw,
    (extract(epoch FROM hours_from) * 1000)::float8 AS hours,
    (extract(epoch FROM greatest(rolled_to, '1970-01-01Z')) * 1000)::float8 AS "rolledTo" FROM rollup_state`.execute(
    db,
  );
  return state ?? { raw: 0, hours: 0, rolledTo: 0 };
}

/** Where the tables of readings, hours and days begin: a table is of a day, a month, a year. */
export async function beginnings(db: Db): Promise<ReplyOf<typeof getHistoryQuantities>['since']> {
  const { rows } = await sql<{
    parent: string;
    first: string;
  }>`SELECT p.relname AS parent, min(right(c.relname, -length(p.relname) - 1) COLLATE "C") AS first
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      WHERE p.relname IN ('reading', 'reading_hour', 'reading_day') GROUP BY p.relname`.execute(db);
  const at = (parent: string) => {
    const first = rows.find((row) => row.parent === parent)?.first;
    return first === undefined
      ? null
      : new Date(
          `${first.slice(0, 4)}-${first.slice(4, 6) || '01'}-${first.slice(6, 8) || '01'}T00:00:00Z`,
        ).toISOString();
  };
  return { raw: at('reading'), hour: at('reading_hour'), day: at('reading_day') };
}

/** The quantities that the last reading of each device has. */
export async function findReported(db: Db, deviceIds: readonly number[]): Promise<Map<number, ReadonlySet<string>>> {
  const { rows } = await sql<{
    id: number;
    keys: string[];
  }>`SELECT device_id AS id, ARRAY(SELECT jsonb_object_keys(values)) AS keys FROM device_latest
    WHERE device_id = ANY(${[...deviceIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, keys }) => [id, new Set(keys)]));
}
