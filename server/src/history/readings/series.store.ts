import { sql, type RawBuilder } from 'kysely';
import type { Quantity } from '../../../../catalogue/index.ts';
import type { Resolution } from '../../../../contract/history.ts';
import type { Db } from '../../platform/db/index.ts';
import { curveKind, optionsOf } from './asked.ts';
import { instant } from './spans.query.ts';

/** `[instant, value, least, greatest, readings, quality]`. */
export type Point = [number, number | null, number | null, number | null, number, number];
export interface StoredSeries {
  readonly deviceId: number;
  readonly i: number;
  readonly points: Point[];
  readonly measured: number;
  readonly estimated: number;
  readonly stale: number;
  readonly invalid: number;
  /** There may be more readings than were looked at. */ readonly isCut: boolean;
}
export interface Asked {
  readonly deviceIds: readonly number[];
  readonly quantities: readonly Quantity[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly from: number;
  readonly to: number;
  /** Hours before are rolled. */
  readonly rolledTo: number;
  /** Readings of one device. */
  readonly most: number;
}

/**
 * Milliseconds of an instant: in floating point, which takes a third of the time that `extract` takes for its exact
 * number; to the microsecond, by which corrected times differ.
 */
const ms = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`round(date_part('epoch', ${at}) * 1000000) / 1000`;

/** The quantities as a table `k (i, id, key, kind, options)`. */
const keyTable = ({
  quantities,
  numbers,
}: Asked): RawBuilder<unknown> => sql`(SELECT k.i, k.id, k.key, k.kind, CASE WHEN k.options = '' THEN NULL
  ELSE string_to_array(k.options, ',') END AS options FROM unnest(
  ${quantities.map((_, i) => i)}::int[], ${quantities.map(({ key }) => numbers.get(key) ?? 0)}::smallint[],
    ${quantities.map(({ key }) => key)}::text[], ${quantities.map(curveKind)}::text[],
  ${quantities.map((q) => optionsOf(q)?.join(',') ?? '')}::text[]) AS k(i, id, key, kind, options)) k`;

/**
 * OFFSET 0: what is in there is reckoned once, not once for every column it comes to be in. Readings of these
 * quantities: `device_id, i, kind, at, x, quality`; x null: the value was out of its range; limited: `taken`, how many
 * of the device were looked at.
 */
function readings(asked: Asked, from: number, limited: boolean): RawBuilder<unknown> {
  return sql`SELECT r.device_id, k.i, k.kind, r.at, ${limited ? sql`r.taken,` : sql``} v.x, CASE WHEN v.x IS NULL THEN 3
    WHEN r.quality = 3 THEN 0 ELSE r.quality END AS quality
    FROM unnest(${asked.deviceIds as number[]}::bigint[]) AS d(id)
      CROSS JOIN LATERAL (${
        limited
          ? sql`SELECT *, count(*) OVER () AS taken
      FROM (`
          : sql``
      }SELECT * FROM reading r WHERE r.device_id = d.id AND r.at >= ${instant(from)}::timestamptz
      AND r.at < ${instant(asked.to)}::timestamptz
      ${limited ? sql`ORDER BY r.at LIMIT ${asked.most}) r` : sql`OFFSET 0`}) r
    CROSS JOIN ${keyTable(asked)} CROSS JOIN LATERAL (SELECT r.values->k.key AS j OFFSET 0) e
    CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(e.j) WHEN 'number' THEN e.j::float8
      WHEN 'boolean' THEN (e.j = 'true')::int::float8
      WHEN 'string' THEN array_position(k.options, e.j #>> '{}')::float8 - 1 END AS x OFFSET 0) v
    WHERE v.x IS NOT NULL
      OR (r.rejected IS NOT NULL AND r.rejected @> jsonb_build_array(jsonb_build_object('key', k.key)))`;
}

/** Columns of every source of points: `device_id, i, t, value, low, high, n, quality, estimated, stale, invalid`. */
function grouped(source: RawBuilder<unknown>, bucket: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT s.device_id, s.i, ${ms(bucket)} AS t, CASE WHEN s.kind = 'measured' THEN avg(s.x)
    ELSE (max(ARRAY[date_part('epoch', s.at), s.x]) FILTER (WHERE s.x IS NOT NULL))[2] END AS value,
      CASE WHEN s.kind = 'measured' THEN min(s.x) END AS low, CASE WHEN s.kind = 'measured' THEN max(s.x) END AS high,
      count(s.x)::int AS n, max(s.quality)::int AS quality,
      count(*) FILTER (WHERE s.quality = 1)::int AS estimated, count(*) FILTER (WHERE s.quality = 2)::int AS stale,
      count(*) FILTER (WHERE s.quality = 3)::int AS invalid
    FROM (${source}) s GROUP BY s.device_id, s.i, s.kind, ${bucket}`;
}

const flaw = (alias: string, i: number) => sql`coalesce(${sql.ref(`${alias}.flawed`)}[${sql.lit(i)}], 0)`;
/**
 * A row of hours or days tells of its readings, not of each value: invalid is a value that some of them lack while some
 * had one refused.
 */
const rolledQuality = (alias: string, n: RawBuilder<unknown>) =>
  sql`CASE WHEN ${flaw(alias, 3)} > 0 AND ${n} < ${sql.ref(`${alias}.readings`)} THEN 3
    WHEN ${flaw(alias, 2)} > 0 THEN 2 WHEN ${flaw(alias, 1)} > 0 THEN 1 ELSE 0 END`;

/** A number of single precision as people write it: 226.8, not 226.80000305. */
const plain = (value: string) => sql.raw(`${value}::text::float8`);

/** Points of rolled rows `h` with the place `t` (milliseconds). */
function unrolled(asked: Asked, rows: RawBuilder<unknown>, t: RawBuilder<unknown>): RawBuilder<unknown> {
  const n = sql`CASE WHEN k.kind = 'measured' THEN coalesce(h.counts[p.at], h.readings) ELSE h.readings END`;
  return sql`SELECT h.device_id, k.i, ${t} AS t, CASE WHEN k.kind = 'measured' THEN ${plain('h.means[p.at]')}
    ELSE h.lasts[p.at] END AS value,
    CASE WHEN k.kind = 'measured' THEN ${plain('(coalesce(h.lows, h.means))[p.at]')} END AS low,
      CASE WHEN k.kind = 'measured' THEN ${plain('(coalesce(h.highs, h.means))[p.at]')} END AS high, ${n} AS n,
      ${rolledQuality('h', n)} AS quality, ${flaw('h', 1)} AS estimated, ${flaw('h', 2)} AS stale,
      CASE WHEN ${n} < h.readings THEN least(${flaw('h', 3)}, h.readings - ${n}) ELSE 0 END AS invalid
    FROM (${rows}) h CROSS JOIN ${keyTable(asked)}
      CROSS JOIN LATERAL (SELECT CASE WHEN k.kind = 'measured' THEN array_position(h.keys, k.id)
      ELSE array_position(h.last_keys, k.id) END AS at OFFSET 0) p WHERE p.at IS NOT NULL`;
}

/** Rows of hours; `also` over the device `d` and its area `a`. */
const hourRows = (asked: Asked, also: RawBuilder<unknown> | null = null) => sql`SELECT h.* FROM reading_hour h ${
  also
    ? sql`JOIN device d ON d.id = h.device_id
  JOIN work_area a ON a.id = d.work_area_id`
    : sql``
}
  WHERE h.device_id = ANY(${asked.deviceIds as number[]}::bigint[]) AND h.at >= ${instant(asked.from)}::timestamptz
    AND h.at < ${instant(Math.min(asked.to, asked.rolledTo))}::timestamptz ${also ? sql`AND ${also}` : sql``}`;

function hourly(asked: Asked): RawBuilder<unknown> {
  const rolled = unrolled(asked, hourRows(asked), ms(sql`h.at`));
  return sql`${rolled} UNION ALL ${grouped(readings(asked, Math.max(asked.from, asked.rolledTo), false), sql`date_trunc('hour', s.at, 'UTC')`)}`;
}

/** Days that are rolled and stand; of the others their hours; and the readings of what is not rolled at all. */
function daily(asked: Asked): RawBuilder<unknown> {
  const rolledTo = sql`${instant(Math.min(asked.rolledTo, 8.64e15))}::timestamptz`;
  // Of these devices alone: that of a whole city is a million rows.
  const due = sql`SELECT device_id, day FROM rollup_day_due
    WHERE device_id = ANY(${asked.deviceIds as number[]}::bigint[])`;
  const isDue = (day: RawBuilder<unknown>) =>
    sql`(${day} >= (${rolledTo} AT TIME ZONE a.time_zone)::date OR (d.id, ${day}) IN (${due}))`;
  // No zone is further off than 15 hours; rolledTo lies in the first day that is not rolled.
  const firstDue = sql`least(${rolledTo} - interval '39 hours',
    (SELECT min(u.day)::timestamp AT TIME ZONE 'UTC' - interval '15 hours' FROM (${due}) u))`;
  const days = sql`SELECT h.*, a.time_zone FROM reading_day h JOIN device d ON d.id = h.device_id
    JOIN work_area a ON a.id = d.work_area_id WHERE h.device_id = ANY(${asked.deviceIds as number[]}::bigint[])
    AND h.day >= (${instant(asked.from)}::timestamptz AT TIME ZONE a.time_zone)::date
      AND h.day <= (${instant(asked.to - 1)}::timestamptz AT TIME ZONE a.time_zone)::date
    AND h.day >= ${instant(asked.from - 86_400_000).slice(0, 10)}::date
      AND h.day <= ${instant(asked.to + 86_400_000).slice(0, 10)}::date AND NOT ${isDue(sql`h.day`)}`;
  const hours = sql`${unrolled(asked, hourRows(asked, sql`h.at >= ${firstDue} AND ${isDue(sql`(h.at AT TIME ZONE a.time_zone)::date`)}`), ms(sql`h.at`))}
    UNION ALL ${grouped(readings(asked, Math.max(asked.from, asked.rolledTo), false), sql`date_trunc('hour', s.at, 'UTC')`)}`;
  return sql`${unrolled(asked, days, ms(sql`(h.day::timestamp AT TIME ZONE h.time_zone)`))}
    UNION ALL SELECT o.device_id, o.i, ${ms(sql`b.day`)} AS t,
      CASE WHEN k.kind = 'measured' THEN sum(o.value * o.n) / nullif(sum(o.n) FILTER (WHERE o.value IS NOT NULL), 0)
      ELSE (max(ARRAY[o.t, o.value]) FILTER (WHERE o.value IS NOT NULL))[2] END AS value,
      min(o.low) AS low, max(o.high) AS high, sum(o.n)::int AS n, max(o.quality)::int AS quality,
      sum(o.estimated)::int AS estimated, sum(o.stale)::int AS stale, sum(o.invalid)::int AS invalid
    FROM (${hours}) o JOIN ${keyTable(asked)} ON k.i = o.i JOIN device d ON d.id = o.device_id
      JOIN work_area a ON a.id = d.work_area_id
      CROSS JOIN LATERAL
        (SELECT date_trunc('day', to_timestamp(o.t / 1000) AT TIME ZONE a.time_zone) AT TIME ZONE a.time_zone AS day) b
        GROUP BY o.device_id, o.i, k.kind, b.day`;
}

const sources: Readonly<Record<Resolution, (asked: Asked) => RawBuilder<unknown>>> = {
  raw: (
    asked,
  ) => sql`SELECT s.device_id, s.i, ${ms(sql`s.at`)} AS t, s.x AS value, NULL::float8 AS low, NULL::float8 AS high,
    (s.x IS NOT NULL)::int AS n, s.quality,
    (s.quality = 1)::int AS estimated, (s.quality = 2)::int AS stale, (s.quality = 3)::int AS invalid,
      s.taken >= ${asked.most} AS is_cut FROM (${readings(asked, asked.from, true)}) s`,
  '15m': (asked) => grouped(readings(asked, asked.from, false), sql`date_bin('15 minutes', s.at, '2000-01-01Z')`),
  hour: hourly,
  day: daily,
};

/** A point as JSON, put together as text: json_build_array takes half as long again. */
const point = sql`'[' || p.t || ',' || coalesce(p.value::text, 'null') || ',' || coalesce(p.low::text, 'null') || ','
  || coalesce(p.high::text, 'null') || ',' || p.n || ',' || p.quality || ']'`;

/** Curves as the database finds them, ready made: a hundred thousand points are one text for it. */
export async function findSeries(db: Db, resolution: Resolution, asked: Asked): Promise<StoredSeries[]> {
  const { rows } = await sql<StoredSeries>`SELECT p.device_id AS "deviceId", p.i,
      ('[' || string_agg(${point}, ',' ORDER BY p.t) || ']')::json AS points,
      sum(greatest(0, p.n - p.estimated - p.stale))::int AS measured, sum(p.estimated)::int AS estimated,
      sum(p.stale)::int AS stale, sum(p.invalid)::int AS invalid,
      ${resolution === 'raw' ? sql`bool_or(p.is_cut)` : sql`false`} AS "isCut"
    FROM (${sources[resolution](asked)}) p GROUP BY p.device_id, p.i`.execute(db);
  return rows;
}
