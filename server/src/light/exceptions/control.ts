import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { exceptionBounds, type cancelException, type decideException } from '../../../../contract/light/exceptions.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { tried, type Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import { isOverdue, lockDarkening, readSettings, waitsForSecond, type Target } from '../commands/index.ts';
import { findComing, plansComing, soundPlans, type LampPlans } from '../plans/index.ts';
import { findLamps, judgedFirst, type Lamp } from '../publications/index.ts';
import { countDarker, darkerAfterEnd, effectsOf } from './effects.ts';
import { decisionProblems, minuteOf, stateAt } from './exceptions.rules.ts';
import {
  findLampIds,
  findState,
  findTargets,
  hold,
  move,
  writeEnding,
  writeWeighed,
  type Ending,
  type StoredState,
  type Weighed,
} from './exceptions.store.ts';
import { floorsOf } from './floors.ts';
import type { ExceptionParts } from './making.service.ts';
import { refusePartlySeen } from './reading.store.ts';
import { digestOf, isOther, readable, weighedOf } from './weighed.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Decision = BodyOf<typeof decideException>;
type Reply = ReplyOf<typeof decideException>;

const open = new Set(['awaitingApproval', 'planned', 'inForce']);
const begun = new Set(['planned', 'inForce']);

/** What it does to its lamps, as it is found under the lock. */
type Judged = () => Promise<Weighed>;
const nothing: Weighed = { darkens: 0, belowFloor: [] };
/** What was found instead of what was looked at; `askedAt` of the end that it is about, null: of the exception itself. */
interface Other {
  readonly askedAt: string | null;
  readonly weighed: Weighed;
}

