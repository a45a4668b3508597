import { useEffect, useEffectEvent, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';

/**
 * A drag along the width of a box by mouse, pen or finger. `onMove` gets the share of the width since the press; Escape
 * calls it with 0 and ends the drag.
 */
export function useDrag(box: RefObject<HTMLElement | null>, onMove: (share: number) => void) {
  const [pressed, setPressed] = useState<{ x: number; width: number } | null>(null);
  const move = useEffectEvent(onMove);
  useEffect(() => {
    if (pressed === null) return undefined;
    const follow = (event: PointerEvent): void => {
      event.preventDefault();
      move((event.clientX - pressed.x) / pressed.width);
    };
    const end = (): void => setPressed(null);
    const giveUp = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      move(0);
      end();
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', giveUp, { capture: true });
    return () => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', giveUp, { capture: true });
    };
  }, [pressed]);
  return {
    active: pressed !== null,
    press(event: ReactPointerEvent): boolean {
      const width = box.current?.getBoundingClientRect().width ?? 0;
      if (event.button !== 0 || !event.isPrimary || width <= 0) return false;
      setPressed({ x: event.clientX, width });
      return true;
    },
  };
}
