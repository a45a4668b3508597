import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { commandBounds, type createCommand, type retryCommand } from '../../../../contract/light/commands.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  type Caller,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { announceChanges } from './changes.ts';
import {
  canaryCount,
  checkCommand,
  darkens,
  defaultEnd,
  familiesOffering,
  isQuestion,
  isSpread,
  laneOf,
  lastingMs,
  longestMs,
  missedStates,
  strengthOf,
  type Args,
  type Lane,
} from './commands.rules.ts';
import { lockDarkening, waitsForSecond } from './darkening.ts';
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
import { readSettings, type StoredSettings } from './settings.ts';
import { found, sightOf } from './sight.ts';
import { chooseTargets } from './targets.ts';
import type { Scope, Target } from './targets.store.ts';

export interface CommandsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Told after the commit that something is queued or waits for its turn. */
  readonly queued: () => void;
  readonly steps?: StepSizes;
}
/** Runs the SQL of a change in one transaction; a request's `ctx.change`. */
export type Change = <T>(action: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;
type Body = BodyOf<typeof createCommand>;
type Created = ReplyOf<typeof createCommand>;

/**
 * How many items go into the queue at once: a command's first ones, and those of each further step, so that whoever
 * comes between them waits for one step only.
 */
export interface StepSizes {
  readonly first: number;
  readonly next: number;
}
/**
 * The first ones only have to be compared with others under the queue's lock, being written before; those of a further
 * step are written under it too.
 */
export const stepSizes: StepSizes = { first: 10_000, next: 5000 };

interface Request {
  readonly deviceIds?: readonly number[] | undefined;
  readonly scope?: Scope | undefined;
  readonly command: string;
  readonly args: Args;
  readonly lane: Lane;
  readonly until: number | null;
  readonly expiresAt: number | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly canary?: Body['canary'] | undefined;
  readonly stopAt?: Body['stopAt'] | undefined;
  readonly retryOf?: number;
  readonly verifies?: number;
  readonly confirmCount?: number | undefined;
}

/**
 * Commands to devices as they are asked for; the dispatcher sends them, the flow lets them go in steps, what comes in
 * proves them.
 */
export function createCommands({ db, clock, bus, queued, steps = stepSizes }: CommandsParts) {
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
    return (target) => byArea.get(target.workAreaId) ?? new Date(now + lastingMs(lane));
  }

  return {
    create(
      caller: Caller,
      change: Change,
      { command, args = {}, lane: asked, until, expiresAt, reason, requestId, ...body }: Body,
    ): Promise<Created> {
      if (asked === 'emergency' && !caller.permissions.has('lamp.emergency'))
        throw refuse('missingPermission', { permission: 'lamp.emergency' });
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
      if (lane === 'emergency' && !caller.permissions.has('lamp.emergency'))
        throw refuse('missingPermission', { permission: 'lamp.emergency' });
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

/**
 * How many items of a command that stops on failures are on their way at a time: enough to judge by, few enough to
 * stop.
 */
export const waveOf = ({ afterAtLeast }: { readonly afterAtLeast: number }): number => Math.max(1000, afterAtLeast);

type Plan = Pick<NewCommand, 'canary' | 'stopAt' | 'phase' | 'lane' | 'expiresAt' | 'queueEnds' | 'waitEnds'> & {
  readonly approval: { readonly expiresAt: Date; readonly approved: null } | null;
  readonly canary: { readonly count: number } | null;
  readonly stopAt: { readonly failurePercent: number; readonly afterAtLeast: number } | null;
};

/** Whether it needs a reason, and in which steps it goes. */
function planOf(
  request: Request,
  count: number,
  { policy, limits }: StoredSettings,
  now: Date,
  needsSecond: boolean,
): Plan {
  const { lane, reason } = request;
  if (reason === null && (needsSecond || needsReason(request, count, policy))) throw refuseWithoutReason();
  const canary = canaryOf(request, count);
  const stopAt = lane === 'emergency' ? null : (request.stopAt ?? null);
  const expiresAt = request.expiresAt === null ? null : new Date(request.expiresAt);
  const approval = needsSecond
    ? {
        expiresAt: new Date(
          Math.min(now.getTime() + policy.approvalMinutes * 60_000, request.expiresAt ?? Number.POSITIVE_INFINITY),
        ),
        approved: null,
      }
    : null;
  const bounded = (ms: number) => new Date(Math.min(now.getTime() + ms, request.expiresAt ?? Number.POSITIVE_INFINITY));
  return {
    lane: strengthOf(lane),
    stopAt,
    approval,
    expiresAt,
    queueEnds: bounded(limits.queueSeconds * 1000),
    waitEnds: bounded(longestMs),
    canary:
      canary &&
      ({
        count: canaryCount(canary, count),
        minSuccessPercent: canary.minSuccessPercent,
        waitSeconds: canary.waitSeconds,
        state: 'pending',
        ...(approval ? {} : { began: now.toISOString() }),
      } as Plan['canary']),
    phase: approval ? 'awaitingApproval' : canary || stopAt ? 'staged' : 'running',
  };
}

/** Whether a command to so many lamps has to say why. */
const needsReason = (
  { lane, command, args }: Pick<Request, 'lane' | 'command' | 'args'>,
  count: number,
  policy: StoredSettings['policy'],
): boolean =>
  lane === 'emergency' || (policy.reasonAbove !== null && count > policy.reasonAbove && darkens(command, args, policy));

/**
 * The first part that is judged before the rest goes: an emergency waits for no judgement, and one device has no parts.
 * Refuses two ways to count it.
 */
function canaryOf<T extends { readonly count?: number | undefined; readonly share?: number | undefined }>(
  { canary, lane }: { readonly canary?: T | null | undefined; readonly lane: Lane },
  count: number,
): T | null {
  if (!canary || lane === 'emergency' || count <= 1) return null;
  refuseTwoCounts(canary);
  return canary;
}

const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);

/** A command names its devices or a scope. */
function refuseTwoTargets({ deviceIds, scope }: Pick<Request, 'deviceIds' | 'scope'>): void {
  if ((deviceIds === undefined) === (scope === undefined))
    throw refuseFields({ field: deviceIds ? 'scope' : 'deviceIds', rule: deviceIds ? 'invalid' : 'required' });
}

/** A first part is so many devices, or such a share of them. */
function refuseTwoCounts({
  count,
  share,
}: {
  readonly count?: number | undefined;
  readonly share?: number | undefined;
}): void {
  if ((count === undefined) === (share === undefined))
    throw refuseFields({ field: 'canary.count', rule: count === undefined ? 'required' : 'invalid' });
}

const refuseWithoutReason = () => refuse('reasonNeeded', {}, { fields: [{ field: 'reason', rule: 'required' }] });

/** Checks a time that was asked for: in the future, and not further than it may be. */
function checkTime(
  field: 'until' | 'expiresAt',
  request: Pick<Request, 'until' | 'expiresAt' | 'lane'>,
  now: number,
): void {
  const at = request[field];
  const [least, most] =
    field === 'until'
      ? [0, lastingMs(request.lane)]
      : [commandBounds.shortestExpiry * 1000 - 1, commandBounds.longestExpiry * 1000];
  if (at === null) return;
  // A leap second has the form of a time and is none that a clock of ours knows.
  if (!Number.isFinite(at)) throw refuseFields({ field, rule: 'format' });
  if (at > now + most && field === 'until')
    throw refuse('commandEndTooLate', {}, { fields: [{ field, rule: 'invalid' }] });
  if (at > now + most || at <= now + least) throw refuseFields({ field, rule: 'invalid' });
}

/**
 * Nobody is asked about what could not be sent any more: the question is over when the command is, or when its state
 * would end everywhere.
 */
const approvalEnd = (expiresAt: Date, until: number | null): string =>
  new Date(Math.min(expiresAt.getTime(), until ?? Number.POSITIVE_INFINITY)).toISOString();
