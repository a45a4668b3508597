import { useRef, useState, type HTMLAttributes, type KeyboardEvent, type MouseEvent } from 'react';
import { usePageKeys } from '../../frame/index.ts';
import type { ListRow } from './batch.ts';

const ways = { ArrowUp: -1, ArrowDown: 1 } as const;
/** What a press in a row belongs to by itself. */
const own =
  'a, button, input, label, select, textarea, summary, [role="button"], .ant-checkbox-wrapper, .ant-table-selection-column';

/** The row before or after one; skips what is no row (the hidden copy of the head). */
function beside(row: Element, way: -1 | 1): HTMLElement | null {
  const next = way < 0 ? row.previousElementSibling : row.nextElementSibling;
  return next instanceof HTMLElement && next.matches('[data-row-key]') ? next : null;
}

export interface RowKeys<R> {
  /** Enter. */
  readonly open: (row: R) => void;
  /** Absent: nothing can be selected. */
  readonly select?: ((row: R) => void) | undefined;
  readonly peek: (row: R) => void;
  /** V on the row that is looked at: into what shows it. */
  readonly enter?: (() => void) | undefined;
  /** The row that is looked at: moving the focus moves the peek with it. */
  readonly peeked: number | null;
}

/**
 * Rows that are reached by keyboard: one of them by Tab, the others by arrows or J and K; Enter opens, Space selects, V
 * and a click on free space peek. `within`: the list, for keys that are pressed while nothing in it has the focus.
 */
export function useRowFocus<R extends ListRow>(
  rows: readonly R[],
  { open, select, peek, enter, peeked }: RowKeys<R>,
): { readonly within: (list: HTMLElement | null) => void; readonly onRow: (row: R) => HTMLAttributes<HTMLElement> } {
  const [at, setAt] = useState<number | null>(null);
  const list = useRef<HTMLElement>(null);
  const current = rows.find(({ id }) => id === at)?.id ?? rows[0]?.id;
  const find = (id: number | null | undefined): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-row-key="${id ?? ''}"]`) ?? null;
  const walk = (way: -1 | 1) => (from: number | null) => {
    const row = find(from);
    const next = row === null ? find(current) : beside(row, way);
    if (next === null) return row !== null;
    next.focus();
    next.scrollIntoView?.({ block: 'nearest' });
    return true;
  };
  const peekAt = (id: number | null): boolean => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return false;
    if (row.id === peeked && enter) enter();
    else peek(row);
    return true;
  };
  usePageKeys({ J: walk(1), K: walk(-1), V: peekAt });
  return {
    within: (element) => {
      list.current = element;
    },
    onRow: (row) => ({
      tabIndex: row.id === current ? 0 : -1,
      onFocus: ({ target, currentTarget }) => {
        if (target !== currentTarget) return;
        setAt(row.id);
        if (peeked !== null && peeked !== row.id) peek(row);
      },
      onClick: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
        // A press in a dialog that belongs to the row arrives here too, and is not in it.
        if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(own) !== null) return;
        if (window.getSelection()?.isCollapsed === false) return;
        setAt(row.id);
        currentTarget.focus({ preventScroll: true });
        peek(row);
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        // Keys in a button or a field of the row are its own.
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        const way = ways[event.key as keyof typeof ways] as -1 | 1 | undefined;
        const next = way === undefined ? null : beside(event.currentTarget, way);
        if (next !== null) next.focus();
        else if (event.key === 'Enter') open(row);
        else if (event.key === ' ' && select) select(row);
        else return;
        event.preventDefault();
      },
    }),
  };
}
