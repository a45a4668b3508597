import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import styles from './MapCanvas.module.css';
import type { ScreenPoint } from './map-view.ts';
import { useEscape } from './use-escape.ts';

interface Props {
  /** What to do, and how by keyboard. */
  hint: string;
  label: string;
  /** A setting of the drawing that stands beside the map: after a change of it the pane has its focus back. */
  setting?: string;
  onDone: (corners: readonly ScreenPoint[]) => void;
  onCancel: () => void;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** A click so near to the one before is its double. */
const SAME_PIXELS = 4;

/**
 * A pane over the map on which a polygon is drawn: each click a corner, double click or Enter ends it, Backspace takes
 * the last one back, Escape leaves, also from beside the pane. By keyboard the cross is moved by arrows (further with Shift) and the space bar
 * sets a corner.
 */
export function PolygonSelect({ hint, label, setting, onDone, onCancel }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const [corners, setCorners] = useState<readonly ScreenPoint[]>([]);
  const [cross, setCross] = useState<ScreenPoint | null>(null);
  useEscape(onCancel);
  useEffect(() => {
    pane.current?.focus();
    // An arrow key among radio buttons moves focus to the next one after this.
    const frame = requestAnimationFrame(() => pane.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [setting]);
  const at = (event: PointerEvent): ScreenPoint => {
    const box = pane.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const end = (all: readonly ScreenPoint[]): void => {
    if (all.length >= 3) onDone(all);
  };
  const click = (point: ScreenPoint): void => {
    const last = corners.at(-1);
    if (last && Math.hypot(last.x - point.x, last.y - point.y) < SAME_PIXELS) end(corners);
    else setCorners([...corners, point]);
  };
  const press = (event: KeyboardEvent): void => {
    const middle = { x: (pane.current?.clientWidth ?? 0) / 2, y: (pane.current?.clientHeight ?? 0) / 2 };
    const step = steps[event.key];
    if (step) {
      const far = event.shiftKey ? 60 : 12;
      const from = cross ?? middle;
      setCross({ x: from.x + step[0] * far, y: from.y + step[1] * far });
    } else if (event.key === ' ') click(cross ?? middle);
    else if (event.key === 'Enter') end(corners);
    else if (event.key === 'Backspace') setCorners(corners.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const outline = [...corners, ...(cross ? [cross] : [])].map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <div
      ref={pane}
      className={styles.boxPane}
      role="application"
      aria-label={label}
      tabIndex={0}
      onKeyDown={press}
      onPointerMove={(event) => setCross(at(event))}
      onPointerUp={(event) => click(at(event))}
    >
      <span className={styles.boxHint}>{hint}</span>
      <svg className={styles.outline} aria-hidden>
        <polygon points={outline} />
        {corners.map(({ x, y }, index) => (
          <circle key={index} cx={x} cy={y} r="4" />
        ))}
        {cross ? <path d={`M${cross.x - 9} ${cross.y}h18M${cross.x} ${cross.y - 9}v18`} /> : null}
      </svg>
    </div>
  );
}
