import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import type { AskedSimulation, Outcome } from './simulations.types.ts';

export interface StoredSimulation {
  readonly id: number;
  readonly accountId: number;
  readonly taskId: number;
  readonly asked: AskedSimulation;
  readonly createdAt: Date;
  readonly resultId: number | null;
}
export interface StoredResult {
  readonly outcome: Outcome;
  readonly levelsA: Buffer;
  readonly levelsB: Buffer;
  readonly madeAt: Date;
}

/** The id that the next simulation gets: its task is begun with it. */
export async function nextId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('plan_simulation', 'id')) AS id`.execute(db);
  return Number(rows[0]?.id);
}

export async function insertSimulation(
  tx: Transaction,
  { id, accountId, taskId, asked, createdAt }: Omit<StoredSimulation, 'resultId'>,
): Promise<void> {
  await sql`INSERT INTO plan_simulation (id, account_id, task_id, asked, created_at)
    VALUES (${id}, ${accountId}, ${taskId}, ${JSON.stringify(asked)}::jsonb, ${createdAt})`.execute(tx);
}

/** Requests from before, and results that nobody asks for any more. */
export async function deleteBefore(tx: Transaction, before: Date): Promise<void> {
  await sql`DELETE FROM plan_simulation WHERE created_at < ${before}`.execute(tx);
  await sql`DELETE FROM plan_simulation_result r WHERE r.made_at < ${before}
    AND NOT EXISTS (SELECT FROM plan_simulation s WHERE s.result_id = r.id)`.execute(tx);
}

export async function findSimulation(db: Db, id: number): Promise<StoredSimulation | undefined> {
  const { rows } = await sql<StoredSimulation>`SELECT id, account_id AS "accountId", task_id AS "taskId", asked,
    created_at AS "createdAt", result_id AS "resultId" FROM plan_simulation WHERE id = ${id}`.execute(db);
  return rows[0];
}

export async function findResult(db: Db, id: number): Promise<StoredResult | undefined> {
  const { rows } = await sql<StoredResult>`SELECT outcome, levels_a AS "levelsA", levels_b AS "levelsB",
    made_at AS "madeAt" FROM plan_simulation_result WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Gives a simulation the result of its key; false: there is none yet. */
export async function takeResult(db: Db, simulationId: number, key: string): Promise<boolean> {
  const { rows } = await sql`UPDATE plan_simulation s SET result_id = r.id FROM plan_simulation_result r
    WHERE s.id = ${simulationId} AND r.key = ${key} RETURNING 1`.execute(db);
  return rows.length > 0;
}

export interface NewResult {
  readonly key: string;
  readonly outcome: Outcome;
  readonly levels: Readonly<Record<'a' | 'b', Uint8Array>>;
  /** The lamps of a finding by its place, as the database takes them. */
  readonly lampsOf: (place: number) => Buffer;
  readonly at: Date;
}

/** Keeps a result; one that another process made meanwhile stays. */
export async function putResult(db: Db, simulationId: number, result: NewResult): Promise<void> {
  const { key, outcome, levels, lampsOf, at } = result;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO plan_simulation_result (key, outcome, levels_a, levels_b, made_at)
      VALUES (${key}, ${JSON.stringify(outcome)}::jsonb, ${Buffer.from(levels.a)}, ${Buffer.from(levels.b)}, ${at})
      ON CONFLICT (key) DO NOTHING RETURNING id`.execute(tx);
    const id = rows[0]?.id;
    if (id !== undefined)
      for (const place of outcome.findings.keys())
        await sql`INSERT INTO plan_simulation_finding (result_id, place, lamps)
          VALUES (${id}, ${place}, ${lampsOf(place)}::bigint[])`.execute(tx);
  });
  await takeResult(db, simulationId, key);
}

export interface FindingLamp {
  readonly id: number;
  readonly code: string;
  readonly name: string | null;
  readonly roadId: number | null;
  readonly roadName: string | null;
}

/** A page of the lamps of a finding that the caller sees now; undefined: there is no such finding. */
export async function findLamps(
  db: Db,
  caller: DeviceScope,
  { resultId, place, page, size }: { resultId: number; place: number; page: number; size: number },
): Promise<{ readonly lamps: readonly FindingLamp[]; readonly count: number } | undefined> {
  const { rows: found } = await sql<{ count: number }>`SELECT (SELECT count(*)::int FROM device d
      WHERE d.id = ANY(f.lamps) AND ${visibleDevices(caller)}) AS count
    FROM plan_simulation_finding f WHERE f.result_id = ${resultId} AND f.place = ${place}`.execute(db);
  if (!found[0]) return undefined;
  const { rows } = await sql<FindingLamp>`SELECT d.id, d.equipment_code AS code, d.equipment_name AS name,
      d.road_id AS "roadId", r.road_name AS "roadName"
    FROM device d LEFT JOIN road r ON r.id = d.road_id
    WHERE d.id = ANY((SELECT lamps FROM plan_simulation_finding
      WHERE result_id = ${resultId} AND place = ${place})::bigint[]) AND ${visibleDevices(caller)}
    ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${size} OFFSET ${page * size}`.execute(db);
  return { lamps: rows, count: found[0].count };
}
