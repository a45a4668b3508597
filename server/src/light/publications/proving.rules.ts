import { levelAt, levelsBetween, type Stretch } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultThresholds, hasPowerByPlan, lightOf, manualAt, type ManualSpan, type Periods } from '../lamps/index.ts';
import type { Following } from '../plans/index.ts';
import type { Due, Look, Seen, StoredProof } from './proving.store.ts';

/** Points of level between what was planned and what was read. */
export const tolerance = 5;
/** After a step, besides two reporting periods, ms. */
export const settleMs = 120_000;
/** Readings may come so much later than they were taken, ms. */
const lateMs = 60_000;
/** So long after the beginning of a step the lamp is looked at first, ms. */
const soonMs = 15_000;
/** So far ahead a step is looked for at which the plan differs from the one before, ms. */
const aheadMs = 36 * 3_600_000;
/** A lamp without a step ahead (polar day) is looked at again after so long, ms. */
const idleMs = 6 * 3_600_000;
/** The readings of a lamp that was away may come at any time: it is looked at again after so long, ms. */
const awayMs = 30 * 60_000;
/** A lamp that has not proven its plan is watched for so long from the plan's beginning on, ms. */
const watchMs = 7 * 86_400_000;
/** At so many planned steps a lamp does otherwise before it is said to. */
const mostMisses = 2;
/** Steps of a plan of which it is kept whether they tell. */
const mostKnown = 50;
/** A clock that is wrong by more is named beside the verdict, ms. */
const wrongClockMs = 60_000;

/** How a lamp follows and reports, ms. */
export interface Pace {
  /** Reporting periods of a lamp that is lit and of one that is not. */
  readonly litMs: number;
  readonly unlitMs: number;
  /** The longest ramp of its plan. */
  readonly rampMs: number;
  readonly clockOffsetMs: number;
}

const ramps = new WeakMap<Following, number>();

/** How a lamp follows and reports by what it follows. */
export function paceBy(followed: Following | undefined, periods: Periods, clockOffsetMs: number): Pace {
  const template = followed?.template?.content;
  return {
    litMs: (template?.reportLitSeconds ?? periods.litSeconds) * 1000,
    unlitMs: (template?.reportUnlitSeconds ?? periods.unlitSeconds) * 1000,
    rampMs: followed ? rampOf(followed) : 0,
    clockOffsetMs,
  };
}

/** The longest of all programmes, ms. */
function rampOf(followed: Following): number {
  const known = ramps.get(followed);
  if (known !== undefined) return known;
  const all = [...followed.programmes.values()].flatMap((one) => one.periods.map(({ rampSeconds }) => rampSeconds));
  const ramp = Math.max(0, ...all) * 1000;
  ramps.set(followed, ramp);
  return ramp;
}

export interface Watched extends Pace {
  readonly item: Due;
  readonly plan: LampPlan;
  /** What it followed before. */
  readonly former: LampPlan;
  /** Told, and in force. */
  readonly from: number;
  /** Since when it says that it runs another plan than it was told, epoch ms; null: it does not. */
  readonly otherSince: number | null;
}

/** A planned step, and the time in which it shows: by the clock of the server, when the device switches by its own. */
export interface Step {
  readonly at: number;
  readonly level: number;
  readonly from: number;
  readonly to: number;
  /** The window is over: later readings belong to another step. */
  readonly closed: boolean;
}

/** What the level of a lamp is by a reading; what it was commanded counts only where nothing else is measured. */
export function shownBy({ at, values }: Pick<Seen, 'at' | 'values'>, ratedWatts: number | null): number | null {
  const { lit, level } = lightOf(sampleOf(at, values), ratedWatts, defaultThresholds);
  if (lit === false) return 0;
  if (level !== null) return lit === true && level === 0 ? 100 : level;
  const commanded = values['commandLevel'];
  return typeof commanded === 'number' ? commanded : null;
}

/** What of a reading the light is read from. */
const sampleOf = (at: Date, { level, power, relay }: Seen['values']) => ({
  at: at.getTime(),
  level: typeof level === 'number' ? level : null,
  power: typeof power === 'number' ? power : null,
  relay: typeof relay === 'boolean' ? relay : null,
});

/** The changes of level of a plan after an instant, up to another. */
const stepsOf = (plan: LampPlan, from: number, to: number) =>
  from < to ? levelsBetween(plan, from, to).flatMap((stretch) => (stretch.from > from ? [stretch] : [])) : [];

/** The steps that have begun and are not judged yet, oldest first. */
export function stepsToJudge(one: Watched, now: number): Step[] {
  const judgedAt = one.item.proof?.seenAt ? Date.parse(one.item.proof.seenAt) + 1 : 0;
  return stepsOf(one.plan, Math.max(one.from, judgedAt), now - one.clockOffsetMs).map((stretch) =>
    stepOf(stretch, one, now),
  );
}

/** The time in which a stretch of one level shows in readings. */
export function stepOf({ from, to, level }: Stretch, pace: Pace, now: number): Step {
  const settled = from + settleMs + pace.rampMs + 2 * (level > 0 ? pace.litMs : pace.unlitMs);
  const until = Math.min(settled, to) + pace.clockOffsetMs;
  return { at: from, level, from: from + pace.clockOffsetMs, to: until, closed: now >= until + lateMs };
}

const telling = new WeakMap<LampPlan, Map<string, boolean>>();

/** What decides whether a step can prove that its lamp runs the plan. */
interface Telling extends Pick<Pace, 'litMs'> {
  readonly plan: LampPlan;
  /** What it followed before. */
  readonly former: LampPlan;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
}

