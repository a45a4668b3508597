import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/lighting/families.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { askedScheme, askedTemplate, asking, isUntold } from '../plans/index.ts';

export async function findCodes(from: Db | Transaction, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; code: string }>`SELECT id, equipment_code AS code FROM device
    WHERE id = ANY(${[...ids]}::bigint[])`.execute(from);
  return new Map(rows.map(({ id, code }) => [id, code]));
}

/** The reasons of exceptions of which the caller sees a lamp. */
export async function findWhys(
  from: Db | Transaction,
  caller: DeviceScope,
  exceptions: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (exceptions.length === 0) return new Map();
  const { rows } = await sql<{ id: number; reason: string }>`SELECT e.id, e.reason FROM plan_exception e
    WHERE e.id = ANY(${[...exceptions]}::bigint[]) AND EXISTS (SELECT FROM plan_exception_item i
      JOIN device d ON d.id = i.device_id WHERE i.exception_id = e.id AND ${visibleDevices(caller)})`.execute(from);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** A lamp of a row whose lamps follow different versions. */
export interface RowLamp {
  readonly id: number;
  readonly workAreaId: number;
  readonly row: string;
  readonly position: number;
  /** What another publication will tell it is on its way. */
  readonly coming: boolean;
  /** Its row is mixed as it is; else it will be. */
  readonly mixed: boolean;
}

/**
 * The rows in which these lamps stand and whose lamps do not all follow the same, or will not when what is on its way to
 * the others has come; each in its order.
 */
export async function findMixedRows(tx: Transaction, ids: readonly number[]): Promise<RowLamp[]> {
  const { rows } = await sql<RowLamp>`
    WITH standing AS (SELECT DISTINCT p.road_id, p.side FROM device d JOIN lamp_position p ON p.pole_id = d.pole_id
      WHERE d.id = ANY(${[...ids]}::bigint[])),
    own AS MATERIALIZED (SELECT unnest(${[...ids]}::bigint[]) AS id),
    member AS (SELECT d.id, d.work_area_id, p.road_id, p.side, p.position, c.will,
        coalesce(x.scheme_version_id, 0) || ' ' || coalesce(x.template_version_id, 0) AS follows
      FROM standing JOIN lamp_position p USING (road_id, side) JOIN device d ON d.pole_id = p.pole_id
      LEFT JOIN own ON own.id = d.id
      LEFT JOIN LATERAL (SELECT scheme_version_id, template_version_id FROM plan_assignment
        WHERE device_id = d.id AND withdrawn_at IS NULL ORDER BY from_day DESC, id DESC LIMIT 1) x ON true
      LEFT JOIN LATERAL (SELECT coalesce(${askedScheme}, 0) || ' ' || coalesce(${askedTemplate}, 0) AS will
        FROM publication_item i ${asking} WHERE i.device_id = d.id AND ${isUntold} AND own.id IS NULL) c ON true
      WHERE d.enabled AND d.family = ANY(${[...lampFamilies]}::text[])),
    mixed AS (SELECT road_id, side, min(follows) <> max(follows) AS mixed FROM member GROUP BY road_id, side
      HAVING min(follows) <> max(follows)
        OR (count(will) > 0 AND min(coalesce(will, follows)) <> max(coalesce(will, follows))))
    SELECT id, work_area_id AS "workAreaId", road_id || ' ' || side AS row, position,
      will IS NOT NULL AS coming, mixed
    FROM member JOIN mixed USING (road_id, side) ORDER BY road_id, side, position, id`.execute(tx);
  return rows;
}
