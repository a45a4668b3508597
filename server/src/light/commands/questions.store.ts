import { sql } from 'kysely';
import type { commandLanes } from '../../../../contract/light/commands.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { strengthOf } from './commands.rules.ts';
import { insertCommand, insertItems, lockQueue, readyPaces } from './giving.store.ts';

/** A question that the program asks of many devices: written in parts, and sent when all of it is there. */
interface Question {
  readonly command: 'read';
  /** Who asks, as the list of commands names it. */
  readonly by: string;
  readonly scope: { readonly workAreaId: number; readonly names: readonly string[] };
  readonly now: Date;
  /** Nobody is asked after it. */
  readonly expiresAt: Date;
}
interface Asked {
  readonly id: number;
  /** The controller it is spoken to through; 0: none. */
  readonly viaId: number;
}

const lane: (typeof commandLanes)[number] = 'read';
/** No account has this number: the program asks. */
const program = 0;

/**
 * Adds devices to a question, or begins one with them; at least one. Returns its command; null: it does not take any
 * more, as somebody cancelled it.
 */
export async function addToQuestion(
  tx: Transaction,
  known: number | null,
  { command, by, scope, now, expiresAt }: Question,
  devices: readonly Asked[],
): Promise<number | null> {
  if (known !== null && !(await isOpen(tx, known))) return null;
  await lockQueue(tx);
  const items = devices.map(({ id, viaId }) => ({ deviceId: id, viaId, until: null, queued: false, canary: false }));
  const part = { items, lane: strengthOf(lane), queueEnds: expiresAt, waitEnds: expiresAt, now };
  const id =
    known ??
    (await insertCommand(tx, {
      ...part,
      command,
      args: {},
      until: null,
      reason: null,
      actorId: program,
      actorName: by,
      scope,
      requestId: null,
      retryOf: null,
      verifies: null,
      darkens: 0,
      // Until all of it is there nothing of it goes.
      phase: 'running',
      canary: null,
      stopAt: null,
      approval: null,
      expiresAt,
      disabled: [],
    }));
  if (known !== null) await insertItems(tx, known, part);
  await readyPaces(tx, items);
  return id;
}

/** Whether a question takes devices; its row is held. */
async function isOpen(tx: Transaction, id: number): Promise<boolean> {
  const row = await tx.selectFrom('command').select('phase').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row?.phase === 'running';
}

/** Lets a question go, in steps and at the pace of the gateways. */
export async function releaseQuestion(tx: Transaction, id: number): Promise<void> {
  await tx
    .updateTable('command')
    .set({ phase: 'staged' })
    .where('id', '=', id)
    .where('phase', '=', 'running')
    .execute();
}

/**
 * Some of the items of a question that is over go: what it came to stands in its command. True: nothing is left to do
 * now; false: there are more.
 */
export async function pruneQuestion(db: Db, id: number, limit: number): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM command_item i USING (SELECT k.command_id, k.device_id
      FROM command c JOIN command_item k ON k.command_id = c.id
      WHERE c.id = ${id} AND c.actor_id = ${program} AND c.counts IS NOT NULL AND NOT k.in_hand LIMIT ${limit}) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id`.execute(db);
  return Number(numAffectedRows ?? 0) < limit;
}
