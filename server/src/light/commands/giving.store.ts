import { sql } from 'kysely';
import { takeLock, takeLockOf, type Db, type Transaction } from '../../platform/db/index.ts';
import { longestMs, questionLane, type Args } from './commands.rules.ts';
import type { Changed } from './changes.ts';
import { inHands } from './hands.store.ts';

export interface NewItem {
  readonly deviceId: number;
  readonly viaId: number;
  readonly until: Date | null;
  /** Goes now; else it waits for its turn. */
  readonly queued: boolean;
  readonly canary: boolean;
}
export interface NewCommand {
  readonly command: string;
  readonly args: Args;
  readonly lane: number;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly actorId: number;
  readonly actorName: string;
  readonly scope: object;
  readonly requestId: string | null;
  readonly retryOf: number | null;
  readonly verifies: number | null;
  /** How many lamps it darkens; 0: none. */
  readonly darkens: number;
  readonly phase: 'awaitingApproval' | 'staged' | 'running';
  readonly canary: object | null;
  readonly stopAt: object | null;
  readonly approval: object | null;
  readonly now: Date;
  /** Given by the caller; nothing is executed after it. */
  readonly expiresAt: Date | null;
  /** Until when the queued ones and the waiting ones may be sent. */
  readonly queueEnds: Date;
  readonly waitEnds: Date;
  readonly items: readonly NewItem[];
  /** Devices taken out of use: nothing is sent to them, and their items say so from the start. */
  readonly disabled: readonly number[];
}

/**
 * Two commands for one lamp at the same moment must see each other: whoever puts items into the queue does it alone,
 * and not for longer than one step of them takes. Taken before the rows of other commands; one's own, new or locked,
 * may be there already.
 */
export async function lockQueue(tx: Transaction): Promise<void> {
  await takeLock(tx, 'commandQueue');
}

/**
 * The same request that comes twice at once is written once, also while it is so large that the queue is not locked for
 * it. Before the queue's lock.
 */
export async function lockRequest(tx: Transaction, actorId: number, requestId: string | null): Promise<void> {
  if (requestId !== null) await takeLockOf(tx, 'request', `${actorId} ${requestId}`);
}

export interface MadeBefore {
  readonly id: number;
  readonly command: string;
  readonly args: Args;
  readonly lane: number;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly retryOf: number | null;
  readonly verifies: number | null;
  readonly phase: string;
  readonly total: number;
  /** How many of the devices that are named now it was not for. */
  readonly strange: number;
}
/** The command that the same request made before, if it did. */
export async function findRequest(
  db: Db | Transaction,
  actorId: number,
  requestId: string,
  deviceIds: readonly number[] = [],
) {
  const { rows } = await sql<MadeBefore>`SELECT id, command, args, lane, scope, retry_of AS "retryOf", verifies, phase,
      (SELECT count(*)::int FROM command_item WHERE command_id = c.id) AS total,
      (SELECT count(*)::int FROM unnest(${[...deviceIds]}::bigint[]) asked(id)
        WHERE NOT EXISTS (SELECT 1 FROM command_item i WHERE i.command_id = c.id AND i.device_id = asked.id)) AS strange
    FROM command c WHERE actor_id = ${actorId} AND request_id = ${requestId}`.execute(db);
  return rows[0];
}

/**
 * Writes a command with its items; returns its id. What is queued at once is to be given its precedence, under the
 * queue's lock from before this.
 */
