import { sql } from 'kysely';
import { nameKey } from '../../people/accounts/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { people, roles } from './people-of-the-city.ts';

export interface CityLamp {
  readonly id: number;
  readonly viaId: number;
  readonly roadId: number;
  readonly roadName: string;
  readonly roadClass: string;
  readonly watts: number;
}
export interface CityPole {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

/** Of a large city the first lamps are enough: commands of a road need no others. */
const mostLamps = 6000;

/** The first lamps of the city with their roads. */
export async function findLamps(tx: Transaction, workAreaId: number): Promise<CityLamp[]> {
  const { rows } = await sql<CityLamp>`SELECT d.id, coalesce(d.parent_id, 0) AS "viaId", r.id AS "roadId",
      r.road_name AS "roadName", r.road_class AS "roadClass", coalesce(d.rated_watts, 100)::float8 AS watts
    FROM device d JOIN road r ON r.id = d.road_id
    WHERE d.work_area_id = ${workAreaId} AND d.family = 'single-lamp-controller' AND d.enabled
    ORDER BY d.id LIMIT ${mostLamps}`.execute(tx);
  return rows;
}

export async function findPoles(tx: Transaction, workAreaId: number, limit: number): Promise<CityPole[]> {
  const { rows } = await sql<CityPole>`SELECT id, equipment_code AS code, equipment_name AS name FROM device
    WHERE work_area_id = ${workAreaId} AND family = 'lamp-pole' ORDER BY id LIMIT ${limit}`.execute(tx);
  return rows;
}

export const findArea = (
  tx: Transaction,
  id: number,
): Promise<{ readonly work_code: string; readonly time_zone: string }> =>
  tx.selectFrom('work_area').select(['work_code', 'time_zone']).where('id', '=', id).executeTakeFirstOrThrow();

/** The scheme of a code in the work area; undefined: none. */
export async function findScheme(tx: Transaction, workAreaId: number, code: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('scheme')
    .select('id')
    .where('work_area_id', '=', workAreaId)
    .where('code', '=', code)
    .executeTakeFirst();
  return row?.id;
}

/** A name of the office that an account or a role of this installation has already; organisations may share theirs. */
export async function findTaken(tx: Transaction): Promise<string | undefined> {
  const accounts = people.map(({ username }) => nameKey(username));
  const names = Object.values(roles).map(({ name }) => nameKey(name));
  const { rows } = await sql<{ name: string }>`SELECT username AS name FROM account
      WHERE name_key = ANY(${accounts}::text[])
    UNION ALL SELECT name FROM role WHERE name_key = ANY(${names}::text[]) LIMIT 1`.execute(tx);
  return rows[0]?.name;
}

const settingName = 'demo.places';

/** Where a newcomer is led to: ids of the register, of people and of work. */
export interface Places {
  readonly lampId: number | null;
  readonly controllerId: number | null;
  readonly commandId: number | null;
  readonly approvalId: number | null;
  readonly schemeId: number | null;
  readonly schemeNumber: number | null;
  readonly username: string | null;
  readonly importId: number | null;
}

export async function findPlaces(db: Db): Promise<Places | null> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  return (row?.value as Places | undefined) ?? null;
}

export async function putPlaces(tx: Transaction, places: Places): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name: settingName, value: JSON.stringify(places) })
    .execute();
}
