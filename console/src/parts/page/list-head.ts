import { createContext } from 'react';

/** Places in the head of a list page: its list draws its count, its saved views and its tools there. null until they are on the page. */
export interface ListHead {
  readonly count: HTMLElement | null;
  readonly views: HTMLElement | null;
  readonly tools: HTMLElement | null;
  readonly setCount: (place: HTMLElement | null) => void;
  readonly setViews: (place: HTMLElement | null) => void;
  readonly setTools: (place: HTMLElement | null) => void;
}

/** null outside of a list page: a list there has a bar of its own. */
export const ListHeadContext = createContext<ListHead | null>(null);
