import { useEffect, useEffectEvent } from 'react';

/** Escape leaves what is drawn on the map, wherever focus is, and nothing else: a dialog around the map stays. */
export function useEscape(onEscape: () => void): void {
  const leave = useEffectEvent(onEscape);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      leave();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, []);
}
