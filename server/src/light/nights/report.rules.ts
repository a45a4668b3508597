import { levelsBetween, nightOf, type Stretch } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Span } from '../../../../catalogue/lighting/plan/programme.ts';
import { levelInForce } from '../../../../catalogue/lighting/plan/stack.ts';
import type { NightReason } from '../../../../catalogue/lighting/nights.ts';
import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { hasPowerByPlan, layerOf, type ManualSpan } from '../lamps/index.ts';
import { readAtStep, stepOf, type Pace, type Seen, type Step } from '../publications/index.ts';
import type { Trouble } from './facts.store.ts';
import type { Failure } from './nights.store.ts';

/** A lamp in a night that is over. */
export interface NightCase {
  readonly plan: LampPlan;
  readonly day: Day;
  readonly pace: Pace;
  readonly ratedWatts: number | null;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
  /** Commands that were in force. */
  readonly manual: readonly ManualSpan[];
}

/** A clock that is wrong by more accounts for a step that is done at another time, ms. */
const wrongClockMs = 60_000;

/** What was in force in a night: the plan with its exceptions, and the commands above it. Neighbours differ in level. */
function inForce({ plan, manual }: NightCase, { from, to }: Span): Stretch[] {
  const planned = levelsBetween(plan, from, to);
  const above = manual.filter((span) => span.from < to && span.to > from);
  if (above.length === 0) return planned;
  const cuts = [...planned, ...above]
    .flatMap((span) => [span.from, span.to])
    .filter((at) => at > from && at < to)
    .toSorted((a, b) => a - b);
  const starts = [...new Set([from, ...cuts])];
  const stretches: Stretch[] = [];
  for (const [index, start] of starts.entries()) {
    const value = planned.find((stretch) => stretch.from <= start && start < stretch.to)?.level ?? 0;
    const base = { layer: 'scheme', op: 'set', value, from: start, until: null } as const;
    const { level } = levelInForce(start, [base, ...above.map(layerOf)], plan.role.minLevel);
    const end = starts[index + 1] ?? to;
    const before = stretches.at(-1);
    if (before?.level === level) stretches[stretches.length - 1] = { ...before, to: end };
    else stretches.push({ from: start, to: end, level });
  }
  return stretches;
}

/** The changes of level of a night up to now: by them the lamp is judged. */
export function stepsOfNight(one: NightCase, now: number): Step[] {
  const { from, to } = lightingDayOf(one.plan.place, one.day);
  return inForce(one, { from, to: Math.min(to, now) }).flatMap((stretch) =>
    stretch.from > from ? stepOf(stretch, one.pace, now) : [],
  );
}

/** The night of a lamp that its pattern keeps dark as one step; null: it is not dark all night by its pattern. */
export function darkStep({ plan, day, pace }: NightCase, now: number): Step | null {
  const { on, off, lit, plannedDark } = nightOf(plan, day);
  if (on === null || off === null || lit.length > 0 || plannedDark.length === 0) return null;
  return stepOf({ from: on, to: Math.min(off, Math.max(on, now)), level: 0 }, pace, now);
}

/** Of these steps those that a lamp made by what it was given then, when it had it. */
export const stepsSince = (steps: readonly Step[], givenAt: Date | undefined, tellMs: number): readonly Step[] =>
  givenAt ? steps.filter(({ at }) => at >= givenAt.getTime() + tellMs) : steps;

