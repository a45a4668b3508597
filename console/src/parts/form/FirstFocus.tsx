import { useEffect, useRef, type ReactNode } from 'react';

/** Frames: a dialog is shown in the second. */
const patience = 30;
/** Whoever has begun elsewhere stays there: a choice that has just been opened would close again. */
const begun = ['pointerdown', 'mousedown', 'keydown', 'input'] as const;

/**
 * What a dialog begins with. A dialog is drawn hidden at first, where `autoFocus` has no effect, and puts the focus on
 * its close button, where Enter gives up what was to be done.
 */
export function FirstFocus({ children }: { children: ReactNode }) {
  const around = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const first = around.current?.querySelector<HTMLElement>('input, textarea, button');
    if (!first) return undefined;
    let frame = 0;
    const stop = (): void => {
      cancelAnimationFrame(frame);
      for (const kind of begun) document.removeEventListener(kind, stop, true);
    };
    const look = (left: number): void => {
      first.focus({ preventScroll: true });
      if (left > 0 && document.activeElement !== first) frame = requestAnimationFrame(() => look(left - 1));
      else stop();
    };
    for (const kind of begun) document.addEventListener(kind, stop, true);
    frame = requestAnimationFrame(() => look(patience));
    return stop;
  }, []);
  return (
    <span ref={around} style={{ display: 'contents' }}>
      {children}
    </span>
  );
}
