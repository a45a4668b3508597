import type { Circumstances, Sample, SampleAlarm } from '../../../../catalogue/alarms/alarm.ts';
import { byWorst } from '../../../../catalogue/faults.ts';
import { rulesOf, type FaultRule } from './rules.ts';

/** How far one rule has come with a device. Times in ms. */
export interface RuleState {
  /** Since when its condition holds; null: it does not. */
  readonly since: number | null;
  /** In how many samples it has held so far, counted up to what the rule wants. */
  readonly held: number;
  readonly raised: boolean;
  /** Samples in a row that said it is over, and the first of them. */
  readonly clearing: number;
  readonly clearingSince: number | null;
}

/**
 * Where the rules of a device stand after its samples up to `to`, device time in ms; states in the order of the rules,
 * none where all are idle.
 */
export interface Walk {
  readonly to: number;
  readonly states: readonly RuleState[];
}

const idle: RuleState = { since: null, held: 0, raised: false, clearing: 0, clearingSince: null };
/** Most devices are sound: they share it. */
const allIdle: readonly RuleState[] = [];

function step(rule: FaultRule, state: RuleState, sample: Sample): RuleState {
  if (state.raised) {
    const clears = rule.clear(sample);
    if (clears === null) return state;
    if (!clears) return state.clearing === 0 ? state : { ...state, clearing: 0, clearingSince: null };
    const clearing = Math.min(state.clearing + 1, rule.clearSamples);
    const clearingSince = state.clearingSince ?? sample.at;
    return clearing >= rule.clearSamples && sample.at - clearingSince >= rule.clearDelaySeconds * 1000
      ? idle
      : { ...state, clearing, clearingSince };
  }
  const holds = rule.raise(sample);
  if (holds === null) return state;
  if (!holds) return idle;
  const since = state.since ?? sample.at;
  const held = Math.min(state.held + 1, rule.samples);
  const raised = held >= rule.samples && sample.at - since >= rule.delaySeconds * 1000;
  return state.since !== null && held === state.held && !raised ? state : { ...idle, since, held, raised };
}

/**
 * Walks samples, oldest first, through the rules, on from where they stood: a sample older than the last one walked
 * neither raises nor clears (domain reference, section 3). Only what is raised outlasts a stretch that is not there:
 * unless the samples begin with the one walked last, delays and counts begin anew.
 */
export function walkRules(
  rules: readonly FaultRule[],
  before: Walk | undefined,
  samples: readonly Sample[],
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

/** A fault that holds, since device time in ms. */
export interface Raised {
  readonly fault: string;
  readonly since: number;
}

export const worstFirst = (faults: readonly Raised[]): Raised[] => faults.toSorted((a, b) => byWorst(a.fault, b.fault));

/** What the walk says is raised, the worst first. */
const raisedBy = (rules: readonly FaultRule[], walk: Walk | undefined): Raised[] =>
  worstFirst(
    rules.flatMap(({ fault }, i) => {
      const state = walk?.states[i];
      return state?.raised === true && state.since !== null ? [{ fault, since: state.since }] : [];
    }),
  );

/**
 * Where the walk begins of a device whose earlier samples are not read any more: with the faults that it had before
 * them. Each stays until a sample says that it is over.
 */
function walkFrom(rules: readonly FaultRule[], had: readonly Raised[], samples: readonly Sample[]): Walk | undefined {
  const first = samples[0];
  if (!first) return undefined;
  const states = rules.map((rule): RuleState => {
    const since = had.find(({ fault }) => fault === rule.fault)?.since;
    return since === undefined || since >= first.at ? idle : { ...idle, since, held: rule.samples, raised: true };
  });
  return states.every((state) => state === idle) ? undefined : { to: Number.NEGATIVE_INFINITY, states };
}

/**
 * Walks the alarms of a device through its readings: the faults it has at the end, and where to go on from. Without
 * readings it has those it had, as far as its family declares them.
 */
export function judgeAlarms({
  alarms,
  around,
  samples,
  walked,
  had,
}: {
  readonly alarms: readonly SampleAlarm[];
  readonly around: Circumstances;
  readonly samples: readonly Sample[];
  readonly walked: Walk | undefined;
  readonly had: readonly Raised[];
}): { readonly raised: readonly Raised[]; readonly walked: Walk | undefined } {
  const rules = rulesOf(alarms, around);
  const reached = walkRules(rules, walked ?? walkFrom(rules, had, samples), samples);
  if (samples.length === 0) {
    const declared = had.filter(({ fault }) => alarms.some(({ code }) => code === fault));
    return { raised: worstFirst(declared), walked: reached };
  }
  const raised = raisedBy(rules, reached);
  const isRaised = (code: string) => raised.some(({ fault }) => fault === code);
  const explained = new Set(alarms.filter(({ explainedBy }) => explainedBy?.some(isRaised)).map(({ code }) => code));
  return { raised: raised.filter(({ fault }) => !explained.has(fault)), walked: reached };
}
