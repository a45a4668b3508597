import { levelAt, levelsBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultThresholds, lightOf, manualAt, type ManualSpan } from '../lamps/index.ts';
import type { Seen, StoredProof, Unproven, Verdict } from './telling.store.ts';

/** Points of level between what was planned and what was read. */
const tolerance = 5;
/** After a step, besides two reporting periods, ms. */
const settleMs = 120_000;
/** Readings may come so much later than they were taken, ms. */
const lateMs = 60_000;
/** So far ahead a step is looked for at which the plan differs from the one before, ms. */
const aheadMs = 36 * 3_600_000;
/** At so many planned steps a lamp does otherwise before it is said to. */
const mostMisses = 2;

export interface Case {
  readonly item: Unproven;
  readonly plan: LampPlan;
  /** What it followed before. */
  readonly former: LampPlan;
  /** Told, and in force. */
  readonly from: number;
  readonly periodMs: number;
  readonly readings: readonly Seen[];
  readonly manual: readonly ManualSpan[];
}

/** What the level of a lamp is by a reading; what it was commanded counts only where nothing else is measured. */
function shownBy({ at, values }: Pick<Seen, 'at' | 'values'>, ratedWatts: number | null): number | null {
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

/** The planned steps of a lamp between two instants, with how long each is waited for. */
const stepsOf = (plan: LampPlan, from: number, to: number) =>
  levelsBetween(plan, from, to).flatMap((stretch) => (stretch.from > from ? [stretch] : []));

/** What the planned steps since then say of a lamp, up to now; undefined: nothing new. */
export function verdictOn(one: Case, now: number): Verdict | undefined {
  const { item, plan, former, from } = one;
  const differs = (at: number) => Math.abs(levelAt(plan, at) - levelAt(former, at)) > tolerance;
  // A step at which the plan before asks the same proves nothing, as long as there is another one.
  const telling = new Set(
    stepsOf(plan, from, from + aheadMs).flatMap((step) => (differs(step.from + 1000) ? [step.from] : [])),
  );
  const judgedAt = item.proof ? Date.parse(item.proof.stepAt) : 0;
  let proof: StoredProof | null = null;
  let misses = item.proof?.misses ?? 0;
  let away = item.state === 'away';
  for (const step of stepsOf(plan, from, now)) {
    const until = Math.min(step.from + settleMs + 2 * one.periodMs, step.to);
    if (step.from <= judgedAt || manualAt(one.manual, step.from + 1000)) continue;
    const seen = one.readings
      .filter(({ at }) => at.getTime() >= step.from && at.getTime() <= until)
      .flatMap(({ at, values }) => {
        const level = shownBy({ at, values }, item.ratedWatts);
        return level === null || manualAt(one.manual, at.getTime()) ? [] : [{ at, level }];
      });
    const agreed = seen.find(({ level }) => Math.abs(level - step.level) <= tolerance);
    const last = agreed ?? seen.at(-1);
    if (!agreed && now < until + lateMs) break;
    if (seen.length > 0 && !agreed) misses += 1;
    proof = {
      stepAt: new Date(step.from).toISOString(),
      expected: step.level,
      observed: last?.level ?? null,
      readingAt: last?.at.toISOString() ?? null,
      misses,
    };
    const done = (state: Verdict['state']): Verdict => ({ deviceId: item.deviceId, state, proof: proof ?? never() });
    if (misses >= mostMisses) return done('diverged');
    if (agreed && (telling.size === 0 || telling.has(step.from))) return done('proven');
    away = seen.length === 0;
  }
  return proof ? { deviceId: item.deviceId, state: away ? 'away' : null, proof } : undefined;
}

function never(): never {
  throw new Error('a verdict without a step');
}
