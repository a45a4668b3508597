import type { cancelException, decideException } from '../../../../contract/light/exceptions.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import { isOverdue } from '../commands/index.ts';
import { decisionProblems, minuteOf, stateAt } from './exceptions.rules.ts';
import { hold, move, type StoredState } from './exceptions.store.ts';
import type { ExceptionParts } from './making.service.ts';
import { refusePartlySeen } from './reading.store.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Reply = ReplyOf<typeof cancelException>;

const open = new Set(['awaitingApproval', 'planned', 'inForce']);

/** What people decide about an exception that was made. */
export function createExceptionControl({ db, bus, clock }: Omit<ExceptionParts, 'plans'>) {
  async function changed(
    { caller, change }: Ctx,
    id: number,
    action: string,
    work: (tx: Transaction, row: StoredState, at: Date) => Promise<Reply['state']>,
  ): Promise<Reply> {
    await refusePartlySeen(db, caller, id);
    const at = clock.now();
    const state = await change({ action }, async (tx) => {
      const row = await hold(tx, id);
      if (!row) throw refuse('notFound');
      return work(tx, row, at);
    });
    bus.publish('plans.changed', {});
    return { id, state };
  }

  return {
    decide: (ctx: Ctx, id: number, { approved, reason }: BodyOf<typeof decideException>): Promise<Reply> =>
      changed(ctx, id, approved ? 'exception.approve' : 'exception.refuse', async (tx, row, at) => {
        if (row.actorId === ctx.caller.accountId) throw refuse('ownCommand');
        const problems = decisionProblems({ approved, reason });
        if (problems.length > 0) throw refuse('reasonNeeded', {}, { fields: problems });
        if (row.state === 'lapsed' || isOverdue({ phase: row.state, approval: row.approval }, at))
          throw refuse('approvalExpired');
        if (row.state !== 'awaitingApproval') throw refuse('notAwaitingApproval');
        const { username: by, accountId: byId } = ctx.caller;
        const state = approved ? stateAt(row, at) : 'refused';
        await move(tx, id, {
          state,
          ...(approved ? { holdsFrom: minuteOf(at) } : { silent: true }),
          approval: { ...row.approval, approved, by, byId, at: at.toISOString(), reason: reason?.trim() || null },
        });
        return state;
      }),

    cancel: (ctx: Ctx, id: number, reason: string): Promise<Reply> =>
      changed(ctx, id, 'exception.cancel', async (tx, row, at) => {
        if (!open.has(row.state)) throw refuse('exceptionOver');
        await move(tx, id, { state: 'cancelled', endedAt: minuteOf(at), endReason: reason.trim() });
        return 'cancelled';
      }),
  };
}
