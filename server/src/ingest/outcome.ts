/** What was wrong with a message, or with one of its readings (counted from 0); `detail`: names, values, times. */
export interface Problem {
  readonly reading: number | null;
  readonly reason: string;
  readonly detail: string | null;
}

/** What became of one message, for whoever waits for more than its acknowledgement. */
export interface Outcome {
  /** Readings that are in the history now and were not before. */
  stored: number;
  /** Readings that were there already. */
  duplicates: number;
  readonly problems: Problem[];
}

export const newOutcome = (): Outcome => ({ stored: 0, duplicates: 0, problems: [] });
