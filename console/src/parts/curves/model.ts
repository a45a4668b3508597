import { qualities } from '../../../../contract/history/history.ts';

/** A span of time, epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export { qualities };
/** How good a value is. */
export type Quality = (typeof qualities)[number];

/**
 * One quantity of one thing over time, in columns by ascending instants (epoch ms, the beginning of a bucket). Nothing
 * is drawn over `gaps`, where nothing was reported.
 */
export interface Points {
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Least and greatest of each bucket; absent of single readings. */
  readonly lows?: readonly number[];
  readonly highs?: readonly number[];
  /** The worst quality of each; absent: all measured. */
  readonly flags?: readonly Quality[];
  /** Milliseconds that a bucket lasts; 0: single readings. */
  readonly width: number;
  readonly gaps: readonly Span[];
  /** Instants of values that were out of their range and are not known. */
  readonly bad?: readonly number[];
}

/**
 * What a curve looks like: index into the series colours, and a dash where colours repeat or a comparison is meant.
 * `reference`: thin grey, a plan or another night, which has no value at its end.
 */
export interface Pen {
  readonly color: number | 'light' | 'reference';
  readonly dash: readonly number[];
}

export interface Curve {
  readonly key: string;
  readonly name: string;
  /** Its name where what is measured stands beside it already; absent: the same. */
  readonly brief?: string;
  readonly unit: string;
  readonly decimals: number;
  readonly pen: Pen;
  /** Held its value until the next reading: a switched or counted quantity. */
  readonly stepped: boolean;
  readonly axis: 0 | 1;
  readonly points: Points;
  /** Of another period, laid over this one: its instants were moved on by so many milliseconds. */
  readonly moved?: number;
  /** What its values stand for, where they are no amounts: `0` off, `1` on. */
  readonly words?: readonly string[];
}

export interface Axis {
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly decimals: number;
}

/** One picture of the stack: curves of one or two units, or lanes of things that have states instead of amounts. */
export interface Panel {
  readonly key: string;
  readonly title: string;
  /** How its curves are called above it, in their order; absent: there is nothing to tell apart. */
  readonly legend?: readonly string[];
  readonly kind: 'lines' | 'lanes';
  readonly axes: readonly Axis[];
  readonly curves: readonly Curve[];
  readonly height: number;
  /** Permitted ends of a range, as dotted lines. */
  readonly limits?: readonly number[];
  /** Where nothing was reported; absent: where none of its curves has anything. */
  readonly gaps?: readonly Span[];
}
