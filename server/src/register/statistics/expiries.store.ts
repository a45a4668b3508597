import { sql, type RawBuilder } from 'kysely';
import type { Static } from 'typebox';
import type { Expiry, expiringFields, expirySpans } from '../../../../contract/register/statistics.ts';
import type { Db, RowCounter } from '../../platform/db/index.ts';
import type { DeviceScope } from '../devices/index.ts';
import { conditionsOf, type Filters } from './statistics.store.ts';

export type ExpiringField = (typeof expiringFields)[number];
export type Span = (typeof expirySpans)[number];
export type ExpiryRow = Static<typeof Expiry>;
export type Counts = Readonly<Record<Span, number>>;

/** Named one by one: the planner finds the index of an expression only when it stands there as it was declared. */
const dayOf: Readonly<Record<ExpiringField, RawBuilder<string>>> = {
  warrantyUntil: sql`d.props ->> 'warrantyUntil'`,
  simExpiry: sql`d.props ->> 'simExpiry'`,
};
/** Days to go, where the device stands: the day changes with the clock of its project. */
const daysTo = (field: ExpiringField, now: Date) =>
  sql<number>`((${dayOf[field]})::date - (${now}::timestamptz AT TIME ZONE a.time_zone)::date)`;
/** The last day that can matter, whatever the zone; days compare as they are written. */
const lastDay = (now: Date, days: number): string =>
  new Date(now.getTime() + (days + 1) * 86_400_000).toISOString().slice(0, 10);

/**
 * Devices of a span. What ended days ago has ended in every zone, and what comes in days has in none: those bounds are
 * read off the index.
 */
function ofSpan(
  scope: DeviceScope,
  filters: Filters,
  { field, within, now }: Pick<ExpiryAsked, 'field' | 'within' | 'now'>,
): RawBuilder<unknown> {
  const [day, days] = [dayOf[field], daysTo(field, now)];
  const inSpan =
    within === 'past'
      ? sql`${day} <= ${lastDay(now, 0)} AND (${day} < ${lastDay(now, -3)} OR ${days} < 0)`
      : sql`${day} BETWEEN ${lastDay(now, -2)} AND ${lastDay(now, Number(within))} AND ${days} BETWEEN 0 AND ${Number(within)}`;
  return sql`FROM device d JOIN work_area a ON a.id = d.work_area_id
    WHERE ${day} IS NOT NULL AND ${inSpan} AND ${conditionsOf(scope, filters)}`;
}

/** How many have ended, and how many end within each span. */
export async function countExpiries(
  counter: RowCounter,
  scope: DeviceScope,
  filters: Filters,
  field: ExpiringField,
  now: Date,
): Promise<Counts> {
  const count = (within: Span) => counter.all(sql`SELECT 1 ${ofSpan(scope, filters, { field, within, now })}`);
  const [past, ...ending] = await Promise.all([count('past'), count('30'), count('60'), count('90'), count('180')]);
  return { past, 30: ending[0], 60: ending[1], 90: ending[2], 180: ending[3] };
}

export interface ExpiryAsked {
  readonly field: ExpiringField;
  readonly within: Span;
  readonly now: Date;
  readonly limit: number;
  readonly offset?: number;
  /** Those that follow this one, whatever came or went before it. */
  readonly after?: Pick<ExpiryRow, 'day' | 'id'> | undefined;
}

/** A page of what ends, the first day first; of what has ended the latest first. */
export async function findExpiries(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  { limit, offset = 0, after, ...asked }: ExpiryAsked,
): Promise<ExpiryRow[]> {
  const past = asked.within === 'past';
  const day = dayOf[asked.field];
  const order = past ? sql`${day} DESC, d.id DESC` : sql`${day}, d.id`;
  const follows = after
    ? sql`(${day}, d.id) ${past ? sql`<` : sql`>`} (${after.day}::text, ${after.id}::bigint)`
    : sql`true`;
  const { rows } = await sql<ExpiryRow>`
    WITH page AS (
      SELECT d.id, ${day} AS day, ${daysTo(asked.field, asked.now)} AS days, a.work_name,
        row_number() OVER (ORDER BY ${order}) AS place ${ofSpan(scope, filters, asked)} AND ${follows} ORDER BY ${order}
        LIMIT ${limit} OFFSET ${offset}
    )
    SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, page.work_name AS "workAreaName",
      r.road_name AS "roadName", d.props ->> 'manufacturer' AS manufacturer, d.props ->> 'model' AS model,
      d.props ->> 'simNum' AS "simNum", page.day, page.days
    FROM page JOIN device d ON d.id = page.id LEFT JOIN road r ON r.id = d.road_id ORDER BY page.place`.execute(db);
  return rows;
}
