import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';

/** Where a lamp, its pole and its area stand. */
export interface Standing {
  readonly id: number;
  readonly code: string;
  readonly workAreaId: number;
  readonly visible: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly poleLatitude: number | null;
  readonly poleLongitude: number | null;
  readonly areaLatitude: number | null;
  readonly areaLongitude: number | null;
}

/** By id; `held`: nobody changes them until the transaction ends. */
export async function findStanding(
  db: Db,
  scope: DeviceScope,
  ids: readonly number[],
  held: boolean,
): Promise<Standing[]> {
  const { rows } = await sql<Standing>`SELECT d.id, d.equipment_code AS code, d.work_area_id AS "workAreaId",
      ${visibleDevices(scope)} AS visible, d.latitude, d.longitude, p.latitude AS "poleLatitude", p.longitude AS "poleLongitude", a.latitude AS "areaLatitude",
      a.longitude AS "areaLongitude"
    FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
    WHERE d.id = ANY(${[...ids]}::bigint[]) ORDER BY d.id ${held ? sql`FOR UPDATE OF d` : sql``}`.execute(db);
  return rows;
}

/** Writes where lamps stand, in the order of their ids. */
export async function writePlaces(
  tx: Transaction,
  places: readonly { readonly id: number; readonly latitude: number | null; readonly longitude: number | null }[],
): Promise<void> {
  const ids = places.map(({ id }) => id);
  await sql`SELECT FROM device WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE`.execute(tx);
  await sql`UPDATE device d SET latitude = p.latitude, longitude = p.longitude, version = version + 1, updated_at = now()
    FROM unnest(${ids}::bigint[], ${places.map(({ latitude }) => latitude)}::float8[],
      ${places.map(({ longitude }) => longitude)}::float8[]) AS p(id, latitude, longitude)
    WHERE d.id = p.id`.execute(tx);
}
