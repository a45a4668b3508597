import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';
import type { Write } from './move.rules.ts';
import { visibleRows } from './topology.store.ts';
import { among } from './trees.query.ts';

/** A device or loop as a move has to know it. */
export interface Held {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
  readonly area: number;
  readonly version: number;
  readonly code: string;
  readonly pole: number | null;
  readonly capacity: number | null;
  readonly visible: boolean;
}

/**
 * The rows; in a transaction they are kept as they are until it ends: always in the order of ids, so that two moves
 * wait for each other instead of blocking.
 */
export async function hold(
  tx: Db | Transaction,
  scope: DeviceScope,
  devices: readonly number[],
  loops: readonly number[],
): Promise<Map<string, Held>> {
  const lock = tx.isTransaction ? sql`FOR NO KEY UPDATE` : sql``;
  const held = await sql<Held>`SELECT 'device:' || id AS key, family AS kind, id, work_area_id AS area, version,
      equipment_code AS code, pole_id AS pole, (props ->> 'lampNum')::int AS capacity,
      ${visibleDevices(scope)} AS visible
    FROM device d WHERE id = ANY(${[...devices]}::bigint[]) ORDER BY id ${lock}`.execute(tx);
  const alsoHeld =
    await sql<Held>`SELECT 'loop:' || id AS key, 'loop' AS kind, id, work_area_id AS area, version, loop_code AS code,
      NULL::bigint AS pole, NULL::int AS capacity, ${visibleRows(scope, 'o')} AS visible
    FROM loop o WHERE id = ANY(${[...loops]}::bigint[]) ORDER BY id ${lock}`.execute(tx);
  return new Map([...held.rows, ...alsoHeld.rows].map((row) => [row.key, row]));
}

/** Writes what a move means, rows that are written alike at once. */
export async function write(
  tx: Transaction,
  table: 'device' | 'loop',
  rows: readonly { readonly id: number; readonly columns: Write }[],
): Promise<void> {
  for (const [, alike] of Map.groupBy(rows, ({ columns }) => JSON.stringify(columns))) {
    const columns = Object.entries(alike[0]?.columns ?? {});
    await sql`UPDATE ${sql.table(table)}
      SET ${sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}, version = version + 1,
      updated_at = now()
      WHERE id = ANY(${alike.map(({ id }) => id)}::bigint[])`.execute(tx);
  }
}

/** Lamps on a pole, those left out that are being moved. */
export async function lampsOn(tx: Db | Transaction, pole: number, without: readonly number[]): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM device WHERE pole_id = ${pole} AND ${among('family', lampFamilies)}
    AND id <> ALL(${[...without]}::bigint[])`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Which of these loops would have the code of another one in a box: codes are a box's own. */
export async function takenCodes(tx: Db | Transaction, box: number, loops: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT m.id FROM loop m WHERE m.id = ANY(${[...loops]}::bigint[]) AND EXISTS (SELECT FROM loop x
    WHERE x.id <> m.id AND (x.control_box_id = ${box} OR x.id = ANY(${[...loops]}::bigint[]))
      AND lower(normalize(x.loop_code, NFKC)) = lower(normalize(m.loop_code, NFKC)))`.execute(tx);
  return rows.map(({ id }) => id);
}
