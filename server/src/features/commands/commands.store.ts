import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { missedStates, openStates, type Args, type CommandState, type Proof } from './commands.rules.ts';

export interface Target { readonly id: number; readonly family: string; readonly workAreaId: number; readonly enabled: boolean; readonly visible: boolean }
/** These devices, each with whether the caller sees it. */
export async function findTargets(db: Db, ids: readonly number[], visible: RawBuilder<SqlBool>): Promise<Target[]> {
  const { rows } = await sql<Target>`SELECT d.id, d.family, d.work_area_id AS "workAreaId", d.enabled, ${visible} AS visible FROM device d WHERE d.id = ANY(${ids as number[]}::bigint[]) ORDER BY d.id`.execute(db);
  return rows;
}

export interface Scope { readonly roadId?: number | undefined; readonly groupId?: number | undefined; readonly controllerId?: number | undefined }
/** The enabled devices of these families in a scope, as far as the caller sees them. */
export async function findInScope(db: Db, scope: Scope, families: readonly string[], visible: RawBuilder<SqlBool>, limit: number): Promise<Target[]> {
  const only = (column: string, id: number | undefined) => (id === undefined ? sql`` : sql` AND ${sql.ref(column)} = ${id}`);
  const { rows } = await sql<Target>`SELECT d.id, d.family, d.work_area_id AS "workAreaId", d.enabled, true AS visible FROM device d
    WHERE d.enabled AND d.family = ANY(${families as string[]}::text[]) AND ${visible}${only('d.road_id', scope.roadId)}${only('d.group_id', scope.groupId)}${only('d.parent_id', scope.controllerId)}
    ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** The work areas of the road, the group and the controller of a scope; null for one that does not exist. */
export async function findScopeAreas(db: Db, { roadId, groupId, controllerId }: Scope): Promise<(number | null)[]> {
  const asked = [['road', roadId], ['equipment_group', groupId], ['device', controllerId]] as const;
  const parts = asked.flatMap(([table, id]) => (id === undefined ? [] : [sql`SELECT (SELECT work_area_id FROM ${sql.table(table)} WHERE id = ${id}) AS area`]));
  const { rows } = await sql<{ area: number | null }>`${sql.join(parts, sql` UNION ALL `)}`.execute(db);
  return rows.map((row) => row.area);
}

export interface NewCommand {
  readonly command: string; readonly args: Args; readonly until: Date | null; readonly reason: string | null;
  readonly actorId: number; readonly actorName: string; readonly scope: object; readonly now: Date; readonly expiresAt: Date;
  readonly items: readonly { readonly deviceId: number; readonly until: Date | null }[];
  /** Devices taken out of use: nothing is sent to them, and their items say so from the start. */
  readonly disabled: readonly number[];
}
export interface Changed { readonly commandId: number; readonly deviceId: number }

/**
 * Writes a command with its queued items and supersedes what is still open of the same kind (a state to take, or a reading to
 * send) for the same devices. Returns its id and the superseded items.
 */
export async function insertCommand(tx: Transaction, input: NewCommand): Promise<{ id: number; superseded: Changed[] }> {
  // Two commands for one lamp at the same moment must see each other.
  await sql`SELECT pg_advisory_xact_lock(704702)`.execute(tx);
  const { id } = await tx.insertInto('command').values({
    command: input.command, args: JSON.stringify(input.args), until: input.until, reason: input.reason,
    actor_id: input.actorId, actor_name: input.actorName, scope: JSON.stringify(input.scope), created_at: input.now,
  }).returning('id').executeTakeFirstOrThrow();
  const ids = input.items.map((item) => item.deviceId);
  await sql`INSERT INTO command_item (command_id, device_id, until, expires_at, queued_at)
    SELECT ${id}, device_id, until, ${input.expiresAt}, ${input.now}
    FROM unnest(${ids}::bigint[], ${input.items.map((item) => item.until?.toISOString() ?? null)}::timestamptz[]) AS x(device_id, until)`.execute(tx);
  await sql`INSERT INTO command_item (command_id, device_id, state, error, expires_at, queued_at, ended_at)
    SELECT ${id}, device_id, 'failed', 'disabled', ${input.expiresAt}, ${input.now}, ${input.now} FROM unnest(${[...input.disabled]}::bigint[]) AS x(device_id)`.execute(tx);
  // Locked in the order in which the ingest locks them too, so that neither waits for the other in a circle.
  const { rows } = await sql<Changed>`UPDATE command_item i SET state = 'superseded', ended_at = ${input.now}
    FROM (SELECT i.command_id, i.device_id FROM command_item i JOIN command c ON c.id = i.command_id
      WHERE i.command_id <> ${id} AND i.device_id = ANY(${ids}::bigint[]) AND i.state IN ('queued', 'sent', 'acknowledged') AND (c.command = 'read') = ${input.command === 'read'}
      ORDER BY i.command_id, i.device_id FOR UPDATE OF i) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
    RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(tx);
  return { id, superseded: rows };
}

