import { useEffect, useRef } from 'react';

/** Frames: what was busy while its call was on its way can have the focus again in the second or third. */
const patience = 30;

/**
 * Once nothing is asked any more, gives the focus back to what had it before. A button that sends may be disabled meanwhile and has lost it by
 * the time the server's question is there, so the element is remembered that had it last.
 */
export function useFocusBack(isAsking: boolean): void {
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsking) return undefined;
    let frame = 0;
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement) before.current = target;
    };
    const giveBack = (left: number): void => {
      // Whoever has gone elsewhere stays there.
      if (document.activeElement !== document.body) return;
      before.current?.focus({ preventScroll: true });
      if (left > 0) frame = requestAnimationFrame(() => giveBack(left - 1));
    };
    giveBack(patience);
    document.addEventListener('focusin', remember);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', remember);
    };
  }, [isAsking]);
}
