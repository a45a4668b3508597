import { useLayoutEffect, useState, type RefObject } from 'react';

/** The width of an element as it is laid out, followed; 0 before it is, and where nothing is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    const measure = (): void => setWidth(Math.floor(watched.clientWidth));
    const watch = new ResizeObserver(measure);
    watch.observe(watched);
    measure();
    return () => watch.disconnect();
  }, [element]);
  return width;
}