/** Whether the plan before does not make a step as well, and the lamp has power then. */
function isTelling(step: Stretch, { plan, former, lighting, litMs }: Telling): boolean {
  // Where a step only comes earlier or later, one period after it both plans are alike.
  const settled = settleMs + litMs;
  return (
    step.to - step.from > settled &&
    differs(step.level, levelAt(former, step.from + settled)) &&
    hasPowerByPlan(lighting, plan, step.from + settled)
  );
}

/** Whether from a step on another one comes, or it is that one, that the plan before does not make as well. */
function isToldSoon({ plan, item: { lighting }, ...one }: Watched, from: number): boolean {
  const known = telling.get(plan) ?? new Map<string, boolean>();
  telling.set(plan, known);
  const key = `${from} ${lighting}`;
  let soon = known.get(key);
  if (soon === undefined) {
    soon = stepsOf(plan, from - 1, from + aheadMs).some((step) => isTelling(step, { ...one, plan, lighting }));
    if (known.size > mostKnown) known.clear();
    known.set(key, soon);
  }
  return soon;
}

/**
 * The step at which a lamp that follows its plan will be proven: the first that tells, among those whose time is not
 * over; where none tells within a night, the first. Null: there is none.
 */
export function nextProof(one: Pace & Telling, { from, now }: { readonly from: number; readonly now: number }) {
  const steps = stepsOf(one.plan, from, Math.max(from, now) + aheadMs).filter(
    (step) => stepOf(step, one, now).to > now,
  );
  const step = steps.find((each) => isTelling(each, one)) ?? steps[0];
  return step ? step.from : null;
}

const differs = (one: number, other: number): boolean => Math.abs(one - other) > tolerance;

export interface Shown {
  readonly at: Date;
  readonly level: number;
}

/**
 * What readings within the window of a step show, and which of them agree with it; null: the step is passed over, as
 * its lamp is under a command or changes its level until the next one.
 */
export function readAtStep(
  step: Step,
  { rampMs, ratedWatts }: { readonly rampMs: number; readonly ratedWatts: number | null },
  readings: readonly Pick<Seen, 'at' | 'values'>[],
  manual: readonly ManualSpan[],
): { readonly seen: readonly Shown[]; readonly alike: readonly Shown[] } | null {
  // While it changes its level a lamp passes through levels that it does not keep.
  const settled = step.from + rampMs;
  if (manualAt(manual, step.from + 1000) || settled >= step.to) return null;
  const seen = readings
    .filter(({ at }) => at.getTime() >= settled && at.getTime() <= step.to)
    .flatMap(({ at, values }) => {
      const level = shownBy({ at, values }, ratedWatts);
      return level === null || manualAt(manual, at.getTime()) ? [] : [{ at, level }];
    });
  return { seen, alike: seen.filter(({ level }) => !differs(level, step.level)) };
}

/** What the steps say of a lamp, and when to look again. `readings` are those of all its steps. */
export function judge(
  one: Watched,
  steps: readonly Step[],
  { readings, manual }: { readonly readings: readonly Seen[]; readonly manual: readonly ManualSpan[] },
  now: number,
): Look {
  const { item, plan, from, clockOffsetMs, otherSince } = one;
  const { deviceId, publicationId } = item;
  let proof: StoredProof | null = item.proof;
  let state: Look['state'] = null;
  const said = (lookAt: number | null): Look => ({
    deviceId,
    publicationId,
    state,
    proof,
    reason:
      state === 'diverged' && otherSince !== null
        ? 'otherPlan'
        : Math.abs(clockOffsetMs) > wrongClockMs && proof?.observed != null
          ? 'clock'
          : null,
    lookAt: lookAt === null ? null : new Date(lookAt),
  });
  for (const step of steps) {
    const read = readAtStep(step, { ...one, ratedWatts: item.ratedWatts }, readings, manual);
    if (!read) continue;
    const { seen, alike } = read;
    // By the plan before it would be otherwise at that moment.
    const clear = alike.find(({ at }) => differs(levelAt(one.former, at.getTime() - clockOffsetMs), step.level));
    // Of a lamp that says it runs another plan the right level proves nothing; what it said later is against no step.
    const agreed = otherSince !== null && otherSince <= step.to ? undefined : (clear ?? alike[0]);
    const last = agreed ?? seen.at(-1);
    if (!agreed && !step.closed) return said(Math.min(now + lateMs, step.to + lateMs));
    // A lamp without power says nothing; one that says something has power.
    if (!last && !hasPowerByPlan(item.lighting, plan, step.to - clockOffsetMs)) continue;
    const stepAt = new Date(step.at).toISOString();
    const misses = (proof?.misses ?? 0) + (last && !agreed ? 1 : 0);
    proof = {
      stepAt,
      expected: step.level,
      observed: last?.level ?? null,
      readingAt: last?.at.toISOString() ?? null,
      misses,
      seenAt: last ? stepAt : (proof?.seenAt ?? null),
    };
    const proves = otherSince === null && agreed !== undefined && (clear !== undefined || !isToldSoon(one, step.at));
    state = !last ? 'away' : misses >= mostMisses ? 'diverged' : proves ? 'proven' : 'seen';
    if (state === 'diverged' || state === 'proven') return said(null);
  }
  if (now > from + watchMs) return said(null);
  const next = stepsOf(plan, now - clockOffsetMs, now - clockOffsetMs + aheadMs)[0];
  const then = next ? next.from + clockOffsetMs + soonMs : now + idleMs;
  return said(state === 'away' ? Math.min(then, now + awayMs) : then);
}
