import {
  numberIn,
  type Circumstances,
  type Condition,
  type Sample,
  type SampleAlarm,
} from '../../../../catalogue/alarms/alarm.ts';

/**
 * One alarm over the readings of a device, oldest first. `raise` and `clear` answer null where a reading says nothing
 * about it: it changes nothing.
 */
export interface FaultRule {
  readonly fault: string;
  readonly delaySeconds: number;
  readonly samples: number;
  readonly clearDelaySeconds: number;
  readonly clearSamples: number;
  readonly raise: (sample: Sample) => boolean | null;
  readonly clear: (sample: Sample) => boolean | null;
}

/** The alarms of a family for one device, in their order. */
export const rulesOf = (alarms: readonly SampleAlarm[], around: Circumstances): FaultRule[] =>
  alarms.map((alarm) => {
    const { code, delaySeconds, samples, clearDelaySeconds, clearSamples } = alarm;
    const counts = ({ at }: Sample) => alarm.counts === 'always' || around.shouldBeLit(at);
    return {
      fault: code,
      delaySeconds,
      samples,
      clearDelaySeconds,
      clearSamples,
      raise: (sample) => counts(sample) && holds(alarm.raise, sample, around),
      clear: (sample) => (counts(sample) ? holds(alarm.clear, sample, around) : true),
    };
  });

function holds(condition: Condition, sample: Sample, around: Circumstances): boolean | null {
  if ('reads' in condition) return condition.holds(sample, around);
  const value = numberIn(sample, condition.quantity);
  if (value === null) return null;
  const beyond = 'above' in condition ? value > condition.above : value < condition.below;
  return beyond && condition.where ? condition.where.holds(sample, around) : beyond;
}
