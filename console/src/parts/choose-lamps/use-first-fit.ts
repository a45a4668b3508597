import { useEffect, useState } from 'react';

/**
 * The view opens on what was chosen when the map opened; from then on fitting shows all lamps. The key comes only with
 * the map: `useFit` takes the key of the first render as fitted.
 */
export function useFirstFit(isReady: boolean, chosen: ReadonlySet<number>) {
  const [first] = useState(chosen);
  const [isFitted, setFitted] = useState(false);
  const isDue = isReady && first.size > 0;
  // Effects of the map, which fits, run before those of what holds it.
  useEffect(() => {
    if (isDue) setFitted(true);
  }, [isDue]);
  return { fitKey: isDue ? 'chosen' : undefined, fitIds: isDue && !isFitted ? first : null };
}
