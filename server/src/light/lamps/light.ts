import { flagIn, numberIn, type Sample } from '../../../../catalogue/alarms/alarm.ts';
import { holdsAt, levelInForce, type LayerInput } from '../../../../catalogue/lighting/plan/stack.ts';
import type { ManualSpan, StateName } from './lamps.types.ts';
import type { Thresholds } from './thresholds.ts';

/** When lamps of one place should burn; `catalogue/lighting` gives it. Times in ms. */
export interface PlanView {
  readonly shouldBeLit: (at: number) => boolean;
  /** The last on-time at or before `at`; null in polar day. */
  readonly lastOn: (at: number) => number | null;
  /** Between sunrise + margin and sunset − margin. */
  readonly isDay: (at: number, marginSeconds: number) => boolean;
}

/** What a command that lamps executed asks of them, as a layer above their plan. */
export const layerOf = ({ layer, level, from, to }: ManualSpan): LayerInput => ({
  layer,
  op: layer === 'emergency' ? 'max' : 'set',
  value: level,
  from,
  until: to,
});

/** The manual command in force at that time. */
export const manualAt = (spans: readonly ManualSpan[], at: number) =>
  spans.find(({ from, to }) => holdsAt({ from, until: to }, at));

/** Should the lamp burn at that time: by its plan and the commands above it (specified 9.10). */
export function shouldBeLitAt(
  input: { readonly manual: readonly ManualSpan[]; readonly plan: PlanView },
  at: number,
): boolean {
  const { manual, plan } = input;
  // Nearly all lamps, nearly always: only the plan speaks.
  if (manual.length === 0) return plan.shouldBeLit(at);
  const planned: LayerInput = {
    layer: 'scheme',
    op: 'set',
    value: plan.shouldBeLit(at) ? 100 : 0,
    from: at,
    until: null,
  };
  return levelInForce(at, [planned, ...manual.map(layerOf)]).level > 0;
}

/** Quantities that the light of a lamp is read from. */
export const lightQuantities = ['power', 'level', 'relay'] as const;

/** What the light of a lamp does by one reading. */
export function lightOf(
  sample: Sample | undefined,
  ratedWatts: number | null,
  t: Thresholds,
): { readonly lit: boolean | null; readonly level: number | null; readonly state: StateName } {
  if (!sample) return { lit: null, level: null, state: 'unknown' };
  const [power, level, relay] = [numberIn(sample, 'power'), numberIn(sample, 'level'), flagIn(sample, 'relay')];
  const lit = litOf(power, level, relay, ratedWatts, t);
  const shown = relay === false ? 0 : level;
  return { lit, level: shown, state: stateOf(lit, shown, t) };
}

function litOf(
  power: number | null,
  level: number | null,
  relay: boolean | null,
  ratedWatts: number | null,
  t: Thresholds,
): boolean | null {
  if (power !== null && ratedWatts !== null && ratedWatts > 0) return power > t.litShare * ratedWatts;
  if (level !== null && relay !== null) return relay && level > 0;
  return level === null ? null : level > 0;
}

function stateOf(lit: boolean | null, level: number | null, t: Thresholds): StateName {
  if (lit === null) return 'unknown';
  if (!lit) return 'off';
  return level !== null && level < t.fullLevel ? 'dimmed' : 'on';
}
