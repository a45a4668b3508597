import { sql } from 'kysely';
import { visibleDevices, type DeviceScope } from './visible.query.ts';
import { prepared, type Db, type Transaction } from '../../platform/db/index.ts';
import { findWhere, type StoredDevice } from './devices.store.ts';
import { view } from './devices.view.ts';

/**
 * The columns of `device` that fields of the catalogue are kept in, and what the row is found by, with their SQL types:
 * what a staged row may write.
 */
export const writtenColumns = {
  work_area_id: 'bigint',
  equipment_code: 'text',
  equipment_name: 'text',
  road_id: 'bigint',
  group_id: 'bigint',
  pole_id: 'bigint',
  parent_id: 'bigint',
  channel_id: 'bigint',
  transformer_id: 'bigint',
  box_id: 'bigint',
  gateway_id: 'bigint',
  loop_id: 'bigint',
  longitude: 'float8',
  latitude: 'float8',
  enabled: 'boolean',
  rated_watts: 'float8',
  search_words: 'text',
} as const;

/**
 * The devices of a family with these codes in these areas, as callers of an import see them. `pairs`: work area and
 * code key (lower case, NFKC).
 */
export async function findByCodes(
  db: Db | Transaction,
  family: string,
  scope: DeviceScope,
  pairs: readonly { readonly area: number; readonly key: string }[],
): Promise<StoredDevice[]> {
  if (pairs.length === 0) return [];
  // The row with all it refers to takes long to plan: it is asked for only where there is one.
  const { rows } = await sql<{
    id: number;
  }>`${prepared('devices by code')} SELECT d.id
    FROM unnest(${pairs.map((pair) => pair.area)}::bigint[], ${pairs.map((pair) => pair.key)}::text[]) AS x(area, key)
    JOIN device d ON d.family = ${family} AND d.work_area_id = x.area AND d.code_key = x.key`.execute(db);
  return rows.length === 0
    ? []
    : findWhere(db, sql`d.id = ANY(${rows.map(({ id }) => id)}::bigint[])`, visibleDevices(scope));
}

/** These devices as callers see them, by id, whoever asks: what the history of a change is told from. */
export async function devicesAsSeen(
  tx: Transaction,
  ids: readonly number[],
): Promise<Map<number, ReturnType<typeof view>>> {
  const rows = ids.length === 0 ? [] : await findWhere(tx, sql`d.id = ANY(${[...ids]}::bigint[])`, sql`true`);
  return new Map(rows.map((row) => [row.id, view(row)]));
}
