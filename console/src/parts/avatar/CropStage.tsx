import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { moved, stepped, zoomed, type Crop } from './crop.ts';
import { draw, type Picture } from './picture.ts';
import styles from './avatar.module.css';

/** The square takes this part of the stage; around it one sees what else there is. The style sheet's --share. */
const share = 0.8;
/**
 * What a wheel's notch moves, pixels; a busy browser hands over several at once. A touchpad adds up to less than that.
 */
const wheelNotch = 100;
const leastWheel = 40;
/** A finger that moved less has tapped. */
const tapPixels = 5;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Props {
  picture: Picture;
  crop: Crop;
  onChange: (change: (crop: Crop) => Crop) => void;
}
interface Point {
  x: number;
  y: number;
}

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const spreadOf = ([one, other]: readonly Point[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;

/** Side of an element in CSS pixels, 0 until it is laid out. */
function useSide(element: HTMLElement | null): number {
  const [side, setSide] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const measure = (): void => setSide(element.clientWidth);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [element]);
  return side;
}

/**
 * Where the square is chosen: the picture lies under a fixed window and is dragged, pinched, wheeled; a tap brings that
 * point to the middle; arrow keys move it (Shift: further), + and − zoom.
 */
export function CropStage({ picture, crop, onChange }: Props) {
  const { t } = useTranslation('avatar');
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const side = useSide(stage);
  const size = picture.bitmap;

  useEffect(() => {
    if (!canvas.current || side === 0) return;
    const pixels = Math.round(side * (window.devicePixelRatio || 1));
    if (canvas.current.width !== pixels) [canvas.current.width, canvas.current.height] = [pixels, pixels];
    draw(canvas.current, picture, crop, share);
  }, [picture, crop, side]);

  // The button that chose the picture is gone: the keys go on here.
  useEffect(() => {
    handle.current?.focus();
  }, []);

  /** A point of the screen, in sides of the square from its middle. */
  const inSides = ({ x, y }: Point): Point => {
    const box = stage?.getBoundingClientRect();
    return box && box.width > 0
      ? {
          x: (x - box.left - box.width / 2) / (box.width * share),
          y: (y - box.top - box.height / 2) / (box.height * share),
        }
      : { x: 0, y: 0 };
  };
  const gestures = usePointers(size, inSides, onChange);
  useWheel(stage, (steps, at) => onChange((now) => stepped(size, now, steps, inSides(at))));

  const press = (event: KeyboardEvent): void => {
    const arrow = arrows[event.key];
    const way = event.shiftKey ? 0.1 : 0.02;
    if (arrow) onChange((now) => moved(size, now, arrow[0] * way, arrow[1] * way));
    else if (event.key === '+' || event.key === '=') onChange((now) => stepped(size, now, 1));
    else if (event.key === '-') onChange((now) => stepped(size, now, -1));
    else return;
    event.preventDefault();
  };
  return (
    <div ref={setStage} className={styles.stage} role="application" aria-label={t('stage.label')}>
      <canvas ref={canvas} aria-hidden />
      <span className={styles.window} aria-hidden />
      <button
        ref={handle}
        type="button"
        className={styles.handle}
        aria-label={t('stage.label')}
        aria-describedby="avatar-help"
        onKeyDown={press}
        {...gestures}
      />
    </div>
  );
}

/** One pointer drags, two pinch, a tap centres. */
function usePointers(size: ImageBitmap, inSides: (point: Point) => Point, onChange: Props['onChange']) {
  const down = useRef(new Map<number, Point>());
  const travelled = useRef(0);
  const lift = (event: PointerEvent): void => {
    const was = down.current.delete(event.pointerId);
    if (event.type !== 'pointerup' || !was || down.current.size > 0 || travelled.current > tapPixels) return;
    const { x, y } = inSides({ x: event.clientX, y: event.clientY });
    onChange((now) => moved(size, now, -x, -y));
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      if (down.current.size === 0) travelled.current = 0;
      else travelled.current = Infinity;
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove(event: PointerEvent) {
      const last = down.current.get(event.pointerId);
      if (!last || down.current.size > 2) return;
      const before = [...down.current.values()];
      const now = { x: event.clientX, y: event.clientY };
      down.current.set(event.pointerId, now);
      travelled.current += Math.hypot(now.x - last.x, now.y - last.y);
      const after = [...down.current.values()];
      const [from, to] = [inSides(middleOf(before)), inSides(middleOf(after))];
      const wider = spreadOf(before) > 0 ? spreadOf(after) / spreadOf(before) : 1;
      onChange((crop) => {
        const dragged = moved(size, crop, to.x - from.x, to.y - from.y);
        return wider === 1 ? dragged : zoomed(size, dragged, dragged.zoom * wider, to);
      });
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}

/** Whole steps of the wheel over an element, which then does not scroll the page. */
function useWheel(element: HTMLElement | null, onStep: (steps: number, at: Point) => void): void {
  const rolled = useRef(0);
  const roll = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * leastWheel;
    rolled.current += lines;
    const way = Math.abs(rolled.current);
    if (way < leastWheel) return;
    const steps = -Math.sign(rolled.current) * Math.max(1, Math.round(way / wheelNotch));
    rolled.current = 0;
    onStep(steps, { x: event.clientX, y: event.clientY });
  });
  useEffect(() => {
    if (!element) return undefined;
    const listen = (event: WheelEvent): void => roll(event);
    // React listens passively, where the page could not be kept from scrolling.
    element.addEventListener('wheel', listen, { passive: false });
    return () => element.removeEventListener('wheel', listen);
  }, [element]);
}