export async function insertCommand(tx: Transaction, input: NewCommand): Promise<number> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const { id } = await tx
    .insertInto('command')
    .values({
      command: input.command,
      args: JSON.stringify(input.args),
      lane: input.lane,
      until: input.until,
      reason: input.reason,
      actor_id: input.actorId,
      actor_name: input.actorName,
      scope: JSON.stringify(input.scope),
      created_at: input.now,
      request_id: input.requestId,
      retry_of: input.retryOf,
      verifies: input.verifies,
      phase: input.phase,
      canary: json(input.canary),
      stop_at: json(input.stopAt),
      approval: json(input.approval),
      expires_at: input.expiresAt,
      counted_from: input.stopAt ? input.now : null,
      darkens: input.darkens,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertItems(tx, id, input);
  await insertDisabled(tx, id, input);
  return id;
}

/** Further items of a command. */
export async function insertItems(
  tx: Transaction,
  id: number,
  { items, lane, queueEnds, waitEnds, now }: Pick<NewCommand, 'items' | 'lane' | 'queueEnds' | 'waitEnds' | 'now'>,
): Promise<void> {
  await sql`INSERT INTO command_item (command_id, device_id, state, lane, via_id, canary, until, expires_at, queued_at)
    SELECT ${id}, device_id, CASE WHEN queued THEN 'queued' ELSE 'waiting' END, ${lane}, via_id, canary, until,
      least(CASE WHEN queued THEN ${queueEnds}::timestamptz ELSE ${waitEnds}::timestamptz END, until), ${now}
    FROM unnest(${items.map((item) => item.deviceId)}::bigint[], ${items.map((item) => item.viaId)}::bigint[],
      ${items.map((item) => item.until?.toISOString() ?? null)}::timestamptz[],
      ${items.map((item) => item.queued)}::boolean[], ${items.map((item) => item.canary)}::boolean[])
        AS x(device_id, via_id, until, queued, canary)`.execute(tx);
}

async function insertDisabled(
  tx: Transaction,
  id: number,
  { disabled, lane, queueEnds, now }: NewCommand,
): Promise<void> {
  if (disabled.length === 0) return;
  await sql`INSERT INTO command_item (command_id, device_id, state, error, lane, expires_at, queued_at, ended_at)
    SELECT ${id}, device_id, 'failed', 'disabled', ${lane}, ${queueEnds}, ${now}, ${now}
      FROM unnest(${[...disabled]}::bigint[]) AS x(device_id)`.execute(tx);
}

/** A row of its pace for every gateway that these are spoken to through. */
export async function readyPaces(tx: Transaction, items: readonly NewItem[]): Promise<void> {
  const gateways = new Set(items.map((item) => item.viaId).filter((via) => via !== 0));
  if (gateways.size === 0) return;
  await sql`INSERT INTO command_pace (device_id) SELECT via FROM unnest(${[...gateways]}::bigint[]) AS x(via)
    WHERE EXISTS (SELECT 1 FROM device WHERE id = via) ORDER BY via ON CONFLICT DO NOTHING`.execute(tx);
}

export interface Precedence {
  readonly id: number;
  readonly lane: number;
  readonly isRead: boolean;
  readonly now: Date;
}

/**
 * What a command's queued items mean for others of the same kind (a state to take, or a reading to send): they give way
 * to a stronger state that is open or in force on their lamp, and weaker or equal open items give way to them, as do
 * stronger ones that would not be in force: so one lamp has one state on its way at a time. Under the queue's lock.
 */
export async function takePrecedence(tx: Transaction, { id, lane, isRead, now }: Precedence): Promise<Changed[]> {
  const yielded = !isRead && (await isStrongerInForce(tx, lane, now)) ? await giveWay(tx, id, lane, now) : [];
  // What is open is looked up lamp by lamp (OFFSET 0: no plan may do otherwise). Statistics of a quiet night say that
  // nothing is, and then all that is open was looked through for each lamp, under the lock that an emergency waits for.
  // Locked in the order in which the ingest locks them too, so that neither waits for the other in a circle.
  const { rows } =
    await sql<Changed>`UPDATE command_item i SET state = 'superseded', ended_at = ${now}, in_hand = i.state IN ('queued', 'sent') AND ${inHands(now, 'i')}
    FROM (SELECT i.command_id, i.device_id FROM (SELECT o.command_id, o.device_id FROM command_item own CROSS JOIN LATERAL (
          SELECT command_id, device_id FROM command_item WHERE device_id = own.device_id AND ended_at IS NULL AND state IN ('waiting', 'queued', 'sent', 'acknowledged') AND command_id <> ${id} OFFSET 0) o
        WHERE own.command_id = ${id} AND own.state = 'queued' OFFSET 0) k
      JOIN command_item i ON i.command_id = k.command_id AND i.device_id = k.device_id
      JOIN command c ON c.id = k.command_id
      WHERE (i.state || '') IN ('waiting', 'queued', 'sent', 'acknowledged') AND (c.lane = ${questionLane}) = ${isRead}
        AND (i.lane >= ${lane} OR (i.state IN ('queued', 'sent') AND coalesce(i.until <= ${now}, true)))
        -- A later word that still waits (for its turn, for a second person) gives way to nothing: it is looked at again when it is released.
        AND (i.state <> 'waiting' OR i.command_id < ${id} OR (i.lane > ${lane} AND c.phase <> 'awaitingApproval'))
      ORDER BY i.command_id, i.device_id FOR UPDATE OF i) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
    RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(tx);
  return [...yielded, ...rows];
}

/**
 * The first command that can still be in force. Not `min(id)`: that walks all commands there ever were from the first
 * on.
 */
export const firstInForce = (now: Date) =>
  sql<{
    id: number;
  }>`SELECT coalesce(min(id + 0), 0) AS id FROM command WHERE created_at > ${new Date(now.getTime() - longestMs)}`;

/** Whether anything stronger can be in force on any lamp: else none is asked whether it is on it. */
async function isStrongerInForce(tx: Transaction, lane: number, now: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM command WHERE lane < ${lane} AND until > ${now} LIMIT 1`.execute(tx);
  return rows.length > 0;
}

/**
 * A stronger state counts while it is on its way, or executed, not over, and not replaced by another of its strength.
 */
async function giveWay(tx: Transaction, id: number, lane: number, now: Date): Promise<Changed[]> {
  const { rows } =
    await sql<Changed>`UPDATE command_item own SET state = 'superseded', error = 'strongerInForce', ended_at = ${now}
    WHERE own.command_id = ${id} AND own.state = 'queued' AND EXISTS (SELECT 1 FROM command_item e
      WHERE e.device_id = own.device_id AND e.until > ${now} AND e.lane < ${lane}
        -- Nothing lasts longer than a day: the index by device leads to these alone.
        AND e.command_id >= (${firstInForce(now)})
        AND (e.state IN ('queued', 'sent', 'acknowledged') OR e.executed_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM command_item f JOIN command c ON c.id = f.command_id
          WHERE f.device_id = e.device_id AND f.command_id > e.command_id AND f.lane <= e.lane AND f.executed_at IS NOT NULL AND c.lane <> ${questionLane}))
    RETURNING own.command_id AS "commandId", own.device_id AS "deviceId"`.execute(tx);
  return rows;
}

export interface Release extends Precedence {
  readonly limit: number;
  readonly canary: boolean;
  /** Until when they may be sent. */ readonly ends: Date;
}
/**
 * Puts waiting items into the queue; under the queue's lock and that of the command's row. `released`: how many of
 * them.
 */
export async function releaseItems(
  tx: Transaction,
  { limit, canary, ends, ...command }: Release,
): Promise<{ released: number; changes: Changed[] }> {
  const { rows } =
    await sql<Changed>`UPDATE command_item i SET queued_at = ${command.now}, expires_at = least(${ends}::timestamptz, i.until),
      -- What would be over already (in an area where the sun rose meanwhile) is not sent and replaces nothing.
      state = CASE WHEN i.until <= ${command.now} THEN 'expired' ELSE 'queued' END, error = CASE WHEN i.until <= ${command.now} THEN 'notSent' END, ended_at = CASE WHEN i.until <= ${command.now} THEN ${command.now}::timestamptz END
    FROM (SELECT command_id, device_id FROM command_item WHERE command_id = ${command.id} AND state = 'waiting'${canary ? sql` AND canary` : sql``} ORDER BY device_id LIMIT ${limit} FOR UPDATE) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(
      tx,
    );
  return { released: rows.length, changes: [...rows, ...(await takePrecedence(tx, command))] };
}
