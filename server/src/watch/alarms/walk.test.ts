import fc from '../../../../catalogue/testing/properties.ts';
import { expect, it } from 'vitest';
import { isSilence, type Sample as LampSample } from '../../../../catalogue/alarms/alarm.ts';
import { lampAlarms } from '../../../../catalogue/alarms/lamp.ts';
import { manholeCover } from '../../../../catalogue/families/manhole-cover.ts';
import { rulesOf, type FaultRule } from './rules.ts';
import { judgeAlarms, walkRules, type Walk } from './walk.ts';

const minute = 60_000;
const begin = Date.UTC(2026, 10, 21, 9, 0);
const rules = rulesOf(lampAlarms, {
  ratedWatts: 100,
  shouldBeLit: (at) => at >= begin + 60 * minute,
  isDay: (at) => at < begin + 40 * minute,
  manualOn: (at) => at > begin + 10 * minute && at < begin + 20 * minute,
});

/** One rule over all samples at once, as the definition reads. */
function holdsSince(rule: FaultRule, samples: readonly LampSample[]): number | null {
  let run: LampSample[] = [];
  let since: number | null = null;
  let good = 0;
  for (const sample of samples) {
    if (since === null) {
      const holds = rule.raise(sample);
      if (holds !== null) run = holds ? [...run, sample] : [];
      const first = run[0];
      if (holds === true && first && run.length >= rule.samples && sample.at - first.at >= rule.delaySeconds * 1000)
        [since, good] = [first.at, 0];
    } else {
      const over = rule.clear(sample);
      if (over !== null) good = over ? good + 1 : 0;
      if (good >= rule.clearSamples) [since, run] = [null, []];
    }
  }
  return since;
}

const maybe = <T>(values: T[]) => fc.constantFrom<T | null>(...values, ...values, null);
const samplesOf = fc
  .array(
    fc.record({
      after: fc.constantFrom(1000, 45_000, 3 * minute, 6 * minute, 15 * minute),
      power: maybe([0, 3, 7, 12, 60, 100]),
      level: maybe([0, 60, 100]),
      commandLevel: maybe([0, 100]),
      relay: maybe([true, false]),
      voltage: maybe([0, 190, 200, 226, 233, 240]),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let at = begin;
    return steps.map(({ after, ...values }): LampSample => ({ ...values, at: (at += after) }));
  });

it('walking on from where the rules stood gives what walking over everything gives', () => {
  fc.assert(
    fc.property(samplesOf, fc.array(fc.nat(6), { maxLength: 40 }), (samples, pieces) => {
      let walk: Walk | undefined;
      let done = 0;
      for (const piece of [...pieces, samples.length]) {
        // The sample walked last is read again with those that came since; now and then nothing came.
        walk = walkRules(rules, walk, samples.slice(Math.max(0, done - 1), done + piece));
        done = Math.min(samples.length, done + piece);
      }
      expect(rules.map((rule, i) => (walk?.states[i]?.raised ? walk.states[i].since : null))).toEqual(
        rules.map((rule) => holdsSince(rule, samples)),
      );
    }),
  );
});

it('after a stretch that is not there only what is raised goes on', () => {
  const sample = (at: number, power: number): LampSample => ({
    at: begin + at * minute,
    power,
    level: 100,
    commandLevel: 100,
    relay: true,
    voltage: 226,
  });
  const shown = (walk: Walk | undefined) => rules.flatMap(({ fault }, i) => (walk?.states[i]?.raised ? [fault] : []));
  const pending = walkRules(rules, undefined, [sample(70, 100), sample(71, 1)]);
  expect(shown(walkRules(rules, pending, [sample(71, 1), sample(78, 1)]))).toEqual(['L101']);
  expect(shown(walkRules(rules, pending, [sample(300, 1)]))).toEqual([]);
  const raised = walkRules(rules, pending, [sample(71, 1), sample(78, 1)]);
  expect(shown(walkRules(rules, raised, [sample(300, 10)]))).toEqual(['L101']);
});

const elsewhere = { ratedWatts: null, shouldBeLit: () => false, isDay: () => false, manualOn: () => false };
const coverAlarms = manholeCover.alarms.flatMap((alarm) => (isSilence(alarm) ? [] : [alarm]));

it('a fault from before the readings stays until a reading says that it is over', () => {
  const had = [{ fault: 'P404', since: begin - 200 * minute }];
  const judged = (...gas: readonly (number | null)[]) =>
    judgeAlarms({
      alarms: coverAlarms,
      around: elsewhere,
      samples: gas.map((value, i) => ({ at: begin + i * minute, gas: value, battery: 80 })),
      walked: undefined,
      had,
    }).raised;
  expect(judged(null, null, null), 'the sensor dropped out').toEqual(had);
  expect(judged(null, 5, null), 'one good reading').toEqual(had);
  expect(judged(null, 5, null, 5)).toEqual([]);
});

it('without a reading a device keeps the faults that its family declares, the worst first', () => {
  const had = ['X999', 'L106', 'L112', 'P404'].map((fault, i) => ({ fault, since: begin + i }));
  const { raised } = judgeAlarms({ alarms: lampAlarms, around: elsewhere, samples: [], walked: undefined, had });
  expect(raised).toEqual([had[2], had[1]]);
});

it('a fault is over when it was so long enough, and in enough samples', () => {
  const gas = rulesOf(coverAlarms, elsewhere);
  const walked = (...samples: readonly (readonly [second: number, gas: number | null])[]) =>
    walkRules(
      gas,
      undefined,
      samples.map(([second, value]) => ({ at: begin + second * 1000, gas: value })),
    )?.states[0]?.raised ?? false;
  const raised = [
    [0, 30],
    [60, 30],
  ] as const;
  expect(walked([0, 30], [59, 30]), 'not long enough').toBe(false);
  expect(walked(...raised)).toBe(true);
  expect(walked([0, 30], [30, null], [60, 30]), 'nothing said').toBe(true);
  expect(walked(...raised, [70, 5], [129, 5]), 'not over for long enough').toBe(true);
  expect(walked(...raised, [70, 5], [130, 5])).toBe(false);
  expect(walked(...raised, [70, 5], [100, 12], [130, 5]), 'between the limits the count restarts').toBe(true);
  expect(walked(...raised, [70, 5], [100, null], [130, 5])).toBe(false);
});
