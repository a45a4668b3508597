import type { FaultName, Judgement, LampSample, ManualSpan, StateName } from './lamps.types.ts';
import { lampRules, walkFrom, walkRules, type Walk } from './rules.ts';
import type { Thresholds } from './thresholds.ts';

/** When lamps of one place should burn; `catalogue/lighting` gives it. Times in ms. */
export interface PlanView {
  readonly shouldBeLit: (at: number) => boolean;
  /** The last on-time at or before `at`; null in polar day. */
  readonly lastOn: (at: number) => number | null;
  /** Between sunrise + margin and sunset − margin. */
  readonly isDay: (at: number, marginSeconds: number) => boolean;
}

export interface LampInput {
  readonly now: number;
  readonly enabled: boolean;
  readonly ratedWatts: number | null;
  /** Device time of the newest reading of any age; null: never reported. */
  readonly lastAt: number | null;
  /** Silence counts from here at the earliest: before, nobody listened. */
  readonly countsFrom?: number;
  /** Since when a lamp fed by a loop has power; null or absent: it always has, or has none. */
  readonly poweredSince?: number | null;
  /** Its loop is without power now, as it should be or as its contactor says. */
  readonly unpowered?: boolean;
  /** It had no power when it was judged last, has it now, and was not heard of since. */
  readonly waking?: boolean;
  /** Registered at: a lamp that never reported is not silent before it had the time to. */
  readonly createdAt: number;
  /**
   * Readings of the last 3 hours, oldest first; of a lamp that was judged before, those since `walked`, and that one.
   */
  readonly samples: readonly LampSample[];
  /** How far its rules came when it was judged last. Absent: that is not known. */
  readonly walked?: Walk | undefined;
  /** What was shown of it last: a fault outlasts the samples that are read. */
  readonly shown?: { readonly fault: FaultName | null; readonly since: number | null };
  readonly manual: readonly ManualSpan[];
  readonly plan: PlanView;
  readonly period: { readonly litSeconds: number; readonly unlitSeconds: number };
  /** Since when (ms) the controller it speaks through is silent; null: it is not, or there is none. */
  readonly controllerSilentSince: number | null;
}

const manualAt = (spans: readonly ManualSpan[], at: number) => spans.find((span) => span.from <= at && at < span.to);

/** Should the lamp burn at that time: its plan, unless a manual command says otherwise (specified 9.10). */
export function shouldBeLitAt(input: Pick<LampInput, 'manual' | 'plan'>, at: number): boolean {
  const manual = manualAt(input.manual, at);
  return manual ? manual.level > 0 : input.plan.shouldBeLit(at);
}

/**
 * When the limit of silence begins to count, and what it is counted for: silence since the lamp was heard, or got
 * power.
 */
const silence = ({
  lastAt,
  createdAt,
  countsFrom = 0,
  poweredSince,
}: Pick<LampInput, 'lastAt' | 'createdAt' | 'countsFrom' | 'poweredSince'>) => {
  const since = Math.max(lastAt ?? createdAt, poweredSince ?? 0);
  return { since, last: Math.max(since, countsFrom) };
};

/** When the lamp will be silent if nothing is heard of it until then; on-times between are not looked at. */
export function silentFrom(input: LampInput, t: Thresholds): number {
  const { last } = silence(input);
  const limit = (seconds: number) => Math.max(t.silentMinSeconds, t.silentPeriods * seconds) * 1000;
  const slow = last + limit(input.period.unlitSeconds);
  const on = input.plan.lastOn(input.now);
  return on !== null && input.plan.shouldBeLit(input.now)
    ? Math.min(slow, Math.max(last, on) + limit(input.period.litSeconds))
    : slow;
}

/**
 * Since when the lamp is silent, or null. The limit is three reporting periods, at least 15 minutes; the short period
 * of a lit lamp counts from the on-time, so that a lamp on its hourly report is not called silent the moment it should
 * light up.
 */
export function silentSince(input: LampInput, t: Thresholds): number | null {
  const { now, period } = input;
  const { since, last } = silence(input);
  const limit = (seconds: number) => Math.max(t.silentMinSeconds, t.silentPeriods * seconds) * 1000;
  if (now - last > limit(period.unlitSeconds)) return since;
  const on = input.plan.lastOn(now);
  if (on === null || !input.plan.shouldBeLit(now)) return null;
  return now - Math.max(last, on) > limit(period.litSeconds) ? since : null;
}

export interface HeartbeatInput {
  readonly now: number;
  readonly lastAt: number | null;
  readonly createdAt: number;
  readonly heartbeatSeconds: number;
  /** Nobody listened before. */ readonly countsFrom?: number;
}

