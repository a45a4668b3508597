import { useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { linesOf, matching, stateOf, toggled, type CheckNode, type Checked, type Line } from './state.ts';
import styles from './check-tree.module.css';

interface Props {
  label: string;
  nodes: readonly CheckNode[];
  leaves: ReadonlySet<number>;
  onChange: (leaves: ReadonlySet<number>) => void;
  /** Folded nodes; a filter opens everything that it shows. */
  folded: ReadonlySet<number>;
  onFold: (folded: ReadonlySet<number>) => void;
  filter?: string;
  disabled?: boolean;
  /** Stands after a title, read out with it. */
  beside?: (node: CheckNode) => ReactNode;
}

const MARKS: Readonly<Record<Checked, string>> = { true: styles.on ?? '', mixed: styles.mixed ?? '', false: '' };

/**
 * A tree of checkboxes (ARIA tree pattern): arrows move, right and left open and fold, Space checks with all below,
 * Home and End. Parents follow their leaves.
 */
export function CheckTree({
  label,
  nodes,
  leaves,
  onChange,
  folded,
  onFold,
  filter = '',
  disabled = false,
  beside,
}: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number>();
  const shown = matching(nodes, filter);
  const isOpen = (id: number): boolean => shown !== undefined || !folded.has(id);
  const lines = linesOf(nodes, isOpen, shown);
  const current = lines.find(({ node }) => node.id === active) ?? lines[0];
  const fold = (id: number, close: boolean): void => {
    const after = new Set(folded);
    if (close) after.add(id);
    else after.delete(id);
    onFold(after);
  };
  const go = (id: number | undefined): void => {
    if (id === undefined) return;
    setActive(id);
    list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const toggle = ({ node }: Line): void => {
    if (!disabled) onChange(toggled(node, leaves));
  };
  const onKey = (event: KeyboardEvent, line: Line): void => {
    const at = lines.indexOf(line);
    const { node, parent } = line;
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => go(lines[at + 1]?.node.id),
      ArrowUp: () => go(lines[at - 1]?.node.id),
      Home: () => go(lines[0]?.node.id),
      End: () => go(lines.at(-1)?.node.id),
      ArrowRight: () =>
        node.items.length > 0 && !isOpen(node.id)
          ? fold(node.id, false)
          : node.items.length > 0
            ? go(lines[at + 1]?.node.id)
            : undefined,
      ArrowLeft: () =>
        node.items.length > 0 && isOpen(node.id) && shown === undefined ? fold(node.id, true) : go(parent),
      ' ': () => toggle(line),
      Enter: () => toggle(line),
    };
    const act = acts[event.key];
    if (act === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  return (
    <div
      ref={list}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-multiselectable
      aria-disabled={disabled || undefined}
    >
      {lines.map((line) => {
        const { node, level, position, size } = line;
        const state = stateOf(node, leaves);
        const hasItems = node.items.length > 0;
        return (
          <div
            key={node.id}
            data-id={node.id}
            className={styles.line}
            role="treeitem"
            aria-level={level}
            aria-posinset={position}
            aria-setsize={size}
            aria-checked={state}
            aria-selected={false}
            {...(hasItems ? { 'aria-expanded': isOpen(node.id) } : {})}
            tabIndex={current === line ? 0 : -1}
            style={{ '--level': level } as CSSProperties}
            onFocus={() => setActive(node.id)}
            onKeyDown={(event) => onKey(event, line)}
            onClick={() => toggle(line)}
          >
            {hasItems ? (
              <span
                className={styles.fold}
                aria-hidden
                onClick={(event) => {
                  event.stopPropagation();
                  fold(node.id, isOpen(node.id));
                }}
              >
                <Icon name={isOpen(node.id) ? 'down' : 'right'} size={12} />
              </span>
            ) : (
              <span className={styles.fold} aria-hidden />
            )}
            <span className={`${styles.box} ${MARKS[state]}`} aria-hidden>
              {state === 'true' ? (
                <Icon name="check" size={12} />
              ) : state === 'mixed' ? (
                <Icon name="minus" size={12} />
              ) : null}
            </span>
            <span className={styles.title}>{node.title}</span>
            {beside?.(node)}
          </div>
        );
      })}
    </div>
  );
}
