import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { isWithin, rowsOf, type TreeNode, type TreeRow, type TreeSource } from './model.ts';
import { MoveBar } from './MoveBar.tsx';
import { dropOf, markOf, placeAt, type Drop, type MayDrop, type Place } from './places.ts';
import { TreeLine } from './TreeLine.tsx';
import { useMove } from './use-move.ts';
import { usePointerDrag } from './use-pointer-drag.ts';
import { useTreeFocus } from './use-tree-focus.ts';
import { useMeasures, useWindow, windowedFrom } from './use-window.ts';
import styles from './tree.module.css';

/**
 * What was brought into sight: effects run again whenever a tab is shown again, and a tree that is drawn anew has not
 * been asked anew.
 */
const revealed = new WeakSet<object>();

export interface TreeProps<N extends TreeNode> {
  label: string;
  source: TreeSource<N>;
  open: ReadonlySet<number>;
  /** A node is opened or closed; the screen fetches what is missing. */
  onOpenChange: (node: N, open: boolean) => void;
  /** The node's name: for letters typed, for announcements, for the drag's shadow. */
  textOf: (node: N) => string;
  /** What stands on the line; its name first. */
  children: (node: N) => ReactNode;
  /** Buttons at the end of the line; they take this tabIndex, so that only the current line's are in the tab order. */
  renderActions?: (node: N, tabIndex: 0 | -1) => ReactNode;
  /** Enter and double click. */
  onActivate?: (node: N) => void;
  /** Told when a line is chosen; `selected` then marks one. */
  onSelect?: (node: N) => void;
  selected?: number | null;
  /** A failed fetch of a node's children is tried again. */
  onRetry?: (node: N) => void;
  mayDrag?: (node: N) => boolean;
  mayDrop?: MayDrop<N>;
  onDrop?: (drop: Drop<N>) => void;
  /** Let go where it may not be: the reason that stood beside the pointer. */
  onRefused?: (reason: string) => void;
  /** A node to bring into sight and focus, its line already there; every new object does it again, once. */
  reveal?: { readonly id: number } | null;
}

/**
 * A lazy tree by the ARIA tree pattern: arrows, Home, End, letters; nodes are moved by mouse, pen, finger (grip) or
 * without dragging: Space or Ctrl X picks up, arrows choose the place, Enter puts down. Long trees draw only what is in
 * sight.
 */
