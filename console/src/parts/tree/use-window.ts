import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** Longer trees draw only the lines in sight; shorter ones may wrap their lines. */
export const windowedFrom = 200;
/** Lines drawn beyond the edges, so that scrolling shows no gap. */
const spare = 12;
/** Where nothing can be measured (a page that is not laid out), about one screen. */
const fallbackHeight = 640;

/** First and last line (exclusive) in sight of a scroller whose lines all have one height, pixels. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): { from: number; to: number } {
  const [view, setView] = useState({ top: 0, height: fallbackHeight });
  const active = count > windowedFrom;
  useEffect(() => {
    const element = scroller.current;
    if (!active || element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight || fallbackHeight });
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [active, scroller]);
  if (!active) return { from: 0, to: count };
  return { from: Math.max(0, Math.floor(view.top / rowHeight) - spare), to: Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare) };
}

/** Pixels of a line's height and of a level's indent, as the style sheet gives them (phones differ). */
export function useMeasures(scroller: RefObject<HTMLElement | null>): { rowHeight: number; indent: number } {
  const [measures, setMeasures] = useState({ rowHeight: 40, indent: 22 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    const [rowHeight, indent] = [Number.parseFloat(style.getPropertyValue('--tree-row')), Number.parseFloat(style.getPropertyValue('--tree-indent'))];
    if (rowHeight > 0 && indent > 0) setMeasures({ rowHeight, indent });
  }, [scroller]);
  return measures;
}
