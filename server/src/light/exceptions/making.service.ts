import type { createException, previewException } from '../../../../contract/light/exceptions.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { tried, type Db, type Transaction } from '../../platform/db/index.ts';
import {
  Refusal,
  refuse,
  refuseFields,
  type Caller,
  type FieldProblem,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { lockDarkening, readSettings, waitsForSecond } from '../commands/index.ts';
import { soundPlans, type LampPlans } from '../plans/index.ts';
import { findLamps, findScopeParts, hashesOf, judgedFirst, refuseOther, type Lamp } from '../publications/index.ts';
import { effectsOf, type Effects } from './effects.ts';
import { minuteOf, reasonProblems, stateAt, timeProblems, timesOf, type Times } from './exceptions.rules.ts';
import * as store from './exceptions.store.ts';
import { floorsOf } from './floors.ts';
import { readable } from './weighed.ts';

export interface ExceptionParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: LampPlans;
}
type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Wanted = BodyOf<typeof previewException>;
type Body = BodyOf<typeof createException>;
type Created = ReplyOf<typeof createException>;

interface Asked {
  readonly lamps: readonly Lamp[];
  readonly times: Times;
  readonly versionId: number | null;
  readonly names: readonly string[];
  readonly now: Date;
}

interface Weighed extends Effects {
  readonly belowFloor: readonly store.BelowFloor[];
}

