import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { nightReasons, type NightOutcome, type NightReason } from '../../../../catalogue/lighting/nights.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { areasOf } from '../home/index.ts';
import type { Part } from './nights.store.ts';

/** Which lamps of a night. */
export interface LampsAsked {
  readonly day: Day;
  readonly part: Part;
  /** Undefined: all that did not run the plan. */
  readonly outcome: NightOutcome | undefined;
  readonly reason: NightReason | undefined;
  readonly areaId: number | undefined;
  readonly q: string | undefined;
}

/** Nights are those of work areas that the caller sees as wholes. */
export function seenAreas(caller: DeviceScope, column = 'n.work_area_id'): RawBuilder<SqlBool> {
  const areas = areasOf(caller);
  return areas === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = ANY(${[...areas]}::bigint[])`;
}

const nothingOf = sql`NULL::text AS reason, NULL::timestamptz AS since, NULL::text AS detail,
  NULL::timestamptz AS step_at, NULL::real AS expected, NULL::real AS observed, NULL::timestamptz AS reading_at,
  0 AS misses`;

/** The lamps of a night with what is kept of them, as a table `l`; those that are only counted are made up. */
export function lampsOf({ day, part, outcome, areaId }: LampsAsked): RawBuilder<unknown> {
  const area = (column: string) => (areaId === undefined ? sql`true` : sql`${sql.ref(column)} = ${areaId}::bigint`);
  // A row has the lamps between its `after` and that of the next one: one row can have this lamp.
  const isDark = sql`coalesce(d.id = ANY((SELECT lamps FROM plan_night_dark WHERE work_area_id = n.work_area_id
    AND day = ${day}::date AND after < d.id ORDER BY after DESC LIMIT 1)::bigint[]), false)`;
  if (part === 'report' && outcome === 'plannedDark')
    return sql`(SELECT k.work_area_id, k.id AS device_id, 'plannedDark' AS outcome, ${nothingOf} FROM (SELECT work_area_id,
      unnest(lamps) AS id FROM plan_night_dark WHERE day = ${day}::date AND ${area('work_area_id')}) k) l`;
  if (part === 'report' && outcome === 'ran')
    return sql`(SELECT n.work_area_id, d.id AS device_id, 'ran' AS outcome, ${nothingOf} FROM plan_night n
      JOIN device d ON d.work_area_id = n.work_area_id AND d.family = ${lampFamily} AND d.enabled
        AND d.created_at <= n.reported_at
      WHERE n.day = ${day}::date AND n.report = 'done' AND ${area('n.work_area_id')} AND NOT ${isDark}
        AND NOT EXISTS (SELECT FROM plan_night_lamp x WHERE x.day = n.day AND x.part = 'report'
          AND x.work_area_id = n.work_area_id AND x.device_id = d.id)) l`;
  return sql`(SELECT * FROM plan_night_lamp WHERE day = ${day}::date AND part = ${part} AND ${area('work_area_id')}
    AND ${outcome === undefined || part === 'rehearsal' ? sql`true` : sql`outcome = ${outcome}`}) l`;
}

/** Of the table `l` with its devices `d`: what the caller sees of what is asked for. */
export const seenLamps = (caller: DeviceScope, { reason, q }: LampsAsked): RawBuilder<SqlBool> =>
  sql<SqlBool>`${seenAreas(caller, 'l.work_area_id')} AND ${visibleDevices(caller)}
    AND ${reason === undefined ? sql`true` : sql`l.reason = ${reason}`}
    AND ${q === undefined ? sql`true` : sql`strpos(lower(concat_ws(' ', d.equipment_code, d.equipment_name)), lower(${q})) > 0`}`;

/** By the fixed order of the reasons. */
export const byReason = sql`array_position(${[...nightReasons]}::text[], l.reason), l.device_id`;
