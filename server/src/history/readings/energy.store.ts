import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { energySteps, getEnergy } from '../../../../contract/history/history.ts';
import type { QueryOf } from '../../../../contract/route.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';

export type EnergyStep = (typeof energySteps)[number];
export interface Sums {
  readonly kwh: number;
  readonly measured: number;
  readonly estimated: number;
  readonly calculated: number;
  readonly invalidSeconds: number;
  readonly resets: number;
}
export interface AskedEnergy {
  /** Over the device `d`. */
  readonly where: RawBuilder<SqlBool>;
  /** Days where the devices stand, both included. */
  readonly from: string;
  readonly to: string;
  readonly by: EnergyStep;
}

/** Which devices are asked for, over `d`: of these families, seen by the caller. */
export const metered = (
  scope: DeviceScope,
  families: readonly string[],
  ids: readonly number[] | null,
  { family, workId, roadId }: QueryOf<typeof getEnergy>,
): RawBuilder<SqlBool> =>
  sql`${visibleDevices(scope)} AND d.family = ANY(${[...families]}::text[]) AND ${ids === null ? sql`true` : sql`d.id = ANY(${[...ids]}::bigint[])`} AND ${family === undefined ? sql`true` : sql`d.family = ${family}`}
    AND ${workId === undefined ? sql`true` : sql`d.work_area_id = ${workId}`} AND ${roadId === undefined ? sql`true` : sql`d.road_id = ${roadId}`}`;

const sums = sql`sum(x.measured + x.estimated + x.calculated) AS kwh, sum(x.measured) AS measured, sum(x.estimated) AS estimated, sum(x.calculated) AS calculated, sum(x.invalid_seconds)::float8 AS "invalidSeconds", sum(x.resets)::int AS resets`;
const columns = sql`measured, estimated, calculated, invalid_seconds, resets`;

/**
 * Days that are rolled and stand, a row a device: `device_id, day, …` from the day before to the day after the span.
 */
const standing = ({
  where,
  from,
  to,
}: AskedEnergy) => sql`SELECT e.* FROM energy_day e JOIN device d ON d.id = e.device_id
  WHERE ${where} AND e.day BETWEEN ${from}::date AND ${to}::date + 1
  AND NOT EXISTS (SELECT 1 FROM rollup_day_due u WHERE u.device_id = e.device_id AND u.day = e.day)`;

/** Hours of the days that are not rolled, or not anew. */
const hoursOfDue = ({
  where,
  from,
  to,
}: AskedEnergy) => sql`SELECT u.device_id, u.day, e.at, e.measured, e.estimated, e.calculated, e.invalid_seconds,
  e.resets, e.at < (u.day + interval '12 hours') AT TIME ZONE a.time_zone AS is_am
  FROM rollup_day_due u JOIN device d ON d.id = u.device_id JOIN work_area a ON a.id = d.work_area_id
    JOIN energy_hour e ON e.device_id = u.device_id AND e.at >= u.day::timestamp AT TIME ZONE a.time_zone
      AND e.at < (u.day + 1)::timestamp AT TIME ZONE a.time_zone
  WHERE ${where} AND u.day BETWEEN ${from}::date AND ${to}::date + 1
    AND e.at >= ${from}::date::timestamp AT TIME ZONE 'UTC' - interval '15 hours'
    AND e.at < (${to}::date + 2)::timestamp AT TIME ZONE 'UTC' + interval '15 hours'`;

/**
 * What is known of each device and step: `device_id, step, …`; the step as the database sorts it fastest: an instant, a
 * day, the first day of a month.
 */
