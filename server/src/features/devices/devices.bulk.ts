import { sql } from 'kysely';
import { visibleDevices, type DeviceScope } from './visible.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { findWhere, type StoredDevice } from './devices.store.ts';
import { view } from './devices.view.ts';

/** The columns of `device` that fields of the catalogue are kept in, and what the row is found by, with their SQL types: what a staged row may write. */
export const writtenColumns = {
  work_area_id: 'bigint', equipment_code: 'text', equipment_name: 'text', road_id: 'bigint', group_id: 'bigint', pole_id: 'bigint', parent_id: 'bigint', channel_id: 'bigint',
  transformer_id: 'bigint', box_id: 'bigint', gateway_id: 'bigint', loop_id: 'bigint',
  longitude: 'float8', latitude: 'float8', enabled: 'boolean', rated_watts: 'float8', search_words: 'text',
} as const;

/** The devices of a family with these codes in these areas, as callers of an import see them. `pairs`: work area and code key (lower case, NFKC). */
export async function findByCodes(db: Db | Transaction, family: string, scope: DeviceScope, pairs: readonly { readonly area: number; readonly key: string }[]): Promise<StoredDevice[]> {
  if (pairs.length === 0) return [];
  return findWhere(db, sql`(d.family, d.work_area_id, d.code_key) IN (SELECT ${family}::text, area, key FROM unnest(${pairs.map((pair) => pair.area)}::bigint[], ${pairs.map((pair) => pair.key)}::text[]) AS x(area, key))`, visibleDevices(scope));
}

/** These devices as callers see them, by id, whoever asks: what the history of a change is told from. */
export async function devicesAsSeen(tx: Transaction, ids: readonly number[]): Promise<Map<number, ReturnType<typeof view>>> {
  const rows = ids.length === 0 ? [] : await findWhere(tx, sql`d.id = ANY(${[...ids]}::bigint[])`, sql`true`);
  return new Map(rows.map((row) => [row.id, view(row)]));
}
