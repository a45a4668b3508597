import { sql } from 'kysely';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { cancelCommand, decideCommand, resumeCommand } from '../../../../contract/light/commands.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseWithout,
  type FieldProblem,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { announceChanges, announceCommand, type Changed } from './changes.ts';
import { isOverdue } from './commands.rules.ts';
import { digestOf } from './reading.store.ts';
import { leaseSeconds } from './hands.store.ts';
import { foundWhole } from './sight.ts';

export interface ControlParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Told after the commit that something may go. */ readonly queued: () => void;
}
type Ctx = Pick<RequestContext, 'caller' | 'change'>;

/** Who refuses says why. */
const decisionProblems = ({ approved, reason }: Sound<BodyOf<typeof decideCommand>>): FieldProblem[] =>
  approved === false && !reason?.trim() ? [{ field: 'reason', rule: 'required' }] : [];

/** What people decide about a command that was given: that it stops, goes on, or may go at all. */
export function createControl({ db, clock, bus, queued }: ControlParts) {
  function tell(id: number, changes: readonly Changed[]): void {
    announceChanges(bus, changes);
    announceCommand(bus, id);
  }

  return {
    /** Ends what is not yet sent; again: changes nothing and tells the same. */
    async cancel(
      { caller, change }: Ctx,
      id: number,
      { reason }: BodyOf<typeof cancelCommand>,
    ): Promise<ReplyOf<typeof cancelCommand>> {
      await foundWhole(db, caller, id);
      const now = clock.now();
      const changes = await change({ action: 'command.cancel' }, async (tx) => {
        const phase = await lockPhase(tx, id);
        if (!stoppable.has(phase)) return [];
        const ended = await endUnsent(tx, id, now, 'cancelled');
        const open = await countIn(tx, id, ['queued', 'sent', 'acknowledged']);
        if (ended.length + open > 0)
          await tx
            .updateTable('command')
            .set({
              phase: 'cancelled',
              cancelled: JSON.stringify({ by: caller.username, at: now.toISOString(), reason: reason.trim() }),
            })
            .where('id', '=', id)
            .execute();
        return ended;
      });
      tell(id, changes);
      return {
        cancelled: await countIn(db, id, ['cancelled']),
        onTheWay: await countIn(db, id, ['queued', 'sent', 'acknowledged']),
      };
    },

    /** Sends the rest of what was halted. */
    async resume(
      { caller, change }: Ctx,
      id: number,
      { reason }: BodyOf<typeof resumeCommand>,
    ): Promise<ReplyOf<typeof resumeCommand>> {
      const command = await foundWhole(db, caller, id);
      if (command.lane === 0 && !caller.permissions.has('lamp.emergency')) throw refuseWithout('lamp.emergency');
      const released = await change({ action: 'command.resume', params: { id, reason } }, async (tx) => {
        if ((await lockPhase(tx, id)) !== 'halted') throw refuse('commandNotHalted');
        await tx
          .updateTable('command')
          .set({ phase: 'staged', halted: null, counted_from: clock.now() })
          .where('id', '=', id)
          .execute();
        return countIn(tx, id, ['waiting']);
      });
      announceCommand(bus, id);
      queued();
      return { released };
    },

    /** What the rules say of a decision, for whom it is refused: everything at once. */
    decisionProblems,

    /** A second person's word: both names stand in the operation log. */
    async decide(
      { caller, change }: Ctx,
      id: number,
      { approved, digest, reason }: BodyOf<typeof decideCommand>,
    ): Promise<ReplyOf<typeof decideCommand>> {
      const command = await foundWhole(db, caller, id);
      if (command.actorId === caller.accountId) throw refuse('ownCommand');
      const problems = decisionProblems({ approved, reason });
      if (problems.length > 0) throw refuse('reasonNeeded', {}, { fields: problems });
      const now = clock.now();
      const phase = approved ? ('staged' as const) : ('refused' as const);
      const action = approved ? 'command.approve' : 'command.refuse';
      const changes = await change(
        {
          action,
          params: {
            id,
            askedBy: command.actorName,
            command: command.command,
            args: command.args,
            devices: command.total,
            reason: reason ?? null,
          },
        },
        async (tx) => {
          const row = await tx
            .selectFrom('command')
            .select(['phase', 'approval', 'canary'])
            .where('id', '=', id)
            .forNoKeyUpdate()
            .executeTakeFirst();
          if (row?.phase === 'lapsed' || (row?.phase === 'awaitingApproval' && isOverdue(row, clock.now())))
            throw refuse('approvalExpired');
          if (row?.phase !== 'awaitingApproval') throw refuse('notAwaitingApproval');
          // What is approved is what was looked at; a refusal needs no second look.
          if (approved && (await digestOf(tx, id)) !== digest) throw refuse('changedMeanwhile');
          await tx
            .updateTable('command')
            .set({
              phase,
              approval: JSON.stringify({
                ...row.approval,
                digest,
                approved,
                by: caller.username,
                byId: caller.accountId,
                at: now.toISOString(),
                reason: reason?.trim() || null,
              }),
              ...(row.canary && approved
                ? { canary: JSON.stringify({ ...row.canary, began: now.toISOString() }) }
                : {}),
              counted_from: now,
            })
            .where('id', '=', id)
            .execute();
          return approved ? [] : endUnsent(tx, id, now, 'cancelled', 'approvalRefused');
        },
      );
      tell(id, changes);
      if (approved) queued();
      return { state: approved ? 'running' : 'refused' };
    },
  };
}

const stoppable = new Set(['awaitingApproval', 'staged', 'running', 'halted']);

async function lockPhase(tx: Transaction, id: number): Promise<string> {
  const row = await tx.selectFrom('command').select('phase').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row?.phase ?? '';
}

async function countIn(db: Db | Transaction, id: number, states: string[]): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM command_item WHERE command_id = ${id} AND state = ANY(${states}::text[])`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/**
 * What nobody is just sending ends; what somebody took to send is on its way, and ends by itself (or here, by the
 * dispatcher, when it could not be sent).
 */
async function endUnsent(
  tx: Transaction,
  id: number,
  now: Date,
  state: 'cancelled',
  error: string | null = null,
): Promise<Changed[]> {
  const { rows } = await sql<Changed>`UPDATE command_item i SET state = ${state}, error = ${error}, ended_at = ${now}
    FROM (SELECT command_id, device_id FROM command_item WHERE command_id = ${id} AND (state = 'waiting'
      OR (state = 'queued'
        AND (claimed_at IS NULL OR claimed_at < ${now}::timestamptz - make_interval(secs => ${leaseSeconds}))))
        ORDER BY device_id FOR UPDATE) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(tx);
  return rows;
}
