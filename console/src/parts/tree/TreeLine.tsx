import { useId, type CSSProperties, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import type { TreeNode, TreeRow } from './model.ts';
import type { Where } from './places.ts';
import styles from './tree.module.css';

interface Props<N extends TreeNode> {
  row: TreeRow<N>;
  text: string;
  /** The one line in the tab order. */
  active: boolean;
  selected: boolean | undefined;
  /** The line of a drop is drawn here. */
  mark: { edge: Where; level: number } | undefined;
  moved: boolean;
  /** Out of sight and only there to keep the focus. */
  apart: boolean;
  onFocus: () => void;
  onToggle: () => void;
  /** A click, with how far down the line it was (0 to 1). */
  onChoose: (share: number) => void;
  onActivate: () => void;
  onRetry: (() => void) | undefined;
  onPress?: (event: PointerEvent) => void;
  onGrip?: () => void;
  actions: ReactNode;
  children: ReactNode;
}

const shareOf = (element: HTMLElement, y: number): number => {
  const { top, height } = element.getBoundingClientRect();
  return height === 0 ? 0.5 : (y - top) / height;
};

const isButton = (target: EventTarget): boolean => target instanceof Element && target.closest('button') !== null;

/** One line of the tree: twisty, content, buttons, grip; below it what an unread or empty-handed fetch has to say. */
export function TreeLine<N extends TreeNode>(props: Props<N>) {
  const { row, text, active, mark, onPress, onGrip } = props;
  const { t } = useTranslation('tree');
  const id = useId();
  const isOpen = row.state !== 'leaf' && row.state !== 'closed';
  const style = { '--level': row.level, ...(mark ? { '--mark': mark.level } : {}) } as CSSProperties;
  return (
    <div
      role="treeitem"
      data-id={row.node.id}
      className={styles.line}
      style={style}
      tabIndex={active ? 0 : -1}
      aria-labelledby={id}
      aria-level={row.level}
      aria-setsize={row.size}
      aria-posinset={row.position}
      aria-expanded={row.state === 'leaf' ? undefined : isOpen}
      aria-selected={props.selected}
      aria-busy={row.state === 'loading' || undefined}
      data-mark={mark?.edge}
      data-moved={props.moved || undefined}
      data-apart={props.apart || undefined}
      onFocus={(event) => {
        event.stopPropagation();
        props.onFocus();
      }}
      // The focus comes with the click, not with the press: lines that change their height with it would slip away
      // below the pointer.
      onMouseDown={(event) => {
        if (!isButton(event.target)) event.preventDefault();
      }}
      onClick={(event) => {
        if (isButton(event.target)) return;
        event.currentTarget.focus({ preventScroll: true });
        props.onChoose(shareOf(event.currentTarget, event.clientY));
      }}
      onDoubleClick={(event) => {
        if (!isButton(event.target)) props.onActivate();
      }}
      // A finger on the line scrolls; it drags by the grip alone.
      onPointerDown={(event) => {
        if (event.pointerType !== 'touch' && !isButton(event.target)) onPress?.(event);
      }}
    >
      {row.state === 'leaf' ? (
        <span className={styles.twisty} />
      ) : (
        <span
          className={styles.twisty}
          data-open={isOpen || undefined}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            event.currentTarget.parentElement?.focus({ preventScroll: true });
            props.onToggle();
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <Icon name="right" size={14} />
        </span>
      )}
      <span id={id} className={styles.content}>
        {props.children}
      </span>
      {row.state === 'loading' ? (
        <span className={styles.note} role="status">
          {t('loading')}
        </span>
      ) : null}
      {row.state === 'failed' ? (
        <span className={styles.failed} role="alert">
          {t('failed')}
          {props.onRetry ? (
            <button type="button" className={styles.retry} tabIndex={active ? 0 : -1} onClick={props.onRetry}>
              {t('retry')}
            </button>
          ) : null}
        </span>
      ) : null}
      {props.actions ? <span className={styles.actions}>{props.actions}</span> : null}
      {onGrip && onPress ? (
        <button
          type="button"
          className={styles.grip}
          data-grip=""
          tabIndex={active ? 0 : -1}
          aria-label={t('grip', { name: text })}
          title={t('grip.hint')}
          onPointerDown={onPress}
          onMouseDown={(event) => event.preventDefault()}
          // A click without movement picks the node up: the way without dragging.
          onClick={onGrip}
        >
          <Icon name="drag" size={16} />
        </button>
      ) : (
        <span className={styles.noGrip} />
      )}
    </div>
  );
}
