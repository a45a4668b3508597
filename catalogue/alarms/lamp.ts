import { flagIn, numberIn, type Computed, type SampleAlarm } from './alarm.ts';

/** Holds when all parts hold; one part that does not decides, else one that says nothing leaves it open. */
const all = (...parts: readonly Computed[]): Computed => ({
  reads: parts.flatMap(({ reads }) => reads),
  holds: (sample, around) => {
    const said = parts.map(({ holds }) => holds(sample, around));
    return said.includes(false) ? false : said.includes(null) ? null : true;
  },
});
const not = ({ reads, holds }: Computed): Computed => ({
  reads,
  holds: (sample, around) => {
    const said = holds(sample, around);
    return said === null ? null : !said;
  },
});
const value = (quantity: string, test: (value: number) => boolean): Computed => ({
  reads: [quantity],
  holds: (sample) => {
    const found = numberIn(sample, quantity);
    return found === null ? null : test(found);
  },
});
/** The power against a share of the rated one. */
const power = (test: (watts: number, ratedWatts: number) => boolean): Computed => ({
  reads: ['power'],
  holds: (sample, { ratedWatts }) => {
    const watts = numberIn(sample, 'power');
    return watts === null || ratedWatts === null ? null : test(watts, ratedWatts);
  },
});
const powerAbove = (share: number) => power((watts, rated) => watts > share * rated);
const powerBelow = (share: number) => power((watts, rated) => watts < share * rated);
const commandedOn = value('commandLevel', (level) => level > 0);
const relayClosed: Computed = { reads: ['relay'], holds: (sample) => flagIn(sample, 'relay') };
/** A relay that says nothing counts as closed. */
const relayNotOpen: Computed = { reads: ['relay'], holds: (sample) => flagIn(sample, 'relay') !== false };
const day = (marginSeconds: number): Computed => ({
  reads: [],
  holds: ({ at }, { isDay }) => isDay(at, marginSeconds),
});
const manualOn: Computed = { reads: [], holds: ({ at }, around) => around.manualOn(at) };
/** Below this a lamp has no supply: an outage, neither a low voltage nor a relay that refuses. */
const supplied = value('voltage', (volts) => volts > 50);

/** What is found wrong with a lamp by its readings; of one level the most telling first. */
export const lampAlarms = [
  {
    code: 'L112',
    level: 1,
    role: 'symptom',
    counts: 'always',
    raise: all(not(commandedOn), powerAbove(0.1)),
    delaySeconds: 60,
    samples: 1,
    clear: powerBelow(0.05),
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
  {
    // The relay itself says that it stayed open; a closed relay without power is the lamp's fault (L101).
    code: 'L113',
    level: 2,
    role: 'symptom',
    counts: 'always',
    raise: all(commandedOn, not(relayClosed), powerBelow(0.1), supplied),
    delaySeconds: 60,
    samples: 1,
    clear: {
      reads: ['relay', 'power'],
      holds: (sample, around) => (flagIn(sample, 'relay') === true ? true : powerAbove(0.15).holds(sample, around)),
    },
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
  {
    code: 'L101',
    level: 2,
    role: 'symptom',
    counts: 'always',
    raise: all(commandedOn, relayNotOpen, not(powerAbove(0.05))),
    delaySeconds: 300,
    samples: 1,
    clear: powerAbove(0.15),
    clearDelaySeconds: 0,
    clearSamples: 2,
  },
  {
    code: 'L111',
    level: 2,
    role: 'symptom',
    counts: 'lit',
    explainedBy: ['L113', 'L101'],
    raise: powerBelow(0.1),
    delaySeconds: 600,
    samples: 1,
    clear: powerAbove(0.1),
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
  {
    code: 'L110',
    level: 2,
    role: 'symptom',
    counts: 'always',
    explainedBy: ['L112'],
    raise: all(day(1800), not(manualOn), powerAbove(0.1)),
    delaySeconds: 600,
    samples: 1,
    clear: powerBelow(0.05),
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
  {
    code: 'L105',
    level: 2,
    role: 'symptom',
    counts: 'always',
    raise: { quantity: 'voltage', above: 235.4 },
    delaySeconds: 0,
    samples: 3,
    clear: { quantity: 'voltage', below: 231 },
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
  {
    code: 'L106',
    level: 2,
    role: 'symptom',
    counts: 'always',
    raise: { quantity: 'voltage', below: 198, where: supplied },
    delaySeconds: 0,
    samples: 3,
    clear: { quantity: 'voltage', above: 202 },
    clearDelaySeconds: 0,
    clearSamples: 1,
  },
] as const satisfies readonly SampleAlarm[];