/** What people decide about an exception that was made. */
export function createExceptionControl({ db, bus, clock, plans }: ExceptionParts) {
  async function changed<T extends { readonly state: string; readonly darker?: number }>(
    { caller, change }: Ctx,
    id: number,
    action: string,
    work: (tx: Transaction, row: StoredState, at: Date, judged: Judged) => Promise<T>,
    /** Before the exception is held. */
    judgeFirst: (tx: Transaction, at: Date) => Promise<Judged> = () => Promise.resolve(() => Promise.resolve(nothing)),
  ): Promise<T> {
    await refusePartlySeen(db, caller, id);
    const at = clock.now();
    const facts = {};
    const done = await change({ action, facts }, async (tx) => {
      const judged = await judgeFirst(tx, at);
      const row = await hold(tx, id);
      if (!row) throw refuse('notFound');
      const result = await work(tx, row, at, judged);
      Object.assign(facts, {
        ...{ id, stateBefore: row.state, state: result.state, lamps: row.total, schemeHash: row.schemeHash },
        darker: result.darker ?? row.ending?.darkens ?? row.darkens,
      });
      return result;
    });
    bus.publish('plans.changed', {});
    return done;
  }

  /** A second person decides about an end that was asked for: it ends now, or goes on. */
  async function decideEnd(tx: Transaction, id: number, ending: Ending, at: Date): Promise<void> {
    await writeEnding(tx, id, ending);
    if (ending.approved)
      await move(tx, id, {
        state: 'cancelled',
        endedAt: minuteOf(at),
        endReason: ending.why,
        endedBy: { id: ending.askedById, darkens: ending.darkens },
      });
  }

  /** What its end does to its lamps. It writes: in a trial. */
  async function weighEnd(tx: Transaction, caller: Caller, id: number, now: Date): Promise<Weighed> {
    const row = await hold(tx, id);
    if (!row || !begun.has(row.state)) return nothing;
    await writeEnding(tx, row.id, null);
    const deviceIds = await findLampIds(tx, row.id, { after: 0, limit: publicationBounds.scope });
    const lamps = await findLamps(tx, { deviceIds }, caller, deviceIds.length);
    const again = async (by: LampPlans, some: readonly Lamp[]) => {
      const { before, after } = await effectsOf(tx, soundPlans(by), row.id, some, now);
      return { before: after, after: before };
    };
    const change = await again(plans, lamps);
    return {
      darkens: await countDarker(change, { from: Math.max(row.from.getTime(), now.getTime()), to: row.to.getTime() }),
      belowFloor: await floorsOf(tx, plans, change, { lamps, times: row, now, again }),
    };
  }

  /** What it, or its end, does to its lamps once it is agreed to. It writes: in a trial. */
  async function weighAgreed(tx: Transaction, caller: Caller, id: number, now: Date): Promise<Weighed> {
    const row = await hold(tx, id);
    if (row?.state !== 'awaitingApproval') return weighEnd(tx, caller, id, now);
    await move(tx, id, { state: 'planned', holdsFrom: minuteOf(now) });
    const deviceIds = await findLampIds(tx, id, { after: 0, limit: publicationBounds.scope });
    const lamps = await findLamps(tx, { deviceIds }, caller, deviceIds.length);
    const again = (by: LampPlans, some: readonly Lamp[]) => effectsOf(tx, soundPlans(by), id, some, now);
    const effects = await again(plans, lamps);
    return {
      darkens: effects.darker.length,
      belowFloor: await floorsOf(tx, plans, effects, { lamps, times: row, now, again }),
    };
  }

  /** What was found shows from now on. Who did not see it has another digest, and does not agree to it. */
  const show = (id: number, { askedAt, weighed }: Other) =>
    db.transaction().execute(async (tx) => {
      const row = await hold(tx, id);
      if (row?.state === 'awaitingApproval' && askedAt === null) await writeWeighed(tx, id, weighed);
      else if (row?.ending?.approved === null && row.ending.askedAt === askedAt)
        await writeEnding(tx, id, { ...row.ending, ...weighed });
    });

  /** Whether its end now, by what is on its way to its lamps, makes any of them darker. */
  async function darkensComing(id: number, lamps: readonly Target[], now: Date): Promise<boolean> {
    const coming = await findComing(
      db,
      lamps.map((lamp) => lamp.id),
      now,
    );
    const some = lamps.filter((lamp) => coming.has(lamp.id));
    const later = plansComing(plans, dayOf(now.getTime(), 'UTC'), exceptionBounds.daysAhead + exceptionBounds.days);
    if (some.length === 0) return false;
    return tried(db, async (tx) => {
      // That it was asked for before is none of what is on its way.
      await writeEnding(tx, id, null);
      return (await darkerAfterEnd(tx, soundPlans(later), id, some, now)).length > 0;
    });
  }

  return {
    /** Agreed to is what was looked at: what became darker since, or another, is refused and shown. */
    async decide(ctx: Ctx, id: number, asked: Decision): Promise<Reply> {
      const { approved, digest, reason } = asked;
      const found: { other?: Other } = {};
      const { username: by, accountId: byId } = ctx.caller;
      const work = async (tx: Transaction, row: StoredState, at: Date, judged: Judged): Promise<Reply> => {
        const ending = refuseUndecidable(row, { ...asked, byId, at });
        // A refusal needs no second look.
        if (approved) {
          const weighed = await judged();
          if (!isAgreed(digest, { row, ending, weighed })) {
            found.other = { askedAt: ending?.askedAt ?? null, weighed };
            const { darkens, belowFloor } = weighed;
            const now = { darkens, belowFloor: readable(belowFloor), digest: digestOf(row, ending, weighed) };
            throw refuse('changedMeanwhile', {}, { body: now });
          }
        }
        const decision = { approved, digest, by, byId, at: at.toISOString(), reason: reason?.trim() || null };
        if (ending) {
          await decideEnd(tx, id, { ...ending, ...decision }, at);
          return { id, state: approved ? 'cancelled' : row.state };
        }
        const state = approved ? stateAt(row, at) : 'refused';
        await move(tx, id, {
          state,
          ...(approved ? { holdsFrom: minuteOf(at) } : { silent: true }),
          approval: { ...row.approval, ...decision },
        });
        return { id, state };
      };
      await refusePartlySeen(db, ctx.caller, id);
      const lamps = approved ? await findTargets(db, id) : [];
      const judgeFirst = async (tx: Transaction, now: Date) => {
        // What is refused anyway is not judged.
        const row = await findState(tx, id);
        if (!row) throw refuse('notFound');
        refuseUndecidable(row, { ...asked, byId, at: now });
        return judgedFirst(db, tx, { lamps, now, judge: (trial) => weighAgreed(trial, ctx.caller, id, now) });
      };
      try {
        return await changed(
          ctx,
          id,
          approved ? 'exception.approve' : 'exception.refuse',
          work,
          approved ? judgeFirst : undefined,
        );
      } catch (thrown) {
        if (found.other) {
          await show(id, found.other);
          bus.publish('plans.changed', {});
        }
        throw thrown;
      }
    },

    /** The end of more light is darkness: it is weighed like a publication, and waits for a second person like one. */
    async cancel(
      ctx: Ctx,
      id: number,
      { reason, confirmCount }: BodyOf<typeof cancelException>,
    ): Promise<ReplyOf<typeof cancelException>> {
      await refusePartlySeen(db, ctx.caller, id);
      const lamps = await findTargets(db, id);
      const darker = await darkerAfterEnd(db, soundPlans(plans), id, lamps, clock.now());
      // One that darkens nobody, also by what is on its way, is not judged, and waits for nobody.
      const isJudged = darker.length > 0 || (await darkensComing(id, lamps, clock.now()));
      const work = async (tx: Transaction, row: StoredState, now: Date, judged: Judged) => {
        if (!open.has(row.state)) throw refuse('exceptionOver');
        const effect = { lamps: lamps.length, darker: darker.length };
        const { accountId: actorId, username } = ctx.caller;
        const why = reason.trim();
        const { belowFloor } = await judged();
        const below = belowFloor.reduce((sum, one) => sum + one.lamps, 0);
        const darkens = darker.length > 0 || below > 0;
        if (darkens) await lockDarkening(tx, actorId);
        const { policy } = await readSettings(tx);
        const second =
          darkens &&
          (await waitsForSecond(tx, {
            ...{ actorId, lamps: darker, decided: lamps, policy, confirmCount, anyway: below, now },
            endOf: () => row.to,
          }));
        if (!second) {
          const endedBy = { id: actorId, darkens: darker.length };
          await move(tx, id, { state: 'cancelled', endedAt: minuteOf(now), endReason: why, endedBy });
          return { id, state: 'cancelled' as const, ...effect };
        }
        await writeEnding(tx, id, {
          ...{ askedBy: username, askedById: actorId, askedAt: now.toISOString(), why, darkens: darker.length },
          belowFloor,
          expiresAt: new Date(now.getTime() + policy.approvalMinutes * 60_000).toISOString(),
          approved: null,
        });
        return { id, state: row.state, waits: true, ...effect };
      };
      const judgeFirst = (tx: Transaction, now: Date) =>
        judgedFirst(db, tx, { lamps, now, judge: (trial) => weighEnd(trial, ctx.caller, id, now) });
      return changed(ctx, id, 'exception.cancel', work, isJudged ? judgeFirst : undefined);
    },
  };
}

