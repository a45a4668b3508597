import type { MarkState } from '../state/StateMark.tsx';

/** What a map of other things than lamps calls them. */
export interface MapWords {
  /** The map itself, for people who do not see it. */
  readonly map: string;
  readonly boxHint: string;
  pill(values: { state: string; count: string; total: string }): string;
  nameOf(index: number): string;
  stateOf(index: number): string;
  markOf(index: number): MarkState;
}
