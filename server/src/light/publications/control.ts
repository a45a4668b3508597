import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import type { decidePublication, haltPublication } from '../../../../contract/light/publications.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { isOverdue } from '../commands/index.ts';
import { decisionProblems } from './publications.rules.ts';
import { countTold, hold, move, release, stopUntold, type Publication } from './publications.store.ts';
import { refusePartlySeen } from './reading.store.ts';
import { revert } from './reverting.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Reply = ReplyOf<typeof haltPublication>;

const running = new Set(['tellingCanary', 'judging', 'tellingAll', 'proving']);
const revertable = new Set([...running, 'halted', 'done']);

/** What people decide about a publication that was made. */
export function createPublicationControl({
  db,
  bus,
  clock,
}: {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
}) {
  async function changed<T>(
    { caller, change }: Ctx,
    id: number,
    action: string,
    work: (tx: Transaction, row: Publication, at: Date) => Promise<T>,
  ): Promise<T> {
    await refusePartlySeen(db, caller, id);
    const at = clock.now();
    const done = await change({ action }, async (tx) => {
      const row = await hold(tx, id);
      if (!row) throw refuse('notFound');
      return work(tx, row, at);
    });
    bus.publish('publications.changed', {});
    return done;
  }
  const to = (id: number, phase: Reply['phase']): Reply => ({ id, phase });

  return {
    decide: (ctx: Ctx, id: number, { approved, reason }: BodyOf<typeof decidePublication>): Promise<Reply> =>
      changed(ctx, id, approved ? 'publication.approve' : 'publication.refuse', async (tx, row, at) => {
        if (row.actorId === ctx.caller.accountId) throw refuse('ownCommand');
        const problems = decisionProblems({ approved, reason });
        if (problems.length > 0) throw refuse('reasonNeeded', {}, { fields: problems });
        if (row.phase === 'lapsed' || isOverdue(row, at)) throw refuse('approvalExpired');
        if (row.phase !== 'awaitingApproval') throw refuse('notAwaitingApproval');
        const phase = !approved ? 'refused' : row.canary ? 'tellingCanary' : 'tellingAll';
        const { username: by, accountId: byId } = ctx.caller;
        const decision = { approved, by, byId, at: at.toISOString(), reason: reason?.trim() || null };
        if (approved) await release(tx, id, row.canary ? 'canary' : 'all');
        else await stopUntold(tx, id);
        await move(tx, id, { phase, at, approval: { ...row.approval, ...decision } });
        return to(id, phase);
      }),

    resume: (ctx: Ctx, id: number): Promise<Reply> =>
      changed(ctx, id, 'publication.resume', async (tx, row, at) => {
        const passed = row.phase === 'judging' && row.judged?.passed === true;
        if (row.phase !== 'halted' && !passed) throw refuse('publicationPhase');
        const phase = passed || row.halted?.phase !== 'tellingCanary' ? 'tellingAll' : 'tellingCanary';
        await release(tx, id, phase === 'tellingAll' ? 'all' : 'canary');
        await move(tx, id, { phase, at, halted: null });
        return to(id, phase);
      }),

    halt: (ctx: Ctx, id: number, reason: string): Promise<Reply> =>
      changed(ctx, id, 'publication.halt', async (tx, row, at) => {
        if (!running.has(row.phase)) throw refuse('publicationPhase');
        // While the first part is judged its lamps are judged anew.
        const phase = row.phase === 'tellingCanary' || row.phase === 'judging' ? 'tellingCanary' : 'tellingAll';
        const by = ctx.caller.username;
        await move(tx, id, {
          phase: 'halted',
          at,
          halted: { why: 'person', at: at.toISOString(), by, reason: reason.trim(), phase },
        });
        return to(id, 'halted');
      }),

    revert: (ctx: Ctx, id: number, reason: string): Promise<Reply & { revertId: number }> =>
      changed(ctx, id, 'publication.revert', async (tx, row, at) => {
        if (!revertable.has(row.phase)) throw refuse('publicationPhase');
        const { accountId: actorId, username: by } = ctx.caller;
        const revertId = await revert(tx, row, { actorId, by, reason: reason.trim(), at });
        return { ...to(id, 'reverting'), revertId };
      }),

    cancel: (ctx: Ctx, id: number): Promise<Reply> =>
      changed(ctx, id, 'publication.cancel', async (tx, row, at) => {
        const open = row.phase === 'awaitingApproval' || row.phase === 'halted' || running.has(row.phase);
        if (!open || (await countTold(tx, id)) > 0) throw refuse('publicationPhase');
        await stopUntold(tx, id);
        await move(tx, id, { phase: 'cancelled', at });
        return to(id, 'cancelled');
      }),
  };
}
