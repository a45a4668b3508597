import { useEffect, useEffectEvent, type RefObject } from 'react';
import type { MapView, ScreenPoint } from './map-view.ts';

/** Says whether something more important stands where this child would. */
type Covered = (point: ScreenPoint, child: HTMLElement) => boolean;

/**
 * Keeps elements at their places on the map without React: each child of `root` with `data-x` and `data-y` (local
 * units) is moved by `transform` as the map moves, and taken out of the way when it is outside of the window or when
 * `covered` says that something more important stands there.
 */
export function useFollow(root: RefObject<HTMLElement | null>, view: MapView, covered?: Covered): void {
  const follow = useEffectEvent(() => place(root.current, view, covered));
  useEffect(() => {
    const moved = view.map.on('move', () => follow());
    const resized = view.map.on('resize', () => follow());
    return () => {
      moved.unsubscribe();
      resized.unsubscribe();
    };
  }, [view]);
  // What was drawn anew may stand elsewhere.
  useEffect(() => follow());
}

function place(root: HTMLElement | null, view: MapView, covered?: Covered): void {
  const { clientWidth, clientHeight } = view.map.getCanvas();
  for (const child of root?.children ?? []) {
    if (!(child instanceof HTMLElement) || child.dataset.x === undefined) continue;
    const point = view.toScreen(Number(child.dataset.x), Number(child.dataset.y));
    const outside = point.x < -80 || point.y < -40 || point.x > clientWidth + 80 || point.y > clientHeight + 40;
    child.hidden = outside || (covered?.(point, child) ?? false);
    if (!child.hidden) child.style.transform = translate(point);
  }
}

const translate = ({ x, y }: ScreenPoint): string => `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
