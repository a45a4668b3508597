import type { PointerEvent } from 'react';
import styles from './list.module.css';

/**
 * The edge of a column's head: drawn to a side it gives the column that width, clicked twice it takes the width back.
 * For the pointer only; by keyboard widths are set in the column settings, so that a head is one stop and not two.
 */
export function ColumnEdge({ onWidth }: { onWidth: (width: number | undefined) => void }) {
  const down = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = event.currentTarget;
    const start = event.clientX;
    const width = edge.closest('th')?.offsetWidth ?? 0;
    edge.setPointerCapture(event.pointerId);
    edge.dataset['drawn'] = '';
    // The line follows at once, the table when it is let go: a hundred rows are not laid out anew with every pixel.
    const move = (to: globalThis.PointerEvent): void => {
      edge.style.translate = `${to.clientX - start}px 0`;
    };
    const end = (to: globalThis.PointerEvent): void => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', end);
      edge.removeEventListener('pointercancel', end);
      edge.style.translate = '';
      delete edge.dataset['drawn'];
      if (to.type === 'pointerup' && Math.abs(to.clientX - start) > 2) onWidth(width + to.clientX - start);
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', end);
    edge.addEventListener('pointercancel', end);
  };
  // The head below sorts when it is clicked.
  return (
    <span
      aria-hidden
      className={styles.edge}
      onPointerDown={down}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => {
        event.stopPropagation();
        onWidth(undefined);
      }}
    />
  );
}
