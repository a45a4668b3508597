import { useState, type HTMLAttributes, type KeyboardEvent } from 'react';
import type { ListRow } from './batch.ts';

/** The row that an arrow key means; skips what is no row (the hidden copy of the head). */
function beside(row: Element, key: string): Element | null {
  const way = { ArrowUp: 'previousElementSibling', ArrowDown: 'nextElementSibling' } as const;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const next = row[way[key]];
  return next?.matches('[data-row-key]') === true ? next : null;
}

/** Rows of a table that are reached by keyboard: one of them by Tab, the others by arrows; Enter opens. */
export function useRowFocus<R extends ListRow>(
  rows: readonly R[],
  open: ((row: R) => void) | undefined,
): ((row: R, index?: number) => HTMLAttributes<HTMLElement>) | undefined {
  const [at, setAt] = useState<number | null>(null);
  if (open === undefined) return undefined;
  const current = rows.find(({ id }) => id === at)?.id ?? rows[0]?.id;
  return (row) => ({
    tabIndex: row.id === current ? 0 : -1,
    onFocus: ({ target, currentTarget }) => {
      if (target === currentTarget) setAt(row.id);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Keys in a button or a field of the row are its own.
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = beside(event.currentTarget, event.key);
      if (next instanceof HTMLElement) next.focus();
      else if (event.key === 'Enter') open(row);
      else return;
      event.preventDefault();
    },
  });
}
