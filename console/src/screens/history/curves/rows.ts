import { gapsOfAll } from '../../../parts/curves/gaps.ts';
import type { Curve, Span } from '../../../parts/curves/model.ts';

/**
 * A line of the table: an instant with the index of what each curve says then (null: nothing), or a gap of all of them.
 */
export type Row = { readonly at: number; readonly indexes: readonly (number | null)[] } | { readonly gap: Span };

const startOf = (row: Row): number => ('gap' in row ? row.gap.from : row.at);

/** The curves as lines of a table, by time: the same data as the pictures, gaps told in their place. */
export function rowsOf(curves: readonly Curve[], span: Span): Row[] {
  const rows = new Map<string, { at: number; indexes: (number | null)[] }>();
  curves.forEach(({ points: { times, width } }, column) => {
    let [before, nth] = [NaN, 0];
    times.forEach((time, index) => {
      // Readings are written to the second: what several devices said within one stands in one line, the first of each
      // with the first of the others.
      const written = width > 0 ? time : Math.floor(time / 1000);
      nth = written === before ? nth + 1 : 0;
      before = written;
      const key = `${written} ${nth}`;
      const row = rows.get(key) ?? { at: time, indexes: Array.from({ length: curves.length }, () => null) };
      row.indexes[column] = index;
      rows.set(key, row);
    });
  });
  const own = curves.filter(({ moved }) => moved === undefined).map(({ points }) => points);
  return [...rows.values(), ...gapsOfAll(own, span).map((gap) => ({ gap }))].toSorted(
    (one, other) => startOf(one) - startOf(other) || Number('gap' in one) - Number('gap' in other),
  );
}
