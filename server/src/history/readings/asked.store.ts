import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';

export interface AskedDevice {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
  readonly areaId: number;
  readonly timeZone: string;
  readonly ratedWatts: number | null;
}

/** Devices by their ids, in no order, those that the caller does not see too. */
export async function findAsked(
  db: Db,
  scope: DeviceScope,
  ids: readonly number[],
): Promise<(AskedDevice & { readonly visible: boolean })[]> {
  const { rows } = await sql<
    AskedDevice & { visible: boolean }
  >`SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, d.work_area_id AS "areaId",
    a.time_zone AS "timeZone", d.rated_watts AS "ratedWatts", ${visibleDevices(scope)} AS visible
    FROM device d JOIN work_area a ON a.id = d.work_area_id WHERE d.id = ANY(${ids as number[]}::bigint[])`.execute(db);
  return rows;
}
