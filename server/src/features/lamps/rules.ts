import type { FaultName, LampSample } from './lamps.types.ts';
import type { Thresholds } from './thresholds.ts';

/**
 * One fault rule over the samples of a lamp, oldest first. `raise` and `clear` answer null where a sample says nothing about
 * it (a value is missing): such a sample changes nothing.
 */
export interface FaultRule {
  readonly fault: FaultName;
  /** The condition must have held this long, and in this many samples, before the fault is raised. */
  readonly delaySeconds: number;
  readonly samples: number;
  readonly clearSamples: number;
  readonly raise: (sample: LampSample) => boolean | null;
  readonly clear: (sample: LampSample) => boolean | null;
}

/** What the rules need to know about a lamp besides its samples. Times are milliseconds since 1970. */
export interface RuleContext {
  readonly ratedWatts: number | null;
  readonly shouldBeLit: (at: number) => boolean;
  /** Between sunrise + margin and sunset − margin. */
  readonly isDay: (at: number) => boolean;
  /** A manual command kept the lamp on at that time. */
  readonly manualOn: (at: number) => boolean;
}

const both = (...parts: (boolean | null)[]): boolean | null =>
  parts.includes(false) ? false : parts.includes(null) ? null : true;
const not = (part: boolean | null) => (part === null ? null : !part);

/** The rules of the lamp itself, in the order in which the first one that holds is shown. */
export function lampRules(context: RuleContext, t: Thresholds): FaultRule[] {
  const { ratedWatts } = context;
  const above = (share: number) => (s: LampSample) => (s.power === null || ratedWatts === null ? null : s.power > share * ratedWatts);
  const below = (share: number) => (s: LampSample) => (s.power === null || ratedWatts === null ? null : s.power < share * ratedWatts);
  const atMost = (share: number) => (s: LampSample) => not(above(share)(s));
  const commandedOn = (s: LampSample) => (s.commandLevel === null ? null : s.commandLevel > 0);
  const commandedOff = (s: LampSample) => not(commandedOn(s));
  return [
    {
      fault: 'L112', delaySeconds: t.stuckRelay.delaySeconds, samples: 1, clearSamples: 1,
      raise: (s) => both(commandedOff(s), above(t.stuckRelay.share)(s)),
      clear: below(t.stuckRelay.clearShare),
    },
    {
      // The relay itself says that it stayed open; a closed relay without power is the lamp's fault (L101).
      fault: 'L113', delaySeconds: t.refusingRelay.delaySeconds, samples: 1, clearSamples: 1,
      raise: (s) => both(commandedOn(s), not(s.relay), below(t.refusingRelay.share)(s), s.voltage === null ? null : s.voltage > t.refusingRelay.supplyVolts),
      clear: (s) => (s.relay === true ? true : above(t.refusingRelay.clearShare)(s)),
    },
    {
      fault: 'L101', delaySeconds: t.lampFailure.delaySeconds, samples: 1, clearSamples: t.lampFailure.clearSamples,
      raise: (s) => both(commandedOn(s), s.relay !== false, atMost(t.lampFailure.share)(s)),
      clear: above(t.lampFailure.clearShare),
    },
    {
      fault: 'L111', delaySeconds: t.nightOff.delaySeconds, samples: 1, clearSamples: 1,
      raise: (s) => both(context.shouldBeLit(s.at), below(t.nightOff.share)(s)),
      clear: (s) => (context.shouldBeLit(s.at) ? above(t.nightOff.share)(s) : true),
    },
    {
      fault: 'L110', delaySeconds: t.daytimeOn.delaySeconds, samples: 1, clearSamples: 1,
      raise: (s) => both(context.isDay(s.at), !context.manualOn(s.at), above(t.daytimeOn.share)(s)),
      clear: below(t.daytimeOn.clearShare),
    },
    {
      fault: 'L105', delaySeconds: 0, samples: t.overvoltage.samples, clearSamples: 1,
      raise: (s) => (s.voltage === null ? null : s.voltage > t.overvoltage.volts),
      clear: (s) => (s.voltage === null ? null : s.voltage < t.overvoltage.clearVolts),
    },
    {
      fault: 'L106', delaySeconds: 0, samples: t.undervoltage.samples, clearSamples: 1,
      // Without supply there is nothing to measure: that is an outage, not a low voltage.
      raise: (s) => (s.voltage === null ? null : s.voltage < t.undervoltage.volts && s.voltage > t.refusingRelay.supplyVolts),
      clear: (s) => (s.voltage === null ? null : s.voltage > t.undervoltage.clearVolts),
    },
  ];
}

/** Walks the samples (oldest first) through one rule. Returns since when (ms) the fault holds at the end, or null. */
export function walkRule(rule: FaultRule, samples: readonly LampSample[]): { since: number; raisedAt: number } | null {
  let start: number | null = null;
  let held = 0;
  let raised: { since: number; raisedAt: number } | null = null;
  let clearing = 0;
  for (const sample of samples) {
    if (raised) {
      const clears = rule.clear(sample);
      if (clears === null) continue;
      clearing = clears ? clearing + 1 : 0;
      if (clearing >= rule.clearSamples) { raised = null; start = null; held = 0; clearing = 0; }
      continue;
    }
    const holds = rule.raise(sample);
    if (holds === null) continue;
    if (!holds) { start = null; held = 0; continue; }
    start ??= sample.at;
    held += 1;
    if (held >= rule.samples && sample.at - start >= rule.delaySeconds * 1000) raised = { since: start, raisedAt: sample.at };
  }
  return raised;
}
