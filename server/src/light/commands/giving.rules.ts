import type { BodyOf } from '../../../../contract/route.ts';
import { commandBounds, type createCommand } from '../../../../contract/light/commands.ts';
import { refuse, refuseFields } from '../../platform/http/index.ts';
import { canaryCount, darkens, lastingMs, longestMs, strengthOf, type Args, type Lane } from './commands.rules.ts';
import type { NewCommand } from './giving.store.ts';
import type { StoredSettings } from './settings.ts';
import type { Scope } from './targets.store.ts';

export type Body = BodyOf<typeof createCommand>;

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

export interface Request {
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
export function planOf(
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
export const needsReason = (
  { lane, command, args }: Pick<Request, 'lane' | 'command' | 'args'>,
  count: number,
  policy: StoredSettings['policy'],
): boolean =>
  lane === 'emergency' || (policy.reasonAbove !== null && count > policy.reasonAbove && darkens(command, args, policy));

/**
 * The first part that is judged before the rest goes: an emergency waits for no judgement, and one device has no parts.
 * Refuses two ways to count it.
 */
export function canaryOf<T extends { readonly count?: number | undefined; readonly share?: number | undefined }>(
  { canary, lane }: { readonly canary?: T | null | undefined; readonly lane: Lane },
  count: number,
): T | null {
  if (!canary || lane === 'emergency' || count <= 1) return null;
  refuseTwoCounts(canary);
  return canary;
}

/** A command names its devices or a scope. */
export function refuseTwoTargets({ deviceIds, scope }: Pick<Request, 'deviceIds' | 'scope'>): void {
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

export const refuseWithoutReason = () =>
  refuse('reasonNeeded', {}, { fields: [{ field: 'reason', rule: 'required' }] });

/** Checks a time that was asked for: in the future, and not further than it may be. */
export function checkTime(
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
  const limited = (rule: 'minimum' | 'maximum', limit: number) =>
    ({ field, rule, values: { limit: new Date(limit).toISOString() } }) as const;
  if (at <= now + least) throw refuseFields(limited('minimum', now + least + 1));
  if (at <= now + most) return;
  const tooLate = limited('maximum', now + most);
  if (field === 'expiresAt') throw refuseFields(tooLate);
  throw refuse('commandEndTooLate', { hours: most / 3_600_000 }, { fields: [tooLate] });
}

/**
 * Nobody is asked about what could not be sent any more: the question is over when the command is, or when its state
 * would end everywhere.
 */
export const approvalEnd = (expiresAt: Date, until: number | null): string =>
  new Date(Math.min(expiresAt.getTime(), until ?? Number.POSITIVE_INFINITY)).toISOString();
