import { use, useEffect, useEffectEvent, useState } from 'react';
import { isKey, isSingle, useSingleKeys } from '../../frame/single-keys.ts';
import { TabKeyContext, TabStoreContext } from '../../frame/tabs/tab-context.ts';
import type { ListRow } from './batch.ts';

const fields = 'input, textarea, select, [role="combobox"], [role="listbox"], [contenteditable]';
/** A drawer has the focus for itself, and no question stands before it: the keys of the list go on from here. */
const isFree = (event: KeyboardEvent): boolean => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (event.target instanceof Element && event.target.closest(fields) !== null) return false;
  const modal = document.querySelectorAll('[role="dialog"][aria-modal="true"]').length;
  return modal === 1 || (modal === 0 && !isSingle(event));
};

/** The list's own drawer, which shows one row. */
export interface OwnPeek<R> {
  readonly id: number | null;
  readonly show: (row: R) => void;
  /** V on the row that it shows: puts the focus into it. */
  readonly enter?: () => void;
}

export interface Peek<R> {
  /** The row that is looked at, in whatever shows it. */
  readonly id: number | null;
  /** The row for the list's side panel; null: nothing, or the list has a drawer of its own. */
  readonly row: R | null;
  readonly show: (row: R) => void;
  readonly close: () => void;
}

/**
 * Which row is looked at; J and K go on to the next one while the drawer of the list has the focus, unless the page holds
 * unsaved input. The list's own side panel closes when its row is no longer on the page.
 */
export function usePeek<R extends ListRow>(rows: readonly R[], own: OwnPeek<R> | undefined): Peek<R> {
  const [at, setAt] = useState<number | null>(null);
  const [on] = useSingleKeys();
  const row = own === undefined ? (rows.find(({ id }) => id === at) ?? null) : null;
  if (own === undefined && at !== null && row === null) setAt(null);
  const shown = own === undefined ? (row?.id ?? null) : own.id;
  const tabs = use(TabStoreContext);
  const tab = use(TabKeyContext) ?? '';
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (own === undefined || !on || !isFree(event)) return;
    const way = isKey(event, 'J') ? 1 : isKey(event, 'K') ? -1 : 0;
    const place = rows.findIndex(({ id }) => id === shown);
    const next = way === 0 || place < 0 ? undefined : rows[place + way];
    if (next === undefined || tabs?.getState().unsaved.has(tab) === true) return;
    event.preventDefault();
    own.show(next);
  });
  useEffect(() => {
    if (shown === null) return undefined;
    const listen = (event: KeyboardEvent): void => pressed(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [shown]);
  return {
    id: shown,
    row,
    show: own === undefined ? ({ id }) => setAt(id) : own.show,
    close: () => setAt(null),
  };
}
