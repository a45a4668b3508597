import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { createCommand, retryCommand } from '../../../../contract/light/commands.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseWithout,
  type Caller,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { announceChanges } from './changes.ts';
import {
  checkCommand,
  darkens,
  defaultEnd,
  familiesOffering,
  isQuestion,
  isSpread,
  laneOf,
  lastingMs,
  missedStates,
  type Lane,
} from './commands.rules.ts';
import { lockDarkening, waitsForSecond } from './darkening.ts';
import {
  approvalEnd,
  type Body,
  canaryOf,
  checkTime,
  needsReason,
  planOf,
  refuseTwoTargets,
  refuseWithoutReason,
  type Request,
  type StepSizes,
  stepSizes,
  waveOf,
} from './giving.rules.ts';
import {
  findRequest,
  insertCommand,
  lockQueue,
  lockRequest,
  readyPaces,
  takePrecedence,
  type NewCommand,
  type NewItem,
} from './giving.store.ts';
import { repeated, type Asked } from './requests.ts';
import { findMissed, findUnknown, digestOf } from './reading.store.ts';
import { readSettings } from './settings.ts';
import { found, sightOf } from './sight.ts';
import { chooseTargets } from './targets.ts';
import type { Scope, Target } from './targets.store.ts';

export interface CommandsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'>;
  /** Told after the commit that something is queued or waits for its turn. */
  readonly queued: () => void;
  readonly steps?: StepSizes;
}
/** Lamps whose plans are looked up at once. */
const plansAtOnce = 5000;
/** Runs the SQL of a change in one transaction; a request's `ctx.change`. */
export type Change = <T>(action: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

type Created = ReplyOf<typeof createCommand>;

/**
 * Commands to devices as they are asked for; the dispatcher sends them, the flow lets them go in steps, what comes in
 * proves them.
 */
export function createCommands({ db, clock, bus, plans, queued, steps = stepSizes }: CommandsParts) {
  async function send(caller: Caller, change: Change, action: string, request: Request): Promise<Created> {
    const known = await madeBefore(db, caller, request);
    if (known) return known;
    const now = clock.now();
    // What is wrong in itself (400) comes before what is unknown or foreign (404, 403).
    refuseTwoTargets(request);
    const offering = familiesOffering(request.command, request.args);
    checkTime('until', request, now.getTime());
    checkTime('expiresAt', request, now.getTime());
    const { devices, names } = await chooseTargets(db, caller, request, offering);
    if (devices.length === 0) throw refuse('noDevices');
    const inUse = devices.filter((device) => device.enabled);
    if (inUse.length === 0) throw refuse('devicesDisabled', { count: devices.length });
    const { lasting, args } = checkCommand(
      new Set(devices.map((device) => device.family)),
      request.command,
      request.args,
    );
    const settings = await readSettings(db);
    const dark = darkens(request.command, args, settings.policy);
    const endOf = await ends(inUse, lasting, request.until, now.getTime(), request.lane);
    const prepare = (needsSecond: boolean): NewCommand => {
      const plan = planOf({ ...request, args }, inUse.length, settings, now, needsSecond);
      const items = inUse.map((device, index): NewItem => {
        const canary = plan.canary !== null && isSpread(index, plan.canary.count, inUse.length);
        const first = plan.canary ? canary : plan.stopAt ? index < waveOf(plan.stopAt) : index < steps.first;
        return {
          deviceId: device.id,
          viaId: device.viaId,
          until: endOf(device),
          canary,
          queued: first && plan.phase !== 'awaitingApproval',
        };
      });
      const last = items.reduce((latest, item) => Math.max(latest, item.until?.getTime() ?? 0), 0);
      return {
        ...plan,
        approval: plan.approval && {
          ...plan.approval,
          expiresAt: approvalEnd(plan.approval.expiresAt, lasting ? last : null),
        },
        command: request.command,
        args,
        until: lasting ? new Date(last) : null,
        reason: request.reason,
        actorId: caller.accountId,
        actorName: caller.username,
        requestId: request.requestId,
        scope: request.scope ? { ...request.scope, names } : { devices: devices.length },
        retryOf: request.retryOf ?? null,
        verifies: request.verifies ?? null,
        darkens: dark ? inUse.length : 0,
        phase: plan.phase === 'running' && items.some((item) => !item.queued) ? 'staged' : plan.phase,
        now,
        items,
        disabled: devices.filter((device) => !device.enabled).map((device) => device.id),
      };
    };
    // What is wrong with it is told before it is weighed.
    const plain = prepare(false);
    const weigh = async (tx: Transaction): Promise<NewCommand> =>
      dark &&
      (await waitsForSecond(tx, {
        actorId: caller.accountId,
        lamps: inUse,
        decided: devices,
        endOf,
        policy: settings.policy,
        confirmCount: request.confirmCount,
        now,
      }))
        ? prepare(true)
        : plain;
    return write(caller, change, action, { plain, weigh }, request, devices.length);
  }

  async function write(
    caller: Caller,
    change: Change,
    action: string,
    { plain, weigh }: { plain: NewCommand; weigh: (tx: Transaction) => Promise<NewCommand> },
    request: Request,
    total: number,
  ): Promise<Created> {
    const made = await change(action, async (tx) => {
      // Many are written while others go on giving commands: nobody sees them yet, and what they mean for others is
      // settled under the lock.
      const many = plain.items.length > steps.next;
      await lockRequest(tx, caller.accountId, request.requestId);
      if (plain.darkens > 0) await lockDarkening(tx, caller.accountId);
      // The same request may have come twice at once.
      const known = await madeBefore(tx, caller, request);
      if (known) return { known };
      const input = await weigh(tx);
      if (!many) await lockQueue(tx);
      const id = await insertCommand(tx, input);
      if (input.approval)
        await tx
          .updateTable('command')
          .set({ approval: JSON.stringify({ ...input.approval, digest: await digestOf(tx, id) }) })
          .where('id', '=', id)
          .execute();
      if (many) await lockQueue(tx);
      // Under the lock: two that made the same row would wait for each other in a circle.
      await readyPaces(tx, input.items);
      return {
        id,
        input,
        changes: await takePrecedence(tx, { id, lane: input.lane, isRead: isQuestion(input.command), now: input.now }),
      };
    });
    if ('known' in made) return made.known;
    const { id, input, changes } = made;
    announceChanges(bus, [
      ...changes,
      ...[...input.items.map(({ deviceId }) => deviceId), ...input.disabled].map((deviceId) => ({
        commandId: id,
        deviceId,
      })),
    ]);
    queued();
    return { id, total, state: input.phase === 'awaitingApproval' ? 'awaitingApproval' : 'running' };
  }

  /** Each device's end; null for a command without a lasting effect. */
  async function ends(
    devices: readonly Target[],
    lasting: boolean,
    given: number | null,
    now: number,
    lane: Lane,
  ): Promise<(target: Target) => Date | null> {
    if (!lasting) return () => null;
    if (given !== null) return () => new Date(given);
    const areas = [...new Set(devices.map((device) => device.workAreaId))];
    const places = await loadPlaces(db, areas);
    const endIn = (area: number): Date => {
      const place = places.get(area);
      return new Date(defaultEnd(now, place && defaultPlan(place), lane));
    };
    const byArea = new Map(areas.map((area) => [area, endIn(area)]));
    const byPlan = new Map<LampPlan, Date>();
    const byLamp = new Map<number, Date>();
    for (let at = 0; plans && at < devices.length; at += plansAtOnce)
      for (const [id, plan] of await plans.of(
        db,
        devices.slice(at, at + plansAtOnce).map(({ id }) => id),
        now,
      )) {
        const end = byPlan.get(plan) ?? new Date(defaultEnd(now, plan, lane));
        byPlan.set(plan, end);
        byLamp.set(id, end);
      }
    return ({ id, workAreaId }) => byLamp.get(id) ?? byArea.get(workAreaId) ?? new Date(now + lastingMs(lane));
  }

  return {
    create(
      caller: Caller,
      change: Change,
      { command, args = {}, lane: asked, until, expiresAt, reason, requestId, ...body }: Body,
    ): Promise<Created> {
      if (asked === 'emergency' && !caller.permissions.has('lamp.emergency')) throw refuseWithout('lamp.emergency');
      const lane = laneOf(command, asked);
      return send(caller, change, 'command.create', {
        ...body,
        command,
        args,
        lane,
        until: timeOf(until),
        expiresAt: timeOf(expiresAt),
        reason: reason?.trim() || null,
        requestId: requestId?.toLowerCase() ?? null,
      });
    },

    /** What the rules say of a form, for whom it is refused: everything at once. */
    async problems(caller: Caller, body: Sound<Body>): Promise<readonly RuleProblem[]> {
      const now = clock.now().getTime();
      const { command, deviceIds, scope } = body;
      const args = 'args' in body ? body.args : {};
      const lane = body.lane ?? 'manual';
      const [until, expiresAt] = [timeOf(body.until), timeOf(body.expiresAt)];
      const reasonless = 'reason' in body ? body.reason === null || body.reason?.trim() === '' : true;
      const chosen = async (): Promise<readonly Target[]> =>
        command === undefined
          ? []
          : (
              await chooseTargets(
                db,
                caller,
                { deviceIds: deviceIds?.flatMap((id) => id ?? []), scope: scope as Scope | undefined, command },
                familiesOffering(command, args ?? {}),
              )
            ).devices;
      /** How many it would go to; where that is not known, enough to be judged by every rule of its steps. */
      const count = async (): Promise<number> => {
        if (lane === 'emergency') return 0;
        return args === undefined || command === undefined || (deviceIds === undefined) === (scope === undefined)
          ? Infinity
          : (await chosen()).filter(({ enabled }) => enabled).length;
      };
      return problemsOf(
        () =>
          ('deviceIds' in body && deviceIds === undefined) || ('scope' in body && scope === undefined)
            ? undefined
            : refuseTwoTargets({ deviceIds: deviceIds && [], scope: scope as Scope | undefined }),
        () => (command === undefined ? undefined : void laneOf(command, body.lane)),
        () => (command === undefined || args === undefined ? undefined : void familiesOffering(command, args)),
        () => checkTime('until', { until, expiresAt, lane }, now),
        () => checkTime('expiresAt', { until, expiresAt, lane }, now),
        async () => (body.canary ? void canaryOf({ canary: body.canary, lane }, await count()) : undefined),
        async () => {
          if ((deviceIds === undefined) === (scope === undefined) || command === undefined || args === undefined)
            return;
          const devices = await chosen();
          if (devices.length > 0) checkCommand(new Set(devices.map(({ family }) => family)), command, args);
        },
        async () => {
          if (!reasonless || command === undefined || (deviceIds === undefined) === (scope === undefined)) return;
          const { policy } = await readSettings(db);
          if (needsReason({ command, args: args ?? {}, lane }, args === undefined ? 0 : await count(), policy))
            throw refuseWithoutReason();
        },
      );
    },

    /**
     * A new command to only those devices of the old one that missed it; an end that has passed becomes the default
     * one.
     */
    async retry(
      caller: Caller,
      change: Change,
      id: number,
      { states, reason, requestId, confirmCount }: BodyOf<typeof retryCommand>,
    ): Promise<Created> {
      const old = await found(db, caller, id);
      const lane = laneNamed(old.lane);
      if (lane === 'emergency' && !caller.permissions.has('lamp.emergency')) throw refuseWithout('lamp.emergency');
      const named = requestId?.toLowerCase() ?? null;
      const known = await madeBefore(db, caller, { requestId: named, retryOf: id });
      if (known) return known;
      const missed = await findMissed(db, id, states ?? missedStates, sightOf(caller));
      if (missed.length === 0) throw refuse('noDevices');
      const until = old.until && old.until > clock.now() ? old.until.getTime() : null;
      return send(caller, change, 'command.retry', {
        deviceIds: missed,
        command: old.command,
        args: old.args,
        lane,
        until,
        expiresAt: null,
        reason: reason?.trim() || old.reason,
        requestId: named,
        retryOf: id,
        confirmCount,
      });
    },

    /** Asks every device that left its command open for a reading; the proofs settle the old item by it. */
    async verify(caller: Caller, change: Change, id: number, requestId: string | undefined): Promise<Created> {
      await found(db, caller, id);
      const named = requestId?.toLowerCase() ?? null;
      const known = await madeBefore(db, caller, { requestId: named, verifies: id });
      if (known) return known;
      const unknown = await findUnknown(db, id, clock.now(), sightOf(caller));
      if (unknown.length === 0) throw refuse('noDevices');
      return send(caller, change, 'command.verify', {
        deviceIds: unknown,
        command: 'read',
        args: {},
        lane: 'read',
        until: null,
        expiresAt: null,
        reason: null,
        requestId: named,
        verifies: id,
      });
    },
  };
}

const laneNamed = (strength: number): Lane =>
  (['emergency', 'manual', 'plan', 'read', 'firmware'] as const)[strength] ?? 'manual';

/** What the same request was turned into before, if it was. */
async function madeBefore(
  db: Db | Transaction,
  caller: Caller,
  request: Asked & Pick<Request, 'requestId'>,
): Promise<Created | undefined> {
  const known =
    request.requestId === null
      ? undefined
      : await findRequest(db, caller.accountId, request.requestId, request.deviceIds);
  return known && repeated(known, request);
}

const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);
