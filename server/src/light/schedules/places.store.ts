import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** Where a lamp, its pole and its area stand. */
export interface Standing {
  readonly id: number;
  readonly code: string;
  readonly workAreaId: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly poleLatitude: number | null;
  readonly poleLongitude: number | null;
  readonly areaLatitude: number | null;
  readonly areaLongitude: number | null;
}

export async function findStanding(db: Db | Transaction, ids: readonly number[]): Promise<Standing[]> {
  const { rows } =
    await sql<Standing>`SELECT d.id, d.equipment_code AS code, d.work_area_id AS "workAreaId", d.latitude,
      d.longitude, p.latitude AS "poleLatitude", p.longitude AS "poleLongitude", a.latitude AS "areaLatitude",
      a.longitude AS "areaLongitude"
    FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
    WHERE d.id = ANY(${[...ids]}::bigint[]) ORDER BY d.id`.execute(db);
  return rows;
}

/** Holds lamps, in the order of their ids. */
export async function holdLamps(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`SELECT FROM device WHERE id = ANY(${[...ids]}::bigint[]) ORDER BY id FOR UPDATE`.execute(tx);
}

/** Writes where lamps stand; they are held, or it is taken back. */
export async function writePlaces(
  tx: Transaction,
  places: readonly { readonly id: number; readonly latitude: number | null; readonly longitude: number | null }[],
): Promise<void> {
  const ids = places.map(({ id }) => id);
  await sql`UPDATE device d SET latitude = p.latitude, longitude = p.longitude, version = version + 1, updated_at = now()
    FROM unnest(${ids}::bigint[], ${places.map(({ latitude }) => latitude)}::float8[],
      ${places.map(({ longitude }) => longitude)}::float8[]) AS p(id, latitude, longitude)
    WHERE d.id = p.id`.execute(tx);
}