/** Refuses a decision that may not be made; the end that is decided about, null: the exception itself is. */
function refuseUndecidable(
  row: StoredState,
  { approved, reason, byId, at }: Omit<Decision, 'digest'> & { readonly byId: number; readonly at: Date },
): Ending | null {
  const ending = begun.has(row.state) && row.ending?.approved === null ? row.ending : null;
  if ((ending?.askedById ?? row.actorId) === byId) throw refuse('ownCommand');
  const problems = decisionProblems({ approved, reason });
  if (problems.length > 0) throw refuse('reasonNeeded', {}, { fields: problems });
  const waiting = {
    phase: ending ? 'awaitingApproval' : row.state,
    approval: ending ? { ...ending } : row.approval,
  };
  if (row.state === 'lapsed' || isOverdue(waiting, at)) throw refuse('approvalExpired');
  if (waiting.phase !== 'awaitingApproval') throw refuse('notAwaitingApproval');
  return ending;
}

/** Whether what was looked at is what is found: the same, or what is stored while that is no darker and no other. */
function isAgreed(
  digest: string,
  { row, ending, weighed }: { readonly row: StoredState; readonly ending: Ending | null; readonly weighed: Weighed },
): boolean {
  const stored = weighedOf(row, ending);
  if (digest === digestOf(row, ending, weighed)) return true;
  return digest === digestOf(row, ending, stored) && !isOther(weighed, stored);
}