export interface Missed {
  readonly step: Step;
  readonly observed: number;
  readonly readingAt: Date;
}
/** What the readings of a night say of the planned steps. */
export interface Told {
  readonly obeyed: number;
  readonly misses: number;
  readonly first: Missed | null;
  /** No reading tells of these. */
  readonly unseen: readonly Step[];
}
export function tellOf(
  { plan, pace, ratedWatts, lighting }: Pick<NightCase, 'plan' | 'pace' | 'ratedWatts' | 'lighting'>,
  steps: readonly Step[],
  readings: readonly Seen[],
): Told {
  let obeyed = 0;
  let misses = 0;
  let first: Missed | null = null;
  const unseen: Step[] = [];
  for (const step of steps) {
    // What was commanded is in the steps already.
    const read = readAtStep(step, { ...pace, ratedWatts }, readings, []);
    if (!read) continue;
    const last = read.seen.at(-1);
    if (read.alike.length > 0) obeyed += 1;
    else if (!step.closed) continue;
    else if (last) {
      misses += 1;
      first ??= { step, observed: last.level, readingAt: last.at };
      // A lamp without power says nothing; one that says something has power.
    } else if (hasPowerByPlan(lighting, plan, step.to - pace.clockOffsetMs)) unseen.push(step);
  }
  return { obeyed, misses, first, unseen };
}

/** The outcome of a lamp: counted only, or with what is kept of it. */
export type Verdict = 'ran' | 'plannedDark' | Failure;

/** `troubleAt`: what was the matter with the lamp at a step that it missed, or of which nobody heard. */
export function verdictOf(
  deviceId: number,
  told: Told,
  {
    isDark,
    isNewer,
    toldHash,
  }: { readonly isDark: boolean; readonly isNewer: boolean; readonly toldHash: string | null },
  troubleAt: (step: Step) => Trouble | undefined,
): Verdict {
  const { obeyed, misses, first, unseen } = told;
  if (first) {
    const { step, observed, readingAt } = first;
    const why = reasonOf(troubleAt(step), toldHash);
    return { ...failure(deviceId, 'diverged', why, step), observed, readingAt, misses };
  }
  if (isDark) return 'plannedDark';
  if (obeyed === 0 && isNewer) return unjudged(deviceId, 'newer');
  const away = unseen.find((step) => troubleAt(step)?.kind === 'offline');
  if (away)
    return failure(deviceId, 'away', { reason: 'away', since: troubleAt(away)?.since ?? null, detail: null }, away);
  if (obeyed > 0) return 'ran';
  const [silent] = unseen;
  if (silent) return failure(deviceId, 'silent', reasonOf(troubleAt(silent), toldHash), silent);
  return unjudged(deviceId, 'noStep');
}

type Why = Pick<Failure, 'reason' | 'since' | 'detail'>;

const failure = (deviceId: number, outcome: Failure['outcome'], why: Why, step: Step | null): Failure => ({
  deviceId,
  outcome,
  ...why,
  stepAt: step && new Date(step.at),
  expected: step?.level ?? null,
  observed: null,
  readingAt: null,
  misses: 0,
});

/** A lamp that nothing can be said of. */
export const unjudged = (deviceId: number, reason: NightReason): Failure =>
  failure(deviceId, 'notJudged', { reason, since: null, detail: null }, null);

/** Why a lamp did not do a step, by the first that accounts for it. */
function reasonOf(trouble: Trouble | undefined, toldHash: string | null): Why {
  const of = (reason: NightReason, since: Date | null = null, detail: string | null = null) => ({
    reason,
    since,
    detail,
  });
  if (!trouble) return of('unknown');
  if (trouble.kind === 'unpowered') return of('noPower', trouble.since);
  if (trouble.selectorCode !== null) return of('localControl', trouble.selectorAt, trouble.selectorCode);
  if (trouble.faults.length > 0) return of('fault', trouble.faultSince, trouble.faults.join(' '));
  if (trouble.runs !== null && toldHash !== null && trouble.runs !== toldHash)
    return of('otherPlan', null, trouble.runs);
  if (trouble.clockWrongSince || Math.abs(trouble.clockOffsetMs ?? 0) > wrongClockMs)
    return of('clockWrong', trouble.clockWrongSince, secondsOf(trouble.clockOffsetMs));
  return of('unknown');
}

/** Seconds by which a device's clock is ahead of the server's. */
export const secondsOf = (offsetMs: number | null): string | null =>
  offsetMs === null ? null : String(-Math.round(offsetMs / 1000));