/**
 * When something with a heartbeat will be silent if nothing is heard of it until then: after three heartbeats, at least
 * 5 minutes.
 */
export function controllerSilentFrom(
  { lastAt, createdAt, heartbeatSeconds, countsFrom = 0 }: HeartbeatInput,
  t: Thresholds,
): number {
  return (
    Math.max(lastAt ?? createdAt, countsFrom) +
    Math.max(t.controllerSilentMinSeconds, t.controllerSilentPeriods * heartbeatSeconds) * 1000
  );
}

/** Since when a central controller is silent (N302), or null. */
export const controllerSilentSince = (input: HeartbeatInput, t: Thresholds): number | null =>
  input.now > controllerSilentFrom(input, t) ? (input.lastAt ?? input.createdAt) : null;

function litOf(sample: LampSample | undefined, ratedWatts: number | null, t: Thresholds): boolean | null {
  if (!sample) return null;
  if (sample.power !== null && ratedWatts !== null && ratedWatts > 0) return sample.power > t.litShare * ratedWatts;
  if (sample.level !== null && sample.relay !== null) return sample.relay && sample.level > 0;
  return sample.level === null ? null : sample.level > 0;
}

function stateOf(lit: boolean | null, level: number | null, t: Thresholds): StateName {
  if (lit === null) return 'unknown';
  if (!lit) return 'off';
  return level !== null && level < t.fullLevel ? 'dimmed' : 'on';
}

/**
 * The rules of the lamp, walked on through its samples: those that hold at the end, the first of them first, and where
 * to go on from.
 */
function walkLamp(
  input: LampInput,
  t: Thresholds,
): {
  readonly raised: readonly { readonly fault: FaultName; readonly since: number | null }[];
  readonly walked: Walk | undefined;
} {
  const rules = lampRules(
    {
      ratedWatts: input.ratedWatts,
      shouldBeLit: (at) => shouldBeLitAt(input, at),
      isDay: (at) => input.plan.isDay(at, t.daytimeOn.marginSeconds),
      manualOn: (at) => (manualAt(input.manual, at)?.level ?? 0) > 0,
    },
    t,
  );
  const walked = walkRules(
    rules,
    input.walked ?? (input.shown && walkFrom(rules, input.shown, input.samples)),
    input.samples,
  );
  return {
    walked,
    raised: rules.flatMap(({ fault }, i) =>
      walked?.states[i]?.raised === true ? [{ fault, since: walked.states[i].since }] : [],
    ),
  };
}

/**
 * Judges one lamp: state, lit or not, and its one fault, the first of N302, N301, L112, L113, L101, L111, L110, L105,
 * L106; and how far its rules came.
 */
export function judgeLamp(input: LampInput, t: Thresholds): Judgement & { readonly walked: Walk | undefined } {
  const {
    raised: [raised],
    walked,
  } = walkLamp(input, t);
  return { ...stateLamp(input, t, raised), walked };
}

function stateLamp(
  input: LampInput,
  t: Thresholds,
  raised: { readonly fault: FaultName; readonly since: number | null } | undefined,
): Judgement {
  const last = input.samples.at(-1);
  const shouldBeLit = input.enabled ? shouldBeLitAt(input, input.now) : null;
  const level = last ? (last.relay === false ? 0 : last.level) : null;
  const base = { shouldBeLit, level, unpowered: false };
  if (!input.enabled) {
    return {
      ...base,
      state: 'maintenance',
      online: silentSince(input, t) === null && input.lastAt !== null,
      lit: litOf(last, input.ratedWatts, t),
      fault: null,
      faultSince: null,
    };
  }
  const dark = { ...base, state: 'offline' as const, online: false, lit: null, level: null };
  const silent = silentSince(input, t);
  // Planned power: without it a lamp cannot be heard, and is dark for sure.
  if (input.unpowered === true ? silent !== null : input.waking === true && silent === null)
    return {
      ...base,
      state: 'off',
      online: false,
      lit: false,
      level: 0,
      fault: null,
      faultSince: null,
      unpowered: true,
    };
  if (input.controllerSilentSince !== null) return { ...dark, fault: 'N302', faultSince: input.controllerSilentSince };
  if (silent !== null) return { ...dark, fault: 'N301', faultSince: silent };
  if (!last)
    return { ...base, state: 'unknown', online: input.lastAt !== null, lit: null, fault: null, faultSince: null };
  const lit = litOf(last, input.ratedWatts, t);
  if (raised) return { ...base, state: 'alarm', online: true, lit, fault: raised.fault, faultSince: raised.since };
  return { ...base, state: stateOf(lit, level, t), online: true, lit, fault: null, faultSince: null };
}
