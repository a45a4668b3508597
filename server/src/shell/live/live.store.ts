import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { Picture } from './pictures.ts';

/** Which of these devices are bound to which of these accounts: one question, however many watch. */
export async function boundTo(
  db: Db,
  accountIds: readonly number[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  if (accountIds.length === 0 || ids.length === 0) return new Map();
  const { rows } = await sql<{
    accountId: number;
    id: number;
  }>`SELECT account_id AS "accountId", device_id AS id FROM device_account
    WHERE account_id = ANY(${[...accountIds]}::bigint[]) AND device_id = ANY(${[...ids]}::bigint[])`.execute(db);
  const bound = new Map<number, Set<number>>();
  for (const { accountId, id } of rows) bound.set(accountId, (bound.get(accountId) ?? new Set()).add(id));
  return bound;
}

/** These devices as they are now. */
export async function findPictures(db: Db, ids: readonly number[]): Promise<Picture[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Picture>`SELECT d.id, d.family, d.work_area_id AS "workAreaId", CASE WHEN d.enabled
      OR s.state IS NULL THEN s.state ELSE 'maintenance' END AS state, s.online, s.fault,
      l.at, l.received_at AS "receivedAt", l.values
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
      WHERE d.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

export async function deviceVisible(db: Db, id: number, caller: DeviceScope): Promise<boolean | undefined> {
  const { rows } = await sql<{
    visible: boolean;
  }>`SELECT ${visibleDevices(caller)} AS visible FROM device d WHERE d.id = ${id}`.execute(db);
  return rows[0]?.visible;
}

export async function commandVisible(db: Db, id: number, caller: DeviceScope): Promise<boolean | undefined> {
  const { rows } = await sql<{
    visible: boolean;
  }>`SELECT EXISTS (SELECT 1 FROM command_item i JOIN device d ON d.id = i.device_id
    WHERE i.command_id = c.id AND ${visibleDevices(caller)}) AS visible
    FROM command c WHERE c.id = ${id}`.execute(db);
  return rows[0]?.visible;
}

/** Counts of all items the caller sees, and the states of these devices'. */
export async function itemsOf(db: Db, id: number, caller: DeviceScope, deviceIds: readonly number[]) {
  const items = sql`command_item i JOIN device d ON d.id = i.device_id
    WHERE i.command_id = ${id} AND ${visibleDevices(caller)}`;
  const [counts, changed] = await Promise.all([
    sql<{ state: string; n: number }>`SELECT i.state, count(*)::int AS n FROM ${items} GROUP BY i.state`.execute(db),
    sql<{
      deviceId: number;
      state: string;
    }>`SELECT i.device_id AS "deviceId", i.state FROM ${items}
      AND i.device_id = ANY(${deviceIds as number[]}::bigint[])`.execute(db),
  ]);
  return { states: Object.fromEntries(counts.rows.map(({ state, n }) => [state, n])), changed: changed.rows };
}
