import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Calls `fit` when `key` became another one than was last fitted; undefined is none yet: what is to be fitted is still
 * on its way.
 */
export function useFit(isReady: boolean, key: string | undefined, fit: () => void): void {
  const fitted = useRef(key);
  const again = useEffectEvent(fit);
  useEffect(() => {
    if (!isReady || key === undefined || fitted.current === key) return;
    fitted.current = key;
    again();
  }, [isReady, key]);
}

/**
 * Calls `reveal` when another lamp came into focus, or has a new view to be shown on; not when its tab is only shown
 * again: effects begin anew then, what was revealed is remembered. `isHere`: the lamp was picked on the map. What is
 * returned is to hear of every pick before it is taken.
 */
export function useReveal(
  view: object | null,
  focusId: number | null,
  reveal: (id: number, isHere: boolean) => void,
): (id: number | null) => void {
  const picked = useRef<number | null>(null);
  const revealed = useRef<{ readonly view: object; readonly id: number } | null>(null);
  const show = useEffectEvent(reveal);
  useEffect(() => {
    const isHere = picked.current === focusId;
    picked.current = null;
    if (revealed.current?.view === view && revealed.current.id === focusId) return;
    revealed.current = view && focusId !== null ? { view, id: focusId } : null;
    if (view && focusId !== null) show(focusId, isHere);
  }, [view, focusId]);
  return (id) => {
    // The lamp that is open already opens nothing: no change of focus would take this pick.
    picked.current = id === focusId ? null : id;
  };
}
