import type { PlanView, Thresholds } from '../../light/lamps/index.ts';

/** What the silence of a lamp is judged from. Times in ms. */
export interface LampSilence {
  readonly now: number;
  /** Device time of the newest reading of any age; null: never reported. */
  readonly lastAt: number | null;
  /** Silence counts from here at the earliest: before, nobody listened. */
  readonly countsFrom?: number;
  /** Since when a lamp fed by a loop has power; null or absent: it always has, or has none. */
  readonly poweredSince?: number | null;
  /** Registered at: a lamp that never reported is not silent before it had the time to. */
  readonly createdAt: number;
  readonly plan: PlanView;
  readonly period: { readonly litSeconds: number; readonly unlitSeconds: number };
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
}: Pick<LampSilence, 'lastAt' | 'createdAt' | 'countsFrom' | 'poweredSince'>) => {
  const since = Math.max(lastAt ?? createdAt, poweredSince ?? 0);
  return { since, last: Math.max(since, countsFrom) };
};

/** When the lamp will be silent if nothing is heard of it until then; on-times between are not looked at. */
export function silentFrom(input: LampSilence, t: Thresholds): number {
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
export function silentSince(input: LampSilence, t: Thresholds): number | null {
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
