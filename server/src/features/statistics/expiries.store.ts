import { sql, type RawBuilder } from 'kysely';
import type { Static } from 'typebox';
import type { Expiry, expiringFields, expirySpans } from '../../../../contract/routes/statistics.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../devices/index.ts';
import { conditionsOf, type Filters } from './statistics.store.ts';

export type ExpiringField = typeof expiringFields[number];
export type Span = typeof expirySpans[number];
export type ExpiryRow = Static<typeof Expiry>;
export type Counts = Readonly<Record<Span, number>>;

/** Named one by one: the planner finds the index of an expression only when it stands there as it was declared. */
const dayOf: Readonly<Record<ExpiringField, RawBuilder<string>>> = { warrantyUntil: sql`d.props ->> 'warrantyUntil'`, simExpiry: sql`d.props ->> 'simExpiry'` };
/** Days to go, where the device stands: the day changes with the clock of its project. */
const daysTo = (field: ExpiringField, now: Date) => sql<number>`((${dayOf[field]})::date - (${now}::timestamptz AT TIME ZONE a.time_zone)::date)`;
/** The last day that can matter, whatever the zone; days compare as they are written. */
const lastDay = (now: Date, days: number): string => new Date(now.getTime() + (days + 1) * 86_400_000).toISOString().slice(0, 10);

const from = (scope: DeviceScope, filters: Filters, field: ExpiringField, now: Date, days: number) =>
  sql`FROM device d JOIN work_area a ON a.id = d.work_area_id WHERE ${dayOf[field]} IS NOT NULL AND ${dayOf[field]} <= ${lastDay(now, days)} AND ${conditionsOf(scope, filters)}`;

/** How many have ended, and how many end within each span; what ended days ago has ended in every zone. */
export async function countExpiries(db: Db, scope: DeviceScope, filters: Filters, field: ExpiringField, now: Date): Promise<Counts> {
  const { rows: [counts] } = await sql<Counts>`SELECT (count(*) FILTER (WHERE days < 0))::int AS past, (count(*) FILTER (WHERE days BETWEEN 0 AND 30))::int AS "30", (count(*) FILTER (WHERE days BETWEEN 0 AND 60))::int AS "60",
      (count(*) FILTER (WHERE days BETWEEN 0 AND 90))::int AS "90", (count(*) FILTER (WHERE days BETWEEN 0 AND 180))::int AS "180"
    FROM (SELECT CASE WHEN ${dayOf[field]} < ${lastDay(now, -3)} THEN -1 ELSE ${daysTo(field, now)} END AS days ${from(scope, filters, field, now, 180)}) counted`.execute(db);
  return counts ?? { past: 0, 30: 0, 60: 0, 90: 0, 180: 0 };
}

export interface ExpiryAsked { readonly field: ExpiringField; readonly within: Span; readonly now: Date; readonly limit: number; readonly offset: number }

/** A page of what ends, the first day first; of what has ended the latest first. */
export async function findExpiries(db: Db, scope: DeviceScope, filters: Filters, { field, within, now, limit, offset }: ExpiryAsked): Promise<ExpiryRow[]> {
  const past = within === 'past';
  const days = daysTo(field, now);
  const order = past ? sql`${dayOf[field]} DESC, d.id DESC` : sql`${dayOf[field]}, d.id`;
  // So long ago it can only be over, wherever it stands; without this bound every day that has passed would be looked at.
  const notOver = past ? sql`true` : sql`${dayOf[field]} >= ${lastDay(now, -2)}`;
  const { rows } = await sql<ExpiryRow>`
    WITH page AS (
      SELECT d.id, ${dayOf[field]} AS day, ${days} AS days, a.work_name, row_number() OVER (ORDER BY ${order}) AS place ${from(scope, filters, field, now, past ? 0 : Number(within))} AND ${notOver}
        AND ${past ? sql`${days} < 0` : sql`${days} BETWEEN 0 AND ${Number(within)}`} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
    )
    SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, page.work_name AS "workAreaName", r.road_name AS "roadName", d.props ->> 'manufacturer' AS manufacturer, d.props ->> 'model' AS model,
      d.props ->> 'simNum' AS "simNum", page.day, page.days
    FROM page JOIN device d ON d.id = page.id LEFT JOIN road r ON r.id = d.road_id ORDER BY page.place`.execute(db);
  return rows;
}
