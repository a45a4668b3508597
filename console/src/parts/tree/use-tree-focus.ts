import { useEffect, useRef, useState, type RefObject } from 'react';
import { findTyped, type TreeNode, type TreeRow } from './model.ts';

/** Letters typed within so many milliseconds are one word. */
const wordPause = 700;

interface Parts<N extends TreeNode> {
  tree: RefObject<HTMLElement | null>;
  rows: readonly TreeRow<N>[];
  textOf: (node: N) => string;
  onOpenChange: (node: N, open: boolean) => void;
  /** Brings a line into sight that is not drawn yet. */
  show: (index: number) => void;
}

/** One line of the tree is in the tab order; arrows, Home, End and letters move on (the tree pattern of ARIA). */
export function useTreeFocus<N extends TreeNode>({ tree, rows, textOf, onOpenChange, show }: Parts<N>) {
  const [wanted, setWanted] = useState<number | null>(null);
  const pending = useRef<number | null>(null);
  const typed = useRef({ text: '', at: 0 });
  const found = rows.findIndex(({ node }) => node.id === wanted);
  // The line that had it is gone (deleted, its parent closed): the first one takes its place.
  const index = found < 0 ? 0 : found;
  const active = rows[index];

  function focus(id: number): void {
    pending.current = id;
    setWanted(id);
    const at = rows.findIndex(({ node }) => node.id === id);
    if (at >= 0) show(at);
    if (id === wanted) settle();
  }
  function settle(): void {
    if (pending.current === null) return;
    const line = tree.current?.querySelector<HTMLElement>(`[role="treeitem"][data-id="${pending.current}"]`);
    if (!line) return;
    pending.current = null;
    line.focus({ preventScroll: true });
    // Out of the window it stands at no place of its own; `show` has scrolled to where it will be.
    if (line.dataset['apart'] === undefined) line.scrollIntoView?.({ block: 'nearest' });
  }
  useEffect(settle);

  const go = (row: TreeRow<N> | undefined): void => {
    if (row) focus(row.node.id);
  };

  function onArrow(key: string): boolean {
    if (!active) return false;
    switch (key) {
      case 'ArrowDown':
        go(rows[index + 1]);
        return true;
      case 'ArrowUp':
        go(rows[index - 1]);
        return true;
      case 'Home':
        go(rows[0]);
        return true;
      case 'End':
        go(rows.at(-1));
        return true;
      case 'ArrowRight':
        if (active.state === 'closed') onOpenChange(active.node, true);
        else if (rows[index + 1]?.parent === active) go(rows[index + 1]);
        return true;
      case 'ArrowLeft':
        if (active.state !== 'leaf' && active.state !== 'closed') onOpenChange(active.node, false);
        else go(active.parent);
        return true;
      case '*':
        for (const row of rows)
          if (row.parent === active.parent && row.state === 'closed') onOpenChange(row.node, true);
        return true;
      default:
        return false;
    }
  }

  function onLetter(key: string, now: number): boolean {
    if ([...key].length !== 1 || key === ' ') return false;
    typed.current = { text: now - typed.current.at < wordPause ? typed.current.text + key : key, at: now };
    go(findTyped(rows, index, typed.current.text, textOf));
    return true;
  }
  return { active, index, focus, select: setWanted, onArrow, onLetter };
}
