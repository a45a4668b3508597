import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';

interface Found {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
  readonly area: string;
  readonly visible: boolean;
}

/** What stands on the labels of these devices, by code; those that the caller does not see too. */
export async function findLabelled(db: Db, ids: readonly number[], scope: DeviceScope): Promise<Found[]> {
  const { rows } =
    await sql<Found>`SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, a.work_name AS area,
      ${visibleDevices(scope)} AS visible
    FROM device d JOIN work_area a ON a.id = d.work_area_id WHERE d.id = ANY(${[...ids]}::bigint[])
      ORDER BY d.equipment_code COLLATE natural_order, d.id`.execute(db);
  return rows;
}
