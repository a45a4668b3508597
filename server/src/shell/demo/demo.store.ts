import { sql } from 'kysely';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';

const settingName = 'demo';

/** What is kept of a seeded city. */
export interface DemoMark {
  /** Of this seeding; the handover file carries it too. */
  readonly token: string;
  readonly seed: number;
  readonly lamps: number;
  readonly workAreaId: number;
  /** The controller of the cabinet that fails each evening; null: none does, absent: an older version made the city. */
  readonly failingControllerId?: number | null;
  /** ISO 8601. */
  readonly since: string;
}

/** Held until the transaction ends: two processes never make a city at the same time. */
export const lockDemo = (tx: Transaction): Promise<void> => takeLock(tx, 'demoCity');

export async function findMark(db: Db | Transaction): Promise<DemoMark | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  return row?.value as DemoMark | undefined;
}

export async function putMark(tx: Transaction, mark: DemoMark): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name: settingName, value: JSON.stringify(mark) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: JSON.stringify(mark), updated_at: sql`now()` }),
    )
    .execute();
}

export interface AreaValues {
  readonly work_code: string;
  readonly work_name: string;
  readonly area: string;
  readonly address: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly time_zone: string;
  readonly sun_offset_minutes: number;
}

/** Gives the city an area: the untouched one of a fresh installation, else a new one. */
export async function takeArea(tx: Transaction, values: AreaValues): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM work_area a WHERE id = 1 AND version = 1 AND work_code = 'A001'
    AND NOT EXISTS (SELECT 1 FROM device WHERE work_area_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM road WHERE work_area_id = a.id) FOR UPDATE`.execute(tx);
  const fresh = rows[0]?.id;
  if (fresh === undefined)
    return (await tx.insertInto('work_area').values(values).returning('id').executeTakeFirstOrThrow()).id;
  await tx
    .updateTable('work_area')
    .set({ ...values, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', fresh)
    .execute();
  return fresh;
}

/** Inserts roads of an area in order and returns their ids. */
export async function addRoads(
  tx: Transaction,
  workAreaId: number,
  roads: readonly { code: string; name: string; roadClass: string }[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('road')
    .values(
      roads.map(({ code, name, roadClass }) => ({
        work_area_id: workAreaId,
        road_code: code,
        road_name: name,
        road_class: roadClass,
      })),
    )
    .returning(['id', 'road_code'])
    .execute();
  const byCode = new Map(rows.map((row) => [row.road_code, row.id]));
  return roads.map(({ code }) => byCode.get(code) ?? 0);
}

/** Inserts loops in order and returns their ids. */
export async function addLoops(
  tx: Transaction,
  loops: readonly {
    control_box_id: number;
    work_area_id: number;
    loop_code: string;
    loop_name: string;
    loop_number: number;
    phase: string;
    lighting: string;
    rated_current: number;
  }[],
): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO loop (control_box_id, work_area_id, loop_code, loop_name, loop_number, phase, lighting, rated_current)
    SELECT control_box_id, work_area_id, loop_code, loop_name, loop_number, phase, lighting, rated_current
    FROM ROWS FROM
      (jsonb_to_recordset(${JSON.stringify(loops)}::jsonb) AS (control_box_id bigint, work_area_id bigint,
      loop_code text, loop_name text, loop_number int, phase text, lighting text, rated_current float8)) WITH ORDINALITY
      AS x ORDER BY x.ordinality RETURNING id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function addGroups(
  tx: Transaction,
  workAreaId: number,
  groups: readonly { code: string; name: string; family: string }[],
): Promise<Map<string, number>> {
  const rows = await tx
    .insertInto('equipment_group')
    .values(
      groups.map(({ code, name, family }) => ({
        work_area_id: workAreaId,
        group_code: code,
        group_name: name,
        family,
      })),
    )
    .returning(['id', 'group_code'])
    .execute();
  const byCode = new Map(rows.map((row) => [row.group_code, row.id]));
  return new Map(groups.map(({ code, name }) => [name, byCode.get(code) ?? 0]));
}

/** Inserts channels of an area and returns their ids by code. */
export async function addChannels(
  tx: Transaction,
  workAreaId: number,
  channels: readonly { code: string; name: string; protocol: string; host: string; port: number }[],
): Promise<Map<string, number>> {
  const rows = await tx
    .insertInto('channel')
    .values(
      channels.map(({ code, name, protocol, host, port }) => ({
        work_area_id: workAreaId,
        channel_code: code,
        channel_name: name,
        protocol,
        host,
        port,
      })),
    )
    .returning(['id', 'channel_code'])
    .execute();
  return new Map(rows.map((row) => [row.channel_code, row.id]));
}

export async function findSunOffset(db: Db, workAreaId: number): Promise<number> {
  return (
    (await db.selectFrom('work_area').select('sun_offset_minutes').where('id', '=', workAreaId).executeTakeFirst())
      ?.sun_offset_minutes ?? 0
  );
}

export async function putSunOffset(tx: Transaction, workAreaId: number, minutes: number): Promise<void> {
  await tx
    .updateTable('work_area')
    .set({ sun_offset_minutes: minutes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', workAreaId)
    .where('sun_offset_minutes', '<>', minutes)
    .execute();
}

/** Ids of the city's devices by code, for a handover file that was lost. */
export async function findDeviceIds(tx: Transaction, workAreaId: number): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('device')
    .select(['id', 'equipment_code'])
    .where('work_area_id', '=', workAreaId)
    .where('family', '<>', 'lamp-pole')
    .execute();
  return new Map(rows.map((row) => [row.equipment_code, row.id]));
}
