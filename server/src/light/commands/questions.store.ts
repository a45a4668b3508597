import type { commandLanes } from '../../../../contract/light/commands.ts';
import type { Transaction } from '../../platform/db/index.ts';
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

/** Adds devices to a question, or begins one with them; at least one. Returns its command. */
export async function addToQuestion(
  tx: Transaction,
  known: number | null,
  { command, by, scope, now, expiresAt }: Question,
  devices: readonly Asked[],
): Promise<number> {
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
  await lockQueue(tx);
  await readyPaces(tx, items);
  return id;
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
