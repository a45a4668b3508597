import type { FaultName, LampSample } from './lamps.types.ts';
import type { Thresholds } from './thresholds.ts';

/**
 * One fault rule over the samples of a lamp, oldest first. `raise` and `clear` answer null where a sample says nothing
 * about it (a value is missing): such a sample changes nothing.
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
  const above = (share: number) => (s: LampSample) =>
    s.power === null || ratedWatts === null ? null : s.power > share * ratedWatts;
  const below = (share: number) => (s: LampSample) =>
    s.power === null || ratedWatts === null ? null : s.power < share * ratedWatts;
  const atMost = (share: number) => (s: LampSample) => not(above(share)(s));
  const commandedOn = (s: LampSample) => (s.commandLevel === null ? null : s.commandLevel > 0);
  const commandedOff = (s: LampSample) => not(commandedOn(s));
  return [
    {
      fault: 'L112',
      delaySeconds: t.stuckRelay.delaySeconds,
      samples: 1,
      clearSamples: 1,
      raise: (s) => both(commandedOff(s), above(t.stuckRelay.share)(s)),
      clear: below(t.stuckRelay.clearShare),
    },
    {
      // The relay itself says that it stayed open; a closed relay without power is the lamp's fault (L101).
      fault: 'L113',
      delaySeconds: t.refusingRelay.delaySeconds,
      samples: 1,
      clearSamples: 1,
      raise: (s) =>
        both(
          commandedOn(s),
          not(s.relay),
          below(t.refusingRelay.share)(s),
          s.voltage === null ? null : s.voltage > t.refusingRelay.supplyVolts,
        ),
      clear: (s) => (s.relay === true ? true : above(t.refusingRelay.clearShare)(s)),
    },
    {
      fault: 'L101',
      delaySeconds: t.lampFailure.delaySeconds,
      samples: 1,
      clearSamples: t.lampFailure.clearSamples,
      raise: (s) => both(commandedOn(s), s.relay !== false, atMost(t.lampFailure.share)(s)),
      clear: above(t.lampFailure.clearShare),
    },
    {
      fault: 'L111',
      delaySeconds: t.nightOff.delaySeconds,
      samples: 1,
      clearSamples: 1,
      raise: (s) => both(context.shouldBeLit(s.at), below(t.nightOff.share)(s)),
      clear: (s) => (context.shouldBeLit(s.at) ? above(t.nightOff.share)(s) : true),
    },
    {
      fault: 'L110',
      delaySeconds: t.daytimeOn.delaySeconds,
      samples: 1,
      clearSamples: 1,
      raise: (s) => both(context.isDay(s.at), !context.manualOn(s.at), above(t.daytimeOn.share)(s)),
      clear: below(t.daytimeOn.clearShare),
    },
    {
      fault: 'L105',
      delaySeconds: 0,
      samples: t.overvoltage.samples,
      clearSamples: 1,
      raise: (s) => (s.voltage === null ? null : s.voltage > t.overvoltage.volts),
      clear: (s) => (s.voltage === null ? null : s.voltage < t.overvoltage.clearVolts),
    },
    {
      fault: 'L106',
      delaySeconds: 0,
      samples: t.undervoltage.samples,
      clearSamples: 1,
      // Without supply there is nothing to measure: that is an outage, not a low voltage.
      raise: (s) =>
        s.voltage === null ? null : s.voltage < t.undervoltage.volts && s.voltage > t.refusingRelay.supplyVolts,
      clear: (s) => (s.voltage === null ? null : s.voltage > t.undervoltage.clearVolts),
    },
  ];
}

/** How far one rule has come with a lamp. Times in ms. */
export interface RuleState {
  /** Since when its condition holds; null: it does not. */
  readonly since: number | null;
  /** In how many samples it has held so far, counted up to what the rule wants. */
  readonly held: number;
  readonly raised: boolean;
  /** Samples in a row that said it is over. */
  readonly clearing: number;
}

/**
 * Where the rules of a lamp stand after its samples up to `to`, device time in ms; states in the order of `lampRules`,
 * none where all are idle.
 */
export interface Walk {
  readonly to: number;
  readonly states: readonly RuleState[];
}

const idle: RuleState = { since: null, held: 0, raised: false, clearing: 0 };
/** Most lamps are sound: they share it. */
const allIdle: readonly RuleState[] = [];

function step(rule: FaultRule, state: RuleState, sample: LampSample): RuleState {
  if (state.raised) {
    const clears = rule.clear(sample);
    if (clears === null) return state;
    if (!clears) return state.clearing === 0 ? state : { ...state, clearing: 0 };
    return state.clearing + 1 >= rule.clearSamples ? idle : { ...state, clearing: state.clearing + 1 };
  }
  const holds = rule.raise(sample);
  if (holds === null) return state;
  if (!holds) return idle;
  const since = state.since ?? sample.at;
  const held = Math.min(state.held + 1, rule.samples);
  const raised = held >= rule.samples && sample.at - since >= rule.delaySeconds * 1000;
  return state.since !== null && held === state.held && !raised ? state : { since, held, raised, clearing: 0 };
}

/**
 * Walks samples, oldest first, through the rules, on from where they stood: a sample older than the last one walked
 * neither raises nor clears (domain reference, section 3). Only what is raised outlasts a stretch that is not there:
 * unless the samples begin with the one walked last, delays and counts begin anew.
 */
export function walkRules(
  rules: readonly FaultRule[],
  before: Walk | undefined,
  samples: readonly LampSample[],
): Walk | undefined {
  const last = samples.at(-1);
  if (!last || (before && last.at <= before.to)) return before;
  const unbroken = before !== undefined && samples.some((sample) => sample.at === before.to);
  const fresh = before ? samples.filter((sample) => sample.at > before.to) : samples;
  const states = rules.map((rule, i) => {
    const state = before?.states[i] ?? idle;
    return fresh.reduce((reached, sample) => step(rule, reached, sample), unbroken || state.raised ? state : idle);
  });
  return { to: last.at, states: states.every((state) => state === idle) ? allIdle : states };
}

/**
 * Where the walk begins of a lamp whose earlier samples are not read any more: with the fault that was shown of it, if
 * that is older than the samples and one of them can tell whether it is over.
 */
export function walkFrom(
  rules: readonly FaultRule[],
  shown: { readonly fault: FaultName | null; readonly since: number | null },
  samples: readonly LampSample[],
): Walk | undefined {
  const first = samples[0];
  const rule = rules.find(({ fault }) => fault === shown.fault);
  const { since } = shown;
  if (!first || !rule || since === null || since >= first.at || samples.every((sample) => rule.clear(sample) === null))
    return undefined;
  return {
    to: Number.NEGATIVE_INFINITY,
    states: rules.map((each) => (each === rule ? { since, held: rule.samples, raised: true, clearing: 0 } : idle)),
  };
}