/** What an exception would do, and its making. */
export function createExceptionMaking({ db, bus, clock, plans }: ExceptionParts) {
  async function lampsOf(caller: Caller, { scope }: Wanted): Promise<Pick<Asked, 'lamps' | 'names'>> {
    const { roadIds = [], groupIds = [], controllerIds = [], workAreaId, deviceIds = [] } = scope;
    const foreign = (area: number) => caller.workAreas !== 'all' && !caller.workAreas.includes(area);
    const parts = await findScopeParts(db, scope);
    const named = roadIds.length + groupIds.length + controllerIds.length + (workAreaId === undefined ? 0 : 1);
    if (parts.length < named) throw refuse('notFound');
    if (parts.some(({ area }) => foreign(area))) throw refuse('foreignWorkArea');
    const lamps = await findLamps(db, scope, caller, publicationBounds.scope + 1);
    if (lamps.length > publicationBounds.scope)
      throw refuse('tooManyDevices', { count: lamps.length, limit: publicationBounds.scope });
    const found = new Set(lamps.map(({ id }) => id));
    if (deviceIds.some((id) => !found.has(id))) throw refuse('notFound');
    if (lamps.some(({ visible }) => !visible)) throw refuse('foreignWorkArea');
    if (lamps.length === 0) throw refuse('noDevices');
    return { lamps, names: parts.flatMap(({ name }) => name ?? []) };
  }

  async function versionOf(caller: Caller, body: Wanted): Promise<number | null> {
    if (body.schemeId === undefined) return null;
    const version = await store.findVersion(db, body.schemeId, body.schemeNumber);
    if (!version) throw refuse('notFound');
    const { workAreaId } = version;
    if (workAreaId !== null && caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId))
      throw refuse('foreignWorkArea');
    return version.versionId;
  }

  /** The programme is one of its version. */
  async function programmeProblems({ schemeId, schemeNumber, programme }: Sound<Wanted>): Promise<FieldProblem[]> {
    if (schemeId === undefined || programme === undefined) return [];
    const known = (await store.findVersion(db, schemeId, schemeNumber))?.content.programmes.map(({ key }) => key);
    if (!known || known.includes(programme)) return [];
    return [{ field: 'programme', rule: 'enum', values: { allowed: known.join(' ') } }];
  }

  const placesOf = (lamps: readonly Lamp[]) => loadPlaces(db, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]);

  async function resolve(caller: Caller, body: Wanted): Promise<Asked> {
    const now = clock.now();
    const { lamps, names } = await lampsOf(caller, body);
    const places = await placesOf(lamps);
    const problems = [
      ...timeProblems(body, places.get(lamps[0]?.workAreaId ?? 0), now),
      ...(await programmeProblems(body)),
    ];
    if (problems.length > 0) throw refuseFields(...problems);
    // Nobody knows the sun of any of them.
    if (places.size === 0) throw refuse('noDevices');
    return { lamps, names, times: timesOf(body, [...places.values()]), versionId: await versionOf(caller, body), now };
  }

  const row = (caller: Caller, body: Wanted, { lamps, times, versionId, names, now }: Asked) => {
    const { deviceIds, ...scope } = body.scope;
    return {
      ...times,
      scope: { ...scope, ...(deviceIds ? { devices: deviceIds.length } : {}), names },
      op: body.op ?? null,
      level: body.level ?? null,
      schemeVersionId: versionId,
      programmeKey: body.programme ?? null,
      total: lamps.length,
      actorId: caller.accountId,
      actorName: caller.username,
      at: now,
    };
  };

  /** What it does to its lamps: it is written and looked at, and the caller takes it back. */
  async function weigh(tx: Transaction, caller: Caller, body: Wanted, asked: Asked): Promise<Weighed> {
    const id = await store.insertException(tx, {
      ...row(caller, body, asked),
      reason: '',
      state: 'planned',
      holdsFrom: minuteOf(asked.now),
      approval: null,
      darkens: 0,
      belowFloor: [],
      requestId: null,
      request: null,
      counts: {},
    });
    await store.insertItems(
      tx,
      id,
      asked.lamps.map((lamp) => ({ deviceId: lamp.id, cannot: null })),
    );
    const failed = new Set<number>();
    const effectsBy = (by: LampPlans, lamps: readonly Lamp[]) =>
      effectsOf(tx, soundPlans(by, failed), id, lamps, asked.now);
    const effects = await effectsBy(plans, asked.lamps);
    const unreadable = [...failed].map((lamp) => [lamp, 'unreadable'] as const);
    return {
      ...effects,
      cannot: new Map([...effects.cannot, ...unreadable]),
      belowFloor: await floorsOf(tx, plans, effects, { ...asked, again: effectsBy }),
    };
  }

  const secondFor = async (
    tx: Transaction,
    caller: Caller,
    { darker, belowFloor }: Weighed,
    { lamps, now, times }: Asked,
    confirmCount: number | undefined,
  ): Promise<boolean> =>
    waitsForSecond(tx, {
      anyway: belowFloor.reduce((sum, one) => sum + one.lamps, 0),
      actorId: caller.accountId,
      lamps: darker,
      decided: lamps,
      endOf: () => times.to,
      policy: (await readSettings(tx)).policy,
      confirmCount,
      now,
    });

  /** The answer to a request that was answered before. */
  async function answered(from: Db | Transaction, caller: Caller, body: Body): Promise<Created | undefined> {
    if (body.requestId === undefined) return undefined;
    const known = await store.findRequest(from, caller.accountId, body.requestId.toLowerCase());
    if (!known) return undefined;
    refuseOther(known.request, hashesOf(body));
    return { id: known.id, total: known.total, state: known.state };
  }

  return {
    /** What the rules say of a form, for whom it is refused. The days are those of its first lamp. */
    async problems(caller: Caller, body: Sound<Body>): Promise<FieldProblem[]> {
      const [first] = body.scope ? await findLamps(db, body.scope, caller, 1) : [];
      const places = first?.visible ? await placesOf([first]) : new Map<number, AreaPlace>();
      return [
        ...timeProblems(body, places.get(first?.workAreaId ?? 0), clock.now()),
        ...reasonProblems(body),
        ...(await programmeProblems(body)),
      ];
    },

    async preview(caller: Caller, body: Wanted): Promise<ReplyOf<typeof previewException>> {
      const asked = await resolve(caller, body);
      const effects = await tried(db, (tx) => weigh(tx, caller, body, asked));
      const needsSecond = await db
        .transaction()
        .execute((tx) => secondFor(tx, caller, effects, asked, undefined))
        .catch((thrown: unknown) => {
          if (thrown instanceof Refusal && thrown.code === 'countNeeded') return false;
          throw thrown;
        });
      const reasons = Map.groupBy(effects.cannot.values(), (reason) => reason);
      return {
        from: asked.times.from.toISOString(),
        to: asked.times.to.toISOString(),
        lamps: asked.lamps.length,
        cannot: [...reasons].map(([reason, all]) => ({ reason, count: all.length })),
        darkens: effects.darker.length,
        needsSecond,
        belowFloor: readable(effects.belowFloor),
      };
    },

    async create({ caller, change }: Ctx, body: Body): Promise<Created> {
      const unclear = reasonProblems(body);
      if (unclear.length > 0) throw refuseFields(...unclear);
      const reason = body.reason.trim();
      const known = await answered(db, caller, body);
      if (known) return known;
      const asked = await resolve(caller, body);
      const { lamps, times, now } = asked;
      const facts = {};
      const made = await change({ action: 'exception.create', facts }, async (tx) => {
        const weighed = await judgedFirst(db, tx, { lamps, now, judge: (trial) => weigh(trial, caller, body, asked) });
        // The same request may have come twice at once.
        const before = await answered(tx, caller, body);
        if (before) return before;
        const effects = await weighed();
        if (lamps.every(({ id }) => effects.cannot.has(id)))
          throw refuse(lamps.some(({ enabled }) => enabled) ? 'noDevices' : 'devicesDisabled');
        await lockDarkening(tx, caller.accountId);
        const second = await secondFor(tx, caller, effects, asked, body.confirmCount);
        const { policy } = await readSettings(tx);
        const state = second ? 'awaitingApproval' : stateAt(times, now);
        const expiresAt = new Date(now.getTime() + policy.approvalMinutes * 60_000).toISOString();
        const id = await store.insertException(tx, {
          ...row(caller, body, asked),
          reason,
          state,
          holdsFrom: second ? null : minuteOf(now),
          approval: second ? { expiresAt, approved: null } : null,
          darkens: effects.darker.length,
          belowFloor: effects.belowFloor,
          counts: countsOf(lamps, effects.cannot),
          requestId: body.requestId?.toLowerCase() ?? null,
          request: body.requestId === undefined ? null : hashesOf(body),
        });
        await store.insertItems(
          tx,
          id,
          lamps.map((lamp) => ({ deviceId: lamp.id, cannot: effects.cannot.get(lamp.id) ?? null })),
        );
        const { cannot, darker, belowFloor } = effects;
        Object.assign(facts, {
          ...{ id, state, lamps: lamps.length, changed: lamps.length - cannot.size, cannot: cannot.size },
          ...{ darker: darker.length, belowFloor: belowFloor.reduce((sum, one) => sum + one.lamps, 0) },
          schemeHash: (await store.hold(tx, id))?.schemeHash ?? null,
        });
        return { id, total: lamps.length, state };
      });
      bus.publish('plans.changed', {});
      return made;
    },
  };
}

/** What lists say of the lamps, by area. */
function countsOf(lamps: readonly Lamp[], cannot: Effects['cannot']): store.Counts {
  const counts: Record<string, { total: number; cannot: number }> = {};
  for (const { id, workAreaId } of lamps) {
    const part = (counts[workAreaId] ??= { total: 0, cannot: 0 });
    part.total += 1;
    if (cannot.has(id)) part.cannot += 1;
  }
  return counts;
}