export interface StoredCommand {
  readonly id: number; readonly command: string; readonly args: Record<string, unknown>; readonly until: Date | null; readonly reason: string | null;
  readonly actorName: string; readonly createdAt: Date; readonly total: number; readonly states: Record<string, number>;
}
export interface StoredItem {
  readonly deviceId: number; readonly code: string; readonly name: string | null; readonly state: CommandState; readonly queuedAt: Date; readonly sentAt: Date | null;
  readonly acknowledgedAt: Date | null; readonly endedAt: Date | null; readonly until: Date | null; readonly error: string | null; readonly proof: Proof | null;
}

const itemColumns = sql`i.device_id AS "deviceId", d.equipment_code AS code, d.equipment_name AS name, i.state, i.queued_at AS "queuedAt", i.sent_at AS "sentAt",
  i.acknowledged_at AS "acknowledgedAt", i.ended_at AS "endedAt", i.until, i.error, i.proof`;
const commandColumns = sql`c.id, c.command, c.args, c.until, c.reason, c.actor_name AS "actorName", c.created_at AS "createdAt"`;
/** Counts of the items the caller sees. */
const counted = (visible: RawBuilder<SqlBool>) => sql`LATERAL (SELECT sum(n)::int AS total, jsonb_object_agg(state, n) AS states FROM (
  SELECT i.state, count(*)::int AS n FROM command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = c.id AND ${visible} GROUP BY i.state) s) s`;

/** Commands that touch devices the caller sees, newest first; with `deviceId` those of one device, each with its item. */
export async function findPage(db: Db, visible: RawBuilder<SqlBool>, deviceId: number | undefined, page: { limit: number; offset: number }) {
  const where = seen(visible, deviceId);
  const { rows } = await sql<StoredCommand & { item: (Omit<StoredItem, 'queuedAt' | 'sentAt' | 'acknowledgedAt' | 'endedAt' | 'until'> & Record<string, unknown>) | null }>`
    SELECT ${commandColumns}, s.total, s.states, ${deviceId === undefined ? sql`NULL::jsonb` : sql`(SELECT to_jsonb(x) FROM (SELECT ${itemColumns} FROM command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = c.id AND i.device_id = ${deviceId}) x)`} AS item
    FROM (SELECT * FROM command c WHERE ${where} ORDER BY c.id DESC LIMIT ${page.limit} OFFSET ${page.offset}) c CROSS JOIN ${counted(visible)} ORDER BY c.id DESC`.execute(db);
  return rows;
}

const seen = (visible: RawBuilder<SqlBool>, deviceId: number | undefined) => sql<SqlBool>`EXISTS (SELECT 1 FROM command_item i JOIN device d ON d.id = i.device_id
  WHERE i.command_id = c.id AND ${visible}${deviceId === undefined ? sql`` : sql` AND i.device_id = ${deviceId}`})`;

export async function countCommands(db: Db, visible: RawBuilder<SqlBool>, deviceId: number | undefined, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (SELECT 1 FROM command c WHERE ${seen(visible, deviceId)} LIMIT ${limit}) x`.execute(db);
  return rows[0]?.n ?? 0;
}

/** One command with the counts of what the caller sees of it; `total` null: nothing of it. */
export async function findOne(db: Db, id: number, visible: RawBuilder<SqlBool>): Promise<(Omit<StoredCommand, 'total'> & { total: number | null }) | undefined> {
  const { rows } = await sql<Omit<StoredCommand, 'total'> & { total: number | null }>`SELECT ${commandColumns}, s.total, s.states FROM command c CROSS JOIN ${counted(visible)} WHERE c.id = ${id}`.execute(db);
  return rows[0];
}

/** Items of a command: what went wrong first, then what is open, then the rest; by code. */
export async function findItems(db: Db, id: number, visible: RawBuilder<SqlBool>, page: { limit: number; offset: number }): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`SELECT ${itemColumns} FROM command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = ${id} AND ${visible}
    ORDER BY CASE WHEN i.state = ANY(${[...missedStates]}::text[]) THEN 0 WHEN i.state = ANY(${[...openStates]}::text[]) THEN 1 WHEN i.state = 'superseded' THEN 2 ELSE 3 END,
      d.equipment_code COLLATE natural_order, i.device_id LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  return rows;
}

/** The devices of a command that failed, timed out or expired, as far as the caller sees them. */
export async function findMissed(db: Db, id: number, visible: RawBuilder<SqlBool>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM command_item i JOIN device d ON d.id = i.device_id
    WHERE i.command_id = ${id} AND i.state = ANY(${[...missedStates]}::text[]) AND ${visible} ORDER BY d.id`.execute(db);
  return rows.map((row) => row.id);
}
