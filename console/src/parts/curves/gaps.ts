import type { Points, Span } from './model.ts';

/** Gaps as far as they lie within a span. */
export const gapsWithin = (gaps: readonly Span[], { from, to }: Span): Span[] =>
  gaps.flatMap((gap) =>
    gap.to > from && gap.from < to ? [{ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }] : [],
  );

/** What two lists of spans, each in order and without overlap, have in common. */
export function both(some: readonly Span[], others: readonly Span[]): Span[] {
  const common: Span[] = [];
  let [i, j] = [0, 0];
  while (i < some.length && j < others.length) {
    const [one, other] = [some[i]!, others[j]!];
    const span = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
    if (span.to > span.from) common.push(span);
    if (one.to < other.to) i += 1;
    else j += 1;
  }
  return common;
}

/** Where none of several reported anything. */
export const gapsOfAll = (all: readonly Pick<Points, 'gaps'>[], span: Span): Span[] =>
  all
    .map(({ gaps }) => gapsWithin(gaps, span))
    .reduce<Span[] | null>((common, gaps) => (common === null ? gaps : both(common, gaps)), null) ?? [];

/** Whether an instant lies in a gap, its ends not included. */
export function inGap(gaps: readonly Span[], at: number): boolean {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle]!.to <= at) low = middle + 1;
    else high = middle;
  }
  return low < gaps.length && gaps[low]!.from < at;
}
