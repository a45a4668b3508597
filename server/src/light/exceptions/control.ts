import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { exceptionBounds, type cancelException, type decideException } from '../../../../contract/light/exceptions.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { tried, type Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller, type RequestContext } from '../../platform/http/index.ts';
import { isOverdue, lockDarkening, readSettings, waitsForSecond, type Target } from '../commands/index.ts';
import { findComing, plansComing, soundPlans, type LampPlans } from '../plans/index.ts';
import { findLamps, judgedFirst, type Lamp } from '../publications/index.ts';
import { darkerAfterEnd, effectsOf } from './effects.ts';
import { decisionProblems, minuteOf, stateAt } from './exceptions.rules.ts';
import {
  findLampIds,
  findState,
  findTargets,
  hold,
  move,
  writeBelowFloor,
  writeEnding,
  type BelowFloor,
  type Ending,
  type StoredState,
} from './exceptions.store.ts';
import { floorsOf } from './floors.ts';
import type { ExceptionParts } from './making.service.ts';
import { refusePartlySeen } from './reading.store.ts';

type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Decision = BodyOf<typeof decideException>;
type Reply = ReplyOf<typeof decideException>;

const open = new Set(['awaitingApproval', 'planned', 'inForce']);
const begun = new Set(['planned', 'inForce']);

/** Lamps below the floor of their road, as it is found under the lock. */
type Judged = () => Promise<readonly BelowFloor[]>;
const nothingBelow: Judged = () => Promise.resolve([]);

/** What people decide about an exception that was made. */
export function createExceptionControl({ db, bus, clock, plans }: ExceptionParts) {
  async function changed<T extends { readonly state: string; readonly darker?: number }>(
    { caller, change }: Ctx,
    id: number,
    action: string,
    work: (tx: Transaction, row: StoredState, at: Date, judged: Judged) => Promise<T>,
    /** Before the exception is held. */
    judgeFirst: (tx: Transaction, at: Date) => Promise<Judged> = () => Promise.resolve(nothingBelow),
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

  /** The lamps that its end leaves below the floor of their road. It writes: in a trial. */
  async function belowAfterEnd(tx: Transaction, caller: Caller, id: number, now: Date): Promise<BelowFloor[]> {
    const row = await hold(tx, id);
    if (!row || !begun.has(row.state)) return [];
    await writeEnding(tx, row.id, null);
    const deviceIds = await findLampIds(tx, row.id, { after: 0, limit: publicationBounds.scope });
    const lamps = await findLamps(tx, { deviceIds }, caller, deviceIds.length);
    const again = async (by: LampPlans, some: readonly Lamp[]) => {
      const { before, after } = await effectsOf(tx, soundPlans(by), row.id, some, now);
      return { before: after, after: before };
    };
    return floorsOf(tx, plans, await again(plans, lamps), { lamps, times: row, now, again });
  }

  /** The lamps that are below the floor of their road once it, or its end, is agreed to. It writes: in a trial. */
  async function belowOnceAgreed(tx: Transaction, caller: Caller, id: number, now: Date): Promise<BelowFloor[]> {
    const row = await hold(tx, id);
    if (row?.state !== 'awaitingApproval') return belowAfterEnd(tx, caller, id, now);
    await move(tx, id, { state: 'planned', holdsFrom: minuteOf(now) });
    const deviceIds = await findLampIds(tx, id, { after: 0, limit: publicationBounds.scope });
    const lamps = await findLamps(tx, { deviceIds }, caller, deviceIds.length);
    const again = (by: LampPlans, some: readonly Lamp[]) => effectsOf(tx, soundPlans(by), id, some, now);
    return floorsOf(tx, plans, await again(plans, lamps), { lamps, times: row, now, again });
  }

  /** What was found shows from now on, so that the second person may agree to it. */
  const showBelow = (id: number, below: readonly BelowFloor[]) =>
    db.transaction().execute(async (tx) => {
      const row = await hold(tx, id);
      if (row?.state === 'awaitingApproval') await writeBelowFloor(tx, id, below);
      else if (row?.ending?.approved === null) await writeEnding(tx, id, { ...row.ending, belowFloor: below });
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
    /** What happened since it was asked for may have made it darker than the second person looked at: that is refused. */
    async decide(ctx: Ctx, id: number, asked: Decision): Promise<Reply> {
      const { approved, reason } = asked;
      const found: { worse?: readonly BelowFloor[] } = {};
      const { username: by, accountId: byId } = ctx.caller;
      const work = async (tx: Transaction, row: StoredState, at: Date, judged: Judged): Promise<Reply> => {
        const ending = refuseUndecidable(row, { ...asked, byId, at });
        const below = approved ? await judged() : [];
        if (isWorse(below, (ending ? ending.belowFloor : row.belowFloor) ?? [])) {
          found.worse = below;
          throw refuse('changedMeanwhile', {}, { body: { belowFloor: below } });
        }
        const decision = { approved, by, byId, at: at.toISOString(), reason: reason?.trim() || null };
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
        return judgedFirst(db, tx, { lamps, now, judge: (trial) => belowOnceAgreed(trial, ctx.caller, id, now) });
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
        if (found.worse) {
          await showBelow(id, found.worse);
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
        const belowFloor = await judged();
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
        judgedFirst(db, tx, { lamps, now, judge: (trial) => belowAfterEnd(trial, ctx.caller, id, now) });
      return changed(ctx, id, 'exception.cancel', work, isJudged ? judgeFirst : undefined);
    },
  };
}

/** Refuses a decision that may not be made; the end that is decided about, null: the exception itself is. */
function refuseUndecidable(
  row: StoredState,
  { approved, reason, byId, at }: Decision & { readonly byId: number; readonly at: Date },
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

/** More lamps of a class of road than those, or darker ones. */
const isWorse = (found: readonly BelowFloor[], than: readonly BelowFloor[]): boolean =>
  found.some(({ roadClass, lamps, level }) => {
    const known = than.find((one) => one.roadClass === roadClass);
    return !known || lamps > known.lamps || level < known.level;
  });