function parts(asked: AskedEnergy): RawBuilder<unknown> {
  const { where, from, to, by } = asked;
  if (by === 'hour') {
    return sql`SELECT e.device_id, e.at AS step, ${columns} FROM energy_hour e JOIN device d ON d.id = e.device_id
      JOIN work_area a ON a.id = d.work_area_id
      WHERE ${where} AND e.at >= ${from}::date::timestamp AT TIME ZONE a.time_zone
        AND e.at < (${to}::date + 1)::timestamp AT TIME ZONE a.time_zone
        AND e.at >= ${from}::date::timestamp AT TIME ZONE 'UTC' - interval '15 hours'
          AND e.at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC' + interval '15 hours'`;
  }
  if (by === 'lightingDay') {
    // The afternoon and evening of a day, and the morning of the next.
    return sql`SELECT device_id, day AS step, measured - am_measured AS measured, estimated - am_estimated AS estimated,
      calculated - am_calculated AS calculated, invalid_seconds - am_invalid_seconds AS invalid_seconds, resets
        FROM (${standing(asked)}) e WHERE day <= ${to}::date
      UNION ALL SELECT device_id, day - 1, am_measured, am_estimated, am_calculated, am_invalid_seconds, 0
        FROM (${standing(asked)}) e WHERE day > ${from}::date
      UNION ALL SELECT device_id, CASE WHEN is_am THEN day - 1 ELSE day END, ${columns} FROM (${hoursOfDue(asked)}) e
        WHERE CASE WHEN is_am THEN day > ${from}::date ELSE day <= ${to}::date END`;
  }
  const step = by === 'month' ? sql`date_trunc('month', day::timestamp)::date` : sql`day`;
  return sql`SELECT device_id, ${step} AS step, ${columns} FROM (${standing(asked)}) e WHERE day <= ${to}::date
    UNION ALL SELECT device_id, ${step}, ${columns} FROM (${hoursOfDue(asked)}) e WHERE day <= ${to}::date`;
}

/** A step as it is told. */
const told: Readonly<Record<EnergyStep, RawBuilder<unknown>>> = {
  hour: sql`to_char(x.step AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  day: sql`x.step::text`,
  lightingDay: sql`x.step::text`,
  month: sql`left(x.step::text, 7)`,
};

interface CountedDevice extends Sums {
  readonly id: number;
  readonly code: string;
  readonly name: string | null;
}
interface Row extends Sums {
  readonly step: string;
  readonly deviceId: number | null;
  readonly devices: number;
}
interface Found {
  readonly rows: Row[];
  readonly total: Sums;
  readonly counted: number;
  readonly devices: number;
  readonly data: CountedDevice[];
}

const again = sql`sum(x.kwh) AS kwh, sum(x.measured) AS measured, sum(x.estimated) AS estimated, sum(x.calculated) AS calculated, sum(x."invalidSeconds") AS "invalidSeconds", sum(x.resets)::int AS resets`;

/**
 * Step by step, of all devices together or of each, at most so many rows; and the devices behind it with the sum of
 * each, the first by code.
 */
export async function findEnergy(
  db: Db,
  asked: AskedEnergy,
  each: boolean,
  limits: { readonly rows: number; readonly devices: number },
): Promise<Found> {
  const device = each ? sql`x.device_id` : sql`NULL::bigint`;
  const {
    rows: [found],
  } = await sql<{
    [K in keyof Found]: Found[K] | null;
  }>`WITH x AS MATERIALIZED (SELECT x.device_id, x.step, ${sums} FROM (${parts(asked)}) x GROUP BY x.device_id, x.step),
      whole AS MATERIALIZED (SELECT x.device_id, ${again} FROM x GROUP BY x.device_id)
    SELECT (SELECT json_agg(to_json(r))
      FROM (SELECT ${told[asked.by]} AS step, ${device} AS "deviceId", count(*)::int AS devices, ${again} FROM x
      GROUP BY x.step${each ? sql`, x.device_id` : sql``} ORDER BY x.step${each ? sql`, x.device_id` : sql``}
      LIMIT ${limits.rows}) r) AS rows,
      (SELECT to_json(t) FROM (SELECT ${again} FROM whole x HAVING count(*) > 0) t) AS total,
      (SELECT count(*)::int FROM whole) AS counted, (SELECT count(*)::int FROM device d
      WHERE ${asked.where}) AS devices,
      (SELECT json_agg(to_jsonb(l) - 'device_id')
        FROM (SELECT d.id, d.equipment_code AS code, d.equipment_name AS name, x.* FROM whole x
        JOIN device d ON d.id = x.device_id ORDER BY d.equipment_code COLLATE natural_order, d.id
        LIMIT ${limits.devices}) l) AS data`.execute(db);
  return {
    rows: found?.rows ?? [],
    total: found?.total ?? { kwh: 0, measured: 0, estimated: 0, calculated: 0, invalidSeconds: 0, resets: 0 },
    counted: found?.counted ?? 0,
    devices: found?.devices ?? 0,
    data: found?.data ?? [],
  };
}

/** How many devices are asked for, up to a limit. */
export async function countDevices(db: Db, where: RawBuilder<SqlBool>, limit: number): Promise<number> {
  const {
    rows: [row],
  } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM (SELECT 1 FROM device d WHERE ${where} LIMIT ${limit}) AS counted`.execute(db);
  return row?.n ?? 0;
}
