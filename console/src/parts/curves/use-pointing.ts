import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { instantAt, panned, zoomed } from './geometry.ts';
import type { Curve, Span } from './model.ts';
import { nextReading } from './nearest.ts';

/** A picture of less than a minute, or of more than ten years, tells nothing. */
export const shortestMs = 60_000;
export const longestMs = 3_660 * 86_400_000;
const leastDrag = 6;

interface Parts {
  element: RefObject<HTMLElement | null>;
  span: Span;
  left: number;
  width: number;
  curves: readonly Curve[];
  /** Absent: the span stays as it is. */
  onZoom: ((span: Span) => void) | undefined;
  onBack: (() => void) | undefined;
}

/** Where somebody points, by mouse, finger or keys; and what span is marked while dragging. */
export function usePointing({ element, span, left, width, curves, onZoom, onBack }: Parts) {
  const [at, setAt] = useState<number | null>(null);
  /** Moved by keys: read out. */
  const [spoken, setSpoken] = useState(false);
  const [mark, setMark] = useState<Span | null>(null);
  const began = useRef<number | null>(null);
  const shareAt = (clientX: number): number =>
    (clientX - (element.current?.getBoundingClientRect().left ?? 0) - left) / width;
  const point = (to: number | null, byKeys = false): void => {
    setAt(to);
    setSpoken(byKeys);
  };
  const wheel = useEffectEvent((event: WheelEvent) => {
    // Without the key the wheel moves the page, unless somebody is working in the curves.
    if (!onZoom || !(event.ctrlKey || event.metaKey || element.current === document.activeElement)) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) onZoom(panned(span, Math.sign(event.deltaX) * 0.1));
    else
      onZoom(
        zoomed(span, instantAt(span, shareAt(event.clientX)), event.deltaY < 0 ? 0.8 : 1.25, shortestMs, longestMs),
      );
  });
  useEffect(() => {
    const watched = element.current;
    // React listens passively; a wheel that zooms must not move the page.
    watched?.addEventListener('wheel', wheel, { passive: false });
    return () => watched?.removeEventListener('wheel', wheel);
  }, [element]);
  const on = {
    onPointerDown: (event: PointerEvent): void => {
      const share = shareAt(event.clientX);
      // A finger points; to mark a span it would keep the page from moving.
      if (event.pointerType === 'touch') point(share < 0 || share > 1 ? null : instantAt(span, share));
      else if (event.button === 0) began.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent): void => {
      const share = shareAt(event.clientX);
      point(share < 0 || share > 1 ? null : instantAt(span, share));
      if (onZoom && began.current !== null && Math.abs(event.clientX - began.current) >= leastDrag) {
        const [one, other] = [instantAt(span, shareAt(began.current)), instantAt(span, share)];
        setMark({ from: Math.min(one, other), to: Math.max(one, other) });
      }
    },
    onPointerUp: (): void => {
      began.current = null;
      if (mark !== null && mark.to - mark.from >= shortestMs)
        onZoom?.({ from: Math.round(mark.from), to: Math.round(mark.to) });
      setMark(null);
    },
    // The finger moves the page after all.
    onPointerCancel: (): void => point(null),
    onPointerLeave: (event: PointerEvent): void => {
      if (event.pointerType === 'touch') return;
      began.current = null;
      setMark(null);
      point(null);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
      const act = keyAct(event);
      if (act === undefined) return;
      event.preventDefault();
      act();
    },
    onBlur: (): void => {
      if (spoken) point(null);
    },
  };
  function keyAct({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const here = at ?? (span.from + span.to) / 2;
    const step = (forward: boolean) => (): void => {
      let next: number | undefined = at ?? (forward ? span.from - 1 : span.to + 1);
      for (let count = shiftKey ? 10 : 1; count > 0 && next !== undefined; count -= 1)
        next = nextReading(curves, next, forward) ?? (count === 1 ? undefined : next);
      if (next !== undefined && next >= span.from && next <= span.to) point(next, true);
    };
    const zoom = (factor: number) => (): void => onZoom?.(zoomed(span, here, factor, shortestMs, longestMs));
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: step(false),
      ArrowRight: step(true),
      '+': zoom(0.5),
      '=': zoom(0.5),
      '-': zoom(2),
      Home: () => point(nextReading(curves, span.from - 1, true) ?? null, true),
      End: () => point(nextReading(curves, span.to + 1, false) ?? null, true),
      PageUp: () => onZoom?.(panned(span, -0.5)),
      PageDown: () => onZoom?.(panned(span, 0.5)),
      Backspace: () => onBack?.(),
      Escape: () => point(null),
    };
    return Object.hasOwn(acts, key) ? acts[key] : undefined;
  }
  return { at, spoken, mark, on };
}
