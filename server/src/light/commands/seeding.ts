import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import { longestMs, strengthOf, type Args, type CommandState, type Lane } from './commands.rules.ts';
import { insertCommand } from './giving.store.ts';
import { digestOf } from './reading.store.ts';

/** What a person gave, as a row of the past or of now. */
interface Given {
  readonly command: string;
  readonly args: Args;
  readonly lane: Lane;
  readonly at: Date;
  /** When its state ended on the lamps; null: it had no lasting effect. */
  readonly until: Date | null;
  readonly reason: string | null;
  readonly actor: { readonly id: number; readonly name: string };
  readonly scope: object;
  /** How many lamps it darkens; 0: none. */
  readonly darkens: number;
}
interface Word {
  readonly by: string;
  readonly byId: number;
  readonly at: Date;
  readonly reason: string | null;
}
interface PastItem {
  readonly deviceId: number;
  readonly viaId: number;
  readonly state: Exclude<CommandState, 'waiting' | 'queued' | 'sent' | 'acknowledged'>;
  /** One of the contract's `itemErrors`; null: it did what it was told, or nobody says why. */
  readonly error: string | null;
  /** The reading that proves it; null: none does. */
  readonly proof: { readonly level: number; readonly power: number } | null;
}

/** A command that is over, with what became of it. */
export interface PastCommand extends Given {
  readonly items: readonly PastItem[];
  readonly approval?: Word & { readonly approved: boolean };
  /** Nobody decided in time. */
  readonly lapsed?: boolean;
  readonly cancelled?: Omit<Word, 'byId'>;
}

/** ms after the command. */
const sentMs = 200;
const answeredMs = 600;
const executedMs = 700;
const provenMs = 2400;
const unansweredMs = 30_000;
const minuteMs = 60_000;

const rowOf = ({ at, lane, actor, ...given }: Given) => ({
  ...given,
  lane: strengthOf(lane),
  actorId: actor.id,
  actorName: actor.name,
  requestId: null,
  retryOf: null,
  verifies: null,
  canary: null,
  stopAt: null,
  now: at,
  expiresAt: null,
  queueEnds: new Date(at.getTime() + 2 * minuteMs),
  waitEnds: new Date(at.getTime() + longestMs),
  items: [],
  disabled: [],
});

function phaseOf({ approval, lapsed, cancelled }: PastCommand): 'running' | 'refused' | 'lapsed' | 'cancelled' {
  if (approval?.approved === false) return 'refused';
  if (lapsed) return 'lapsed';
  return cancelled ? 'cancelled' : 'running';
}

/** Writes a command of the past; its items were ended by the times that commands usually take. Returns its id. */
export async function addPastCommand(tx: Transaction, past: PastCommand): Promise<number> {
  const { approval, lapsed, cancelled, items: _items, ...given } = past;
  const asked = approval !== undefined || lapsed === true;
  const id = await insertCommand(tx, {
    ...rowOf(given),
    phase: 'running',
    approval: asked
      ? {
          digest: '',
          expiresAt: new Date(given.at.getTime() + 10 * minuteMs).toISOString(),
          approved: approval?.approved ?? null,
          ...(approval
            ? { by: approval.by, byId: approval.byId, at: approval.at.toISOString(), reason: approval.reason }
            : {}),
        }
      : null,
  });
  await tx
    .updateTable('command')
    .set({
      phase: phaseOf(past),
      cancelled: cancelled
        ? JSON.stringify({ by: cancelled.by, at: cancelled.at.toISOString(), reason: cancelled.reason })
        : null,
    })
    .where('id', '=', id)
    .execute();
  // What waited for a second person is sent when he has agreed.
  const from = approval?.approved ? approval.at : given.at;
  await insertEnded(tx, id, rowOf(given).lane, from, { ...past, until: given.until });
  return id;
}

async function insertEnded(
  tx: Transaction,
  id: number,
  lane: number,
  from: Date,
  { items, until, at, cancelled, approval }: PastCommand,
): Promise<void> {
  const after = (ms: number) => new Date(from.getTime() + ms).toISOString();
  const decidedAt = (cancelled?.at ?? approval?.at ?? new Date(at.getTime() + 10 * minuteMs)).toISOString();
  const rows = items.map(({ deviceId, viaId, state, error, proof }, index) => {
    // One after the other, as a controller takes them.
    const step = index * 40;
    const sent = !['cancelled', 'expired'].includes(state);
    const answered = state === 'confirmed' || error === 'notConfirmed' || error === 'refused';
    const end = state === 'confirmed' ? provenMs + step : answered ? answeredMs + step : unansweredMs + step;
    return {
      device: deviceId,
      via: viaId,
      state,
      error,
      sent: sent ? after(sentMs + step) : null,
      answered: sent && answered ? after(answeredMs + step) : null,
      executed: state === 'confirmed' ? after(executedMs + step) : null,
      ended: sent ? after(end) : decidedAt,
      tries: sent ? (state === 'timedOut' ? 3 : 1) : 0,
      proof: proof && { at: after(provenMs + step), ...proof, relay: proof.level > 0 },
    };
  });
  await sql`INSERT INTO command_item (command_id, device_id, via_id, state, error, lane, until, expires_at, queued_at,
      sent_at, acknowledged_at, executed_at, ended_at, tries, proof)
    SELECT ${id}, device, via, state, error, ${lane}, ${until}::timestamptz, ${after(2 * minuteMs)}::timestamptz,
      ${from}::timestamptz, sent, answered, executed, ended, tries, proof
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(device bigint, via bigint, state text, error text,
      sent timestamptz, answered timestamptz, executed timestamptz, ended timestamptz, tries smallint, proof jsonb)`.execute(
    tx,
  );
}

/** Writes a command that waits for a second person until `expiresAt`; nothing of it is sent before. Returns its id. */
export async function addWaitingCommand(
  tx: Transaction,
  {
    expiresAt,
    items,
    ...given
  }: Given & {
    readonly expiresAt: Date;
    readonly items: readonly Pick<PastItem, 'deviceId' | 'viaId'>[];
  },
): Promise<number> {
  const approval = { expiresAt: expiresAt.toISOString(), approved: null };
  const id = await insertCommand(tx, {
    ...rowOf(given),
    phase: 'awaitingApproval',
    approval,
    items: items.map((item) => ({ ...item, until: given.until, queued: false, canary: false })),
  });
  await tx
    .updateTable('command')
    .set({ approval: JSON.stringify({ ...approval, digest: await digestOf(tx, id) }) })
    .where('id', '=', id)
    .execute();
  return id;
}
