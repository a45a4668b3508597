import { useEffect, useEffectEvent, useState } from 'react';
import type { Span } from '../../../parts/curves/model.ts';
import type { Choice } from '../../../parts/series/address.ts';

/**
 * The wheel has rested so long before the curves are asked for anew; until then what is there is shown wider or
 * narrower.
 */
const restMs = 220;
const mostBack = 50;

/** Zooms of the curves: seen at once, asked for when they rest, and taken back one by one. */
export function useZoom(now: Choice['span'], onSpan: (span: Choice['span']) => void) {
  const [seen, setSeen] = useState<Span | null>(null);
  const [before, setBefore] = useState<readonly Choice['span'][]>([]);
  const settle = useEffectEvent(() => {
    if (seen === null) return;
    setBefore([now, ...before].slice(0, mostBack));
    setSeen(null);
    onSpan(seen);
  });
  useEffect(() => {
    if (seen === null) return undefined;
    const timer = setTimeout(settle, restMs);
    return () => clearTimeout(timer);
  }, [seen]);
  const [last, ...earlier] = before;
  return {
    seen,
    zoom: setSeen,
    forget: (): void => setBefore([]),
    back:
      last === undefined
        ? null
        : (): void => {
            setSeen(null);
            setBefore(earlier);
            onSpan(last);
          },
  };
}
