import { useEffect, useMemo, useRef, useState } from 'react';
import { useLook } from '../../theme/use-look.ts';
import styles from './mini-map.module.css';
import { paint } from './paint.ts';
import { apart, pictureOf, type CityMap } from './picture.ts';

/** Pixels of a pin and the room that it wants. */
const pin = 24;

/** A place on the map with a number: what it is called, and what opens with it. */
export interface Pin {
  readonly x: number;
  readonly y: number;
  readonly number: number;
  readonly label: string;
  /** Absent: it is only shown. */
  readonly onOpen?: () => void;
}

/**
 * The city in a small canvas, without the machinery of a map: light by night, lamps by day, faults as shapes, and pins.
 * By night it is dark in a light page too. `label`: what it shows, in words.
 */
export function MiniMap({
  map,
  night,
  label,
  pins,
}: {
  map: CityMap;
  night: boolean;
  label: string;
  pins: readonly Pin[];
}) {
  const { theme } = useLook();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const watched = frame.current;
    if (watched === null) return undefined;
    const watch = new ResizeObserver(() => setSize({ width: watched.clientWidth, height: watched.clientHeight }));
    watch.observe(watched);
    return () => watch.disconnect();
  }, []);
  const picture = useMemo(() => pictureOf(map, size), [map, size]);
  const shown = night ? 'dark' : theme;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || size.width === 0) return;
    const scale = Math.min(3, window.devicePixelRatio || 1);
    canvas.current.width = Math.round(size.width * scale);
    canvas.current.height = Math.round(size.height * scale);
    paint(context, picture, { theme: shown, night, scale });
  }, [picture, size, shown, night]);
  const places = useMemo(
    () =>
      apart(
        pins.map(({ x, y }) => picture.at(x, y)),
        { ...size, room: pin + 4 },
      ),
    [pins, picture, size],
  );
  return (
    <div ref={frame} className={styles.frame} data-theme={shown}>
      <canvas ref={canvas} role="img" aria-label={label} />
      {size.width === 0
        ? null
        : pins.map(({ number, label: name, onOpen }, index) => {
            const style = { left: places[index]?.x, top: places[index]?.y };
            return onOpen ? (
              <button key={number} type="button" style={style} aria-label={name} title={name} onClick={onOpen}>
                {number}
              </button>
            ) : (
              <i key={number} style={style} title={name}>
                {number}
              </i>
            );
          })}
    </div>
  );
}