export function Tree<N extends TreeNode>(props: TreeProps<N>) {
  const { source, open, onOpenChange, textOf, mayDrag, mayDrop, onDrop } = props;
  const { t } = useTranslation('tree');
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(source, open), [source, open]);
  const { rowHeight, indent } = useMeasures(tree);
  const windowed = rows.length > windowedFrom;
  const shown = useWindow(tree, rows.length, rowHeight);
  const show = (index: number): void => {
    const element = tree.current;
    if (!windowed || element === null) return;
    if (index * rowHeight < element.scrollTop) element.scrollTop = index * rowHeight;
    else if ((index + 1) * rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = (index + 1) * rowHeight - element.clientHeight;
  };
  const focus = useTreeFocus({ tree, rows, textOf, onOpenChange, show });
  // Between the page's scrolling and the tree's own the line in hand stays in sight.
  const showActive = useEffectEvent(() => {
    if (windowed) show(focus.index);
    else tree.current?.querySelector('[role="treeitem"][tabindex="0"]')?.scrollIntoView?.({ block: 'nearest' });
  });
  const wasWindowed = useRef(windowed);
  useLayoutEffect(() => {
    if (wasWindowed.current !== windowed) showActive();
    wasWindowed.current = windowed;
  }, [windowed]);
  const { reveal = null } = props;
  const showRevealed = useEffectEvent((id: number) => focus.focus(id));
  useEffect(() => {
    if (reveal === null || revealed.has(reveal)) return;
    revealed.add(reveal);
    showRevealed(reveal.id);
  }, [reveal]);
  const move = useMove(rows, mayDrop);
  const [said, setSaid] = useState('');
  const [over, setOver] = useState<Place<N> | string | null>(null);
  const rowById = (id: number | null): TreeRow<N> | undefined => rows.find(({ node }) => node.id === id);

  const put = (moved: TreeRow<N>, place: Place<N>): void => {
    const drop = dropOf(moved, place);
    if (place.where === 'inside' && place.row.state !== 'open') onOpenChange(place.row.node, true);
    setSaid(t('move.done', { name: textOf(moved.node) }));
    focus.focus(moved.node.id);
    onDrop?.(drop);
  };
  const drag = usePointerDrag({
    scroller: tree,
    onOver: (id, share, left) => {
      const [moved, row] = [rowById(drag.dragged), rowById(id)];
      const inItself = moved && row && row !== moved && isWithin(row, moved.node.id);
      const place = inItself
        ? t('move.inItself', { name: textOf(moved.node) })
        : moved && row && mayDrop
          ? placeAt(rows, moved, row, { share, level: Math.max(1, Math.floor(left / indent)) }, mayDrop)
          : null;
      setOver((before) => (isSame(before, place) ? before : place));
    },
    onRest: (id) => {
      const row = rowById(id);
      if (row?.state === 'closed' && id !== drag.dragged) onOpenChange(row.node, true);
    },
    onEnd: (dropped) => {
      const moved = rowById(drag.dragged);
      if (dropped && typeof over === 'string') {
        setSaid(over);
        props.onRefused?.(over);
      } else if (dropped && moved && over !== null && typeof over !== 'string') put(moved, over);
      setOver(null);
    },
  });

  const begin = (row: TreeRow<N> | undefined): void => {
    if (!row || !mayDrag?.(row.node)) return;
    focus.focus(row.node.id);
    const begun = move.begin(row);
    setSaid(t(begun ? 'move.begun' : 'move.nowhere', { name: textOf(row.node) }));
  };
  const giveUp = (): void => {
    setSaid(t('move.givenUp', { name: move.current ? textOf(move.current.row.node) : '' }));
    if (move.current) focus.focus(move.current.row.node.id);
    move.end();
  };
  const putDown = (): void => {
    if (!move.current) return;
    const { row, place } = move.current;
    move.end();
    put(row, place);
  };
  const onMoveKey = (event: KeyboardEvent): boolean => {
    // A key held down picked the node up: it does not put it down as well.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) return true;
    if (event.key === 'ArrowRight' && move.current?.place.row.state === 'closed')
      onOpenChange(move.current.place.row.node, true);
    else if (event.key === 'Tab') return false;
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') putDown();
    else
      (
        {
          ArrowDown: () => move.step(1),
          ArrowUp: () => move.step(-1),
          Home: move.first,
          End: move.last,
          ArrowLeft: move.outwards,
          Enter: putDown,
          ' ': putDown,
          Escape: giveUp,
        } as Record<string, (() => void) | undefined>
      )[event.key]?.();
    return true;
  };
  const onRowKey = (event: KeyboardEvent): boolean => {
    const { active } = focus;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'x' && active && mayDrag?.(active.node)) {
      begin(active);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === ' ' && active) {
      if (props.onSelect) props.onSelect(active.node);
      else begin(active);
      return true;
    }
    if (event.key === 'Enter' && active) {
      (props.onActivate ?? props.onSelect)?.(active.node);
      return true;
    }
    return focus.onArrow(event.key) || focus.onLetter(event.key, event.timeStamp);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const onLine = event.target instanceof Element && event.target.getAttribute('role') === 'treeitem';
    // A button on the line answers its own keys; while something is moved Escape belongs to the move everywhere.
    const done = move.current ? (onLine || event.key === 'Escape') && onMoveKey(event) : onLine && onRowKey(event);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const place = drag.dragged !== null ? (typeof over === 'string' ? null : over) : (move.current?.place ?? null);
  const mark = place ? markOf(rows, place) : undefined;
  const movedId = drag.dragged ?? move.current?.row.node.id;
  const whither = move.current
    ? t(`move.at.${move.current.place.where}`, { name: textOf(move.current.place.row.node) })
    : '';
  const activeId = focus.active?.node.id;
  return (
    <div className={styles.whole} role="presentation" onKeyDown={onKeyDown}>
      {move.current ? (
        <MoveBar move={move.current} textOf={textOf} onStep={move.step} onPut={putDown} onGiveUp={giveUp} />
      ) : null}
      <div
        ref={tree}
        role="tree"
        aria-label={props.label}
        className={styles.tree}
        data-windowed={windowed || undefined}
        data-dragging={drag.dragged !== null || undefined}
      >
        {windowed ? <div role="presentation" style={{ height: shown.from * rowHeight }} /> : null}
        {rows.map((row, index) =>
          (index < shown.from || index >= shown.to) && row.node.id !== activeId && row.node.id !== movedId ? null : (
            <TreeLine
              key={row.node.id}
              row={row}
              text={textOf(row.node)}
              active={row.node.id === activeId}
              selected={props.onSelect ? props.selected === row.node.id : undefined}
              mark={mark?.id === row.node.id ? mark : undefined}
              moved={movedId === row.node.id}
              apart={index < shown.from || index >= shown.to}
              onFocus={() => focus.select(row.node.id)}
              onToggle={() => onOpenChange(row.node, row.state === 'closed')}
              onChoose={(share) => {
                if (!move.current || !mayDrop) return props.onSelect?.(row.node);
                const chosen = placeAt(rows, move.current.row, row, { share, level: row.level }, mayDrop);
                return chosen !== null && typeof chosen !== 'string' ? move.choose(chosen) : undefined;
              }}
              onActivate={() => {
                if (!move.current) props.onActivate?.(row.node);
              }}
              onRetry={props.onRetry && (() => props.onRetry?.(row.node))}
              {...(mayDrag?.(row.node) && onDrop
                ? {
                    onPress: (event) => {
                      if (!move.current) drag.press(row.node.id, event);
                    },
                    onGrip: () => (move.current ? giveUp() : begin(row)),
                  }
                : {})}
              actions={props.renderActions?.(row.node, row.node.id === activeId ? 0 : -1)}
            >
              {props.children(row.node)}
            </TreeLine>
          ),
        )}
        {windowed ? <div role="presentation" style={{ height: (rows.length - shown.to) * rowHeight }} /> : null}
      </div>
      {drag.pointer && drag.dragged !== null ? (
        <div
          className={styles.ghost}
          data-refused={typeof over === 'string' || undefined}
          style={{ left: drag.pointer.x + 14, top: drag.pointer.y + 12 }}
          aria-hidden
        >
          {typeof over === 'string' ? (
            <>
              <Icon name="warning" size={13} />
              {over}
            </>
          ) : (
            textOf(rowById(drag.dragged)?.node as N)
          )}
        </div>
      ) : null}
      <div className="visually-hidden" aria-live="assertive">
        {said}
      </div>
      <div className="visually-hidden" aria-live="assertive">
        {whither}
      </div>
    </div>
  );
}

function isSame<N extends TreeNode>(a: Place<N> | string | null, b: Place<N> | string | null): boolean {
  if (a === null || b === null || typeof a === 'string' || typeof b === 'string') return a === b;
  return a.row === b.row && a.where === b.where;
}
