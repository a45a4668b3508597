import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { tried, type Db, type Transaction } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import type { decidePublication, haltPublication, revertPublication } from '../../../../contract/light/publications.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { isOverdue, lockDarkening, readSettings, waitsForSecond } from '../commands/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { assess } from './assess.ts';
import { findChange } from './change.store.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { decisionProblems, todayAt } from './publications.rules.ts';
import {
  countTold,
  findFollowing,
  findPublication,
  hold,
  move,
  release,
  stopUntold,
  type Publication,
} from './publications.store.ts';
import { refusePartlySeen } from './reading.store.ts';
import { beginReturn, revert } from './reverting.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Reply = ReplyOf<typeof haltPublication>;

const running = new Set(['tellingCanary', 'judging', 'tellingAll', 'proving']);
const revertable = new Set([...running, 'halted', 'done']);

/** What people decide about a publication that was made. */
export function createPublicationControl({
  db,
  bus,
  clock,
  plans,
}: {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: LampPlans;
}) {
  /** The lamps of a return, and those that it would make darker than by what they follow now. */
  async function darkerAfterReturn(id: number, now: Date) {
    const [publication, lamps] = [await findPublication(db, id), await findFollowing(db, id)];
    const [first] = lamps;
    if (!publication || !first) return { lamps, darker: [] };
    const today = todayAt((await loadPlaces(db, [first.workAreaId])).get(first.workAreaId), now);
    const effectiveFrom = today > publication.effectiveFrom ? today : publication.effectiveFrom;
    const back = new Map(lamps.map((lamp) => [lamp.id, lamp]));
    const asked = { lamps, scheme: null, template: null, effectiveFrom, back, now };
    return { lamps, darker: (await tried(db, (tx) => assess(tx, plans, asked))).darker };
  }

  async function changed<T>(
    { caller, change }: Ctx,
    id: number,
    action: string,
    work: (tx: Transaction, row: Publication, at: Date, facts: Record<string, unknown>) => Promise<T>,
  ): Promise<T> {
    await refusePartlySeen(db, caller, id);
    const at = clock.now();
    const facts: Record<string, unknown> = {};
    const done = await change({ action, facts }, async (tx) => {
      const row = await hold(tx, id);
      if (!row) throw refuse('notFound');
      const result = await work(tx, row, at, facts);
      Object.assign(facts, { phaseBefore: row.phase, ...(await findChange(tx, id)) });
      return result;
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
        if (approved && row.reverts !== null) {
          const returned = await hold(tx, row.reverts);
          if (returned?.phase !== 'done' || (await beginReturn(tx, row.reverts, at)).length === 0)
            throw refuse('publicationPhase');
        }
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

    /**
     * Taking back what is still under way is the brake, and waits for nobody; the lamps that it darkens count all the
     * same. What has ended is followed for nights: a return that darkens much is decided like any publication.
     */
    async revert(
      ctx: Ctx,
      id: number,
      { reason, confirmCount }: BodyOf<typeof revertPublication>,
    ): Promise<ReplyOf<typeof revertPublication>> {
      await refusePartlySeen(db, ctx.caller, id);
      const { lamps, darker } = await darkerAfterReturn(id, clock.now());
      return changed(ctx, id, 'publication.revert', async (tx, row, at, facts) => {
        if (!revertable.has(row.phase)) throw refuse('publicationPhase');
        const { accountId: actorId, username: by } = ctx.caller;
        await lockDarkening(tx, actorId);
        const { policy } = await readSettings(tx);
        const waits =
          row.phase === 'done' &&
          (await waitsForSecond(tx, {
            ...{ actorId, lamps: darker, decided: lamps, policy, confirmCount, now: at },
            endOf: () => null,
          }));
        const expiresAt = waits ? new Date(at.getTime() + policy.approvalMinutes * 60_000) : null;
        const revertId = await revert(tx, row, {
          ...{ actorId, by, reason: reason.trim(), at },
          darkens: darker.length,
          expiresAt,
        });
        if (revertId === undefined) throw refuse('publicationPhase');
        facts['return'] = await findChange(tx, revertId);
        return {
          ...to(id, waits ? 'done' : 'reverting'),
          ...{ revertId, lamps: lamps.length, darker: darker.length },
        };
      });
    },

    cancel: (ctx: Ctx, id: number): Promise<Reply> =>
      changed(ctx, id, 'publication.cancel', async (tx, row, at) => {
        // A return that has begun is gone on with, or itself taken back: what it returns from is not followed any more.
        const begun = row.reverts === null && (row.phase === 'halted' || running.has(row.phase));
        const open = row.phase === 'awaitingApproval' || begun;
        if (!open || (await countTold(tx, id)) > 0) throw refuse('publicationPhase');
        await stopUntold(tx, id);
        await move(tx, id, { phase: 'cancelled', at });
        return to(id, 'cancelled');
      }),
  };
}
