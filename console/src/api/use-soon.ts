import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Runs something once within the time that is given, however often it is asked for meanwhile; not while the page is
 * hidden.
 */
export function useSoon(run: () => void): (withinMs: number) => void {
  const due = useRef<{ at: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const latest = useEffectEvent(run);
  const start = useRef<(at: number) => void>(undefined);
  useEffect(() => {
    start.current = (at) => {
      clearTimeout(due.current?.timer);
      due.current = {
        at,
        timer: setTimeout(
          () => {
            due.current = undefined;
            latest();
          },
          Math.max(0, at - Date.now()),
        ),
      };
    };
    return () => {
      clearTimeout(due.current?.timer);
      due.current = undefined;
      start.current = undefined;
    };
  }, []);
  return (withinMs) => {
    const at = Date.now() + withinMs;
    if (due.current === undefined || due.current.at > at) start.current?.(at);
  };
}
