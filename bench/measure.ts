/** One measured figure with its bound. `samples` are the raw values it was made from, in `unit`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The measurement fails above this. */
  readonly reach: number;
  readonly samples: readonly number[];
  /** What it was measured against in the same run, and how. */
  readonly note: string;
}

export interface Measure {
  readonly key: string;
  run(): Promise<Figure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
