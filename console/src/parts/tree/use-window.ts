import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** Longer trees draw only the lines in sight; shorter ones may wrap their lines. */
export const windowedFrom = 200;
/** Lines drawn beyond the edges, so that scrolling shows no gap; the window moves on in steps, not with every pixel. */
const spare = 14;
const step = 6;
/** Where nothing can be measured (a page that is not laid out), about one screen. */
const fallbackHeight = 640;

/** First and last line (exclusive) in sight of a scroller whose lines all have one height, pixels. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): { from: number; to: number } {
  const [view, setView] = useState({ first: 0, lines: Math.ceil(fallbackHeight / rowHeight) });
  const active = count > windowedFrom;
  useEffect(() => {
    const element = scroller.current;
    if (!active || element === null) return undefined;
    const look = (): void => {
      const first = Math.floor(element.scrollTop / rowHeight / step) * step;
      const lines = Math.ceil((element.clientHeight || fallbackHeight) / rowHeight) + step;
      setView((before) => (before.first === first && before.lines === lines ? before : { first, lines }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [active, scroller, rowHeight]);
  if (!active) return { from: 0, to: count };
  return { from: Math.max(0, view.first - spare), to: Math.min(count, view.first + view.lines + spare) };
}

/** Pixels of a line's height and of a level's indent, as the style sheet gives them (phones differ). */
export function useMeasures(scroller: RefObject<HTMLElement | null>): { rowHeight: number; indent: number } {
  const [measures, setMeasures] = useState({ rowHeight: 40, indent: 22 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    const [rowHeight, indent] = [
      Number.parseFloat(style.getPropertyValue('--tree-row')),
      Number.parseFloat(style.getPropertyValue('--tree-indent')),
    ];
    if (rowHeight > 0 && indent > 0) setMeasures({ rowHeight, indent });
  }, [scroller]);
  return measures;
}
