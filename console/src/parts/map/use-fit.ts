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
