import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { HistoryExportParams } from '../../../../contract/desk/task-kinds.ts';
import type { Db } from '../../platform/db/index.ts';
import { mostRows } from './history-sheet.ts';
import { hourMs, instant } from './spans.query.ts';

type Params = Static<typeof HistoryExportParams>;

/** So many hours of devices are counted, more are reckoned. */
const countedHours = 50_000;

interface Expected {
  /** About how many rows there will be. */
  readonly count: number;
  /** At least so many. */
  readonly sure: number;
}

/**
 * How many rows there will be: reckoned from the days of the devices, of days themselves counted. Hours are counted
 * where that is little, and as far as the limit where there seem to be more than it.
 */
export async function expectedRows(
  db: Db,
  { deviceIds, resolution }: Pick<Params, 'deviceIds' | 'resolution'>,
  from: number,
  to: number,
): Promise<Expected> {
  const ids = sql`unnest(${deviceIds}::bigint[]) AS d(id)`;
  const days = sql`reading_day h ON h.device_id = d.id AND h.day BETWEEN ${instant(from).slice(0, 10)}::date - 1 AND ${instant(to).slice(0, 10)}::date + 1`;
  const read = async (query: ReturnType<typeof sql>): Promise<Expected> =>
    (await sql<Expected>`${query}`.execute(db)).rows[0] ?? { count: 0, sure: 0 };
  // The hours and the day that are open are not among them.
  const counted = (rows: ReturnType<typeof sql>) =>
    read(
      sql`SELECT count(*)::int AS count, count(*)::int AS sure
        FROM (${rows} UNION ALL SELECT 1 FROM ${ids} LIMIT ${mostRows + 1}) AS counted`,
    );
  const reckoned = (rows: ReturnType<typeof sql>) =>
    read(sql`SELECT coalesce(round(sum(${rows} * share.x)), 0)::float8 AS count,
      coalesce(sum(${rows}) FILTER (WHERE share.x = 1), 0)::float8 AS sure FROM ${ids} JOIN device e USING (id)
      JOIN work_area a ON a.id = e.work_area_id JOIN ${days}
    CROSS JOIN LATERAL (SELECT extract(epoch FROM h.day::timestamp AT TIME ZONE a.time_zone)::float8 AS begins,
      extract(epoch FROM (h.day + 1)::timestamp AT TIME ZONE a.time_zone)::float8 AS ends) s
    CROSS JOIN LATERAL
      (SELECT greatest(0, (least(s.ends, ${to / 1000}::float8) - greatest(s.begins, ${from / 1000}::float8))
      / (s.ends - s.begins)) AS x) share`);
  switch (resolution) {
    case 'raw':
      return reckoned(sql`h.readings`);
    case '15m':
      return reckoned(sql`least(h.readings, 96)`);
    case 'hour': {
      const exact = () =>
        counted(
          sql`SELECT 1 FROM ${ids} JOIN reading_hour h ON h.device_id = d.id
            WHERE h.at >= ${instant(from)}::timestamptz AND h.at < ${instant(to)}::timestamptz`,
        );
      if (deviceIds.length * ((to - from) / hourMs) <= countedHours) return exact();
      const about = await reckoned(sql`least(h.readings, 24)`);
      // Readings of a day may all be of one hour: only what was seen is refused.
      return about.count > mostRows ? exact() : { ...about, sure: 0 };
    }
    case 'day':
      return counted(sql`SELECT 1 FROM ${ids} JOIN ${days}`);
  }
}
