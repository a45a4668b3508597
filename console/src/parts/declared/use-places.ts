import { useState } from 'react';

/** By its number, or next to a page that was seen. */
export type Place = { readonly page: number } | { readonly after: string } | { readonly before: string };
interface Neighbours {
  readonly next?: string;
  readonly previous?: string;
}
export interface Places {
  /** How a page is asked for. */
  of(page: number): Place;
  /** Takes down what a page that is shown says of its neighbours. */
  note(page: number, neighbours: Neighbours): void;
}

/**
 * The next and the previous page of a list are asked for from where the page that is shown ends and begins: the rows
 * before them need not be counted, and none is shown twice when others come or go. The first page, and any that is
 * jumped to, goes by its number. `list` names the list: its filters, order and size.
 */
export function usePlaces(list: string): Places {
  const [kept, setKept] = useState(() => ({ list, places: createPlaces() }));
  if (kept.list === list) return kept.places;
  // Another list: nothing is known of it yet.
  const fresh = { list, places: createPlaces() };
  setKept(fresh);
  return fresh.places;
}

function createPlaces(): Places {
  const known = new Map<number, Place>();
  return {
    of: (page) => known.get(page) ?? { page },
    note: (page, { next, previous }) => {
      if (next !== undefined) known.set(page + 1, { after: next });
      if (previous !== undefined && page > 2) known.set(page - 1, { before: previous });
    },
  };
}
