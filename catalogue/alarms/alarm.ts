/** One reading of a device: device time in ms, values by quantity; null or absent: not reported, or implausible. */
export type Sample = { readonly at: number } & {
  readonly [quantity: string]: number | boolean | string | null | undefined;
};

/** A measured value of a reading; null: it has none. */
export const numberIn = (sample: Sample, quantity: string): number | null => {
  const value = sample[quantity];
  return typeof value === 'number' ? value : null;
};
/** A flag of a reading; null: it has none. */
export const flagIn = (sample: Sample, quantity: string): boolean | null => {
  const value = sample[quantity];
  return typeof value === 'boolean' ? value : null;
};

/** What a condition may know of a device besides its readings. Times are milliseconds since 1970. */
export interface Circumstances {
  readonly ratedWatts: number | null;
  readonly shouldBeLit: (at: number) => boolean;
  /** Between sunrise + margin and sunset − margin. */
  readonly isDay: (at: number, marginSeconds: number) => boolean;
  /** A manual command kept the lamp on at that time. */
  readonly manualOn: (at: number) => boolean;
}

/** A condition that is more than a limit. `holds` answers null where a reading says nothing about it. */
export interface Computed {
  /** Quantities that it needs. */
  readonly reads: readonly string[];
  readonly holds: (sample: Sample, around: Circumstances) => boolean | null;
}
/** A limit of one quantity, judged only where `where` holds: elsewhere the condition does not. */
type Limit = { readonly quantity: string; readonly where?: Computed } & (
  | { readonly above: number }
  | { readonly below: number }
);
export type Condition = Limit | Computed;

interface Declared {
  /** Key of its name and of what to do about it (`fault`, `whatToDo` in `locales`). */
  readonly code: string;
  /** 1 severe, 2 moderate, 3 normal. */
  readonly level: 1 | 2 | 3;
  /** A cause takes other devices along; a symptom may be the effect of one. */
  readonly role: 'cause' | 'symptom';
}

/**
 * Raised and cleared by what a device reports. A condition must have held that long in device time, and in so many
 * readings in a row. Between `raise` and `clear` nothing changes.
 */
export interface SampleAlarm extends Declared {
  /** `lit`: only while the lamp should burn; otherwise it is over. */
  readonly counts: 'always' | 'lit';
  /** Alarms of the same device that say the same more exactly: while one of them is raised, this one is not. */
  readonly explainedBy?: readonly string[];
  readonly raise: Condition;
  readonly delaySeconds: number;
  readonly samples: number;
  readonly clear: Condition;
  readonly clearDelaySeconds: number;
  readonly clearSamples: number;
}

/** Raised when nothing is heard for so many reporting periods; over with the next message. */
export interface SilenceAlarm extends Declared {
  /** `powered`: not while the device is without power. */
  readonly counts: 'always' | 'powered';
  readonly silence: { readonly periods: number; readonly minSeconds: number };
}

export type Alarm = SampleAlarm | SilenceAlarm;

export const isSilence = (alarm: Alarm): alarm is SilenceAlarm => 'silence' in alarm;

/** Quantities that an alarm is judged from. */
export const readBy = (alarm: SampleAlarm): string[] =>
  [alarm.raise, alarm.clear].flatMap((condition) =>
    'reads' in condition ? condition.reads : [condition.quantity, ...(condition.where?.reads ?? [])],
  );

/** What raises an alarm that has a limit: a value on this side of it. */
export interface AlarmLimit {
  readonly quantity: string;
  readonly side: 'above' | 'below';
  readonly value: number;
}

/** The limit of an alarm; null: it is raised by more than a limit. */
export function limitOf({ raise }: SampleAlarm): AlarmLimit | null {
  if ('reads' in raise) return null;
  const { quantity } = raise;
  return 'above' in raise
    ? { quantity, side: 'above', value: raise.above }
    : { quantity, side: 'below', value: raise.below };
}

/** The alarm with another limit. The one that clears it keeps its distance. */
export function withLimit(alarm: SampleAlarm, value: number): SampleAlarm {
  const limit = limitOf(alarm);
  if (limit === null) return alarm;
  const by = value - limit.value;
  return { ...alarm, raise: moved(alarm.raise, by), clear: moved(alarm.clear, by) };
}

function moved(condition: Condition, by: number): Condition {
  if ('reads' in condition) return condition;
  return 'above' in condition
    ? { ...condition, above: condition.above + by }
    : { ...condition, below: condition.below + by };
}

/** Both conditions may hold at one value: such an alarm would be raised and cleared by the same reading. */
export function overlaps({ raise, clear }: SampleAlarm): boolean {
  if ('reads' in raise || 'reads' in clear || raise.quantity !== clear.quantity) return false;
  if ('above' in raise) return 'above' in clear || clear.below > raise.above;
  return 'below' in clear || clear.above < raise.below;
}
