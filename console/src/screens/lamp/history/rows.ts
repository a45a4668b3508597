import { gapsOfAll } from '../../../parts/curves/gaps.ts';
import type { Curve, Span } from '../../../parts/curves/model.ts';

/** A line of the table: an instant with the index of what each curve says then (null: nothing), or a gap of all of them. */
export type Row = { readonly at: number; readonly indexes: readonly (number | null)[] } | { readonly gap: Span };

const startOf = (row: Row): number => ('gap' in row ? row.gap.from : row.at);

/** The curves as lines of a table, by time: the same data as the pictures, gaps told in their place. */
export function rowsOf(curves: readonly Curve[], span: Span): Row[] {
  const at = new Map<number, (number | null)[]>();
  curves.forEach(({ points: { times } }, column) => times.forEach((time, index) => {
    const row = at.get(time) ?? Array.from({ length: curves.length }, () => null);
    row[column] = index;
    at.set(time, row);
  }));
  const own = curves.filter(({ moved }) => moved === undefined).map(({ points }) => points);
  const rows: Row[] = [...at].map(([time, indexes]) => ({ at: time, indexes }));
  return [...rows, ...gapsOfAll(own, span).map((gap) => ({ gap }))].toSorted((one, other) => startOf(one) - startOf(other) || Number('gap' in one) - Number('gap' in other));
}
