import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Runs something at once, but not sooner than `spaceMs` after it ran last; what is asked for meanwhile runs once when
 * that has passed. `soon(0)`: in any case at once. Not while the page is hidden.
 */
export function useSpaced(run: () => void, spaceMs: number): (spaceMs?: number) => void {
  const latest = useEffectEvent(run);
  const ran = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef<(space: number) => void>(undefined);
  useEffect(() => {
    start.current = (space) => {
      clearTimeout(timer.current);
      const go = (): void => {
        timer.current = undefined;
        ran.current = Date.now();
        latest();
      };
      const wait = ran.current + space - Date.now();
      if (wait <= 0) go();
      else timer.current = setTimeout(go, wait);
    };
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      start.current = undefined;
    };
  }, []);
  return (space = spaceMs) => {
    if (timer.current === undefined || space < spaceMs) start.current?.(space);
  };
}
