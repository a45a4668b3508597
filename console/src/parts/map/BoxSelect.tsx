import { useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './MapCanvas.module.css';
import type { ScreenPoint } from './map-view.ts';
import { useEscape } from './use-escape.ts';

/** A pane over the map on which a rectangle is drawn, by mouse, pen or finger. Escape leaves it, and nothing else. */
export function BoxSelect({
  onDone,
  onCancel,
  hint,
}: {
  onDone: (from: ScreenPoint, to: ScreenPoint) => void;
  onCancel: () => void;
  hint?: string | undefined;
}) {
  const { t } = useTranslation('lamp');
  const pane = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<ScreenPoint | null>(null);
  const [to, setTo] = useState<ScreenPoint | null>(null);
  useEscape(onCancel);
  const at = (event: PointerEvent): ScreenPoint => {
    const box = pane.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  return (
    <div
      ref={pane}
      className={styles.boxPane}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(at(event));
        setTo(at(event));
      }}
      onPointerMove={(event) => from && setTo(at(event))}
      onPointerUp={(event) => {
        if (from) onDone(from, at(event));
      }}
      onPointerCancel={onCancel}
    >
      <span className={styles.boxHint}>{hint ?? t('map.boxHint')}</span>
      {from && to ? (
        <div
          className={styles.box}
          style={{
            left: Math.min(from.x, to.x),
            top: Math.min(from.y, to.y),
            width: Math.abs(to.x - from.x),
            height: Math.abs(to.y - from.y),
          }}
        />
      ) : null}
    </div>
  );
}
