import { useState } from 'react';
import type { ListRow } from './batch.ts';

export interface Chosen<R> {
  /** As they were last seen. */
  readonly rows: readonly R[];
  has(id: number): boolean;
  change(rows: readonly R[], on: boolean): void;
  replace(rows: readonly R[]): void;
  clear(): void;
}

/**
 * Which rows of a list are selected, over all of its pages; another question (`of`) starts anew. `seen` are the rows
 * now on the screen.
 */
export function useChosen<R extends ListRow>(of: string, seen: readonly R[]): Chosen<R> {
  const [state, setState] = useState<{ of: string; rows: ReadonlyMap<number, R> }>({ of, rows: new Map() });
  const current = state.of === of ? state.rows : new Map<number, R>();
  if (state.of !== of) setState({ of, rows: new Map() });
  const put = (rows: ReadonlyMap<number, R>): void => setState({ of, rows });
  const newest = new Map(seen.map((row) => [row.id, row]));
  return {
    rows: [...current.values()].map((row) => newest.get(row.id) ?? row),
    has: (id) => current.has(id),
    change: (rows, on) =>
      setState((before) => {
        const next = new Map(before.of === of ? before.rows : []);
        for (const row of rows) {
          if (on) next.set(row.id, row);
          else next.delete(row.id);
        }
        return { of, rows: next };
      }),
    replace: (rows) => put(new Map(rows.map((row) => [row.id, row]))),
    clear: () => put(new Map()),
  };
}
