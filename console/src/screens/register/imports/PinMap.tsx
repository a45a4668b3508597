import { useTranslation } from 'react-i18next';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import type { Place } from '../../../parts/map/distance.ts';
import styles from './imports.module.css';

export interface Pin extends Place {
  readonly row: number;
  readonly label: string;
  readonly n: number;
}
interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly pins: readonly Pin[];
}

const margin = 56;
/** Pins nearer to each other than this are drawn as one, in units of the drawing. */
const together = 22;
const longest = 20;

/** A round number of metres that gives a grid of about five lines. */
const gridOf = (span: number): number => {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => span / step <= 7) ?? power * 10;
};

/** Where pins stand in a drawing of this size, north up, true to scale; `metre` is its length in the drawing. */
function drawn(pins: readonly Pin[], width: number, height: number): { places: readonly Drawn[]; metre: number } {
  const middle = middleOf(pins);
  const at = pins.map((pin) => ({
    pin,
    east: (pin.longitude - middle.longitude) * 111_320 * Math.cos((middle.latitude * Math.PI) / 180),
    north: (pin.latitude - middle.latitude) * 110_574,
  }));
  const spanX = Math.max(200, ...at.map(({ east }) => Math.abs(east) * 2));
  const spanY = Math.max(100, ...at.map(({ north }) => Math.abs(north) * 2));
  const metre = Math.min((width - margin * 2) / spanX, (height - margin * 2) / spanY);
  const places: Drawn[] = [];
  for (const { pin, east, north } of at) {
    const [x, y] = [width / 2 + east * metre, height / 2 - north * metre];
    const near = places.findIndex((place) => Math.hypot(place.x - x, place.y - y) < together);
    const found = places[near];
    if (found) places[near] = { ...found, pins: [...found.pins, pin] };
    else places.push({ x, y, pins: [pin] });
  }
  return { places, metre };
}

/** Pins on the plain grid, where the browser draws no map. */
export function PinMap({ pins }: { pins: readonly Pin[] }) {
  const { t } = useTranslation('imports');
  const narrow = useNarrow();
  const [width, height] = narrow ? [340, 260] : [640, 300];
  const { places, metre } = drawn(pins, width, height);
  const step = gridOf(width / metre);
  const lines = Array.from({ length: 41 }, (_, index) => (index - 20) * step * metre);
  return (
    <svg className={styles.pinMap} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('position.map')}>
      <g className={styles.grid} transform={`translate(${width / 2} ${height / 2})`}>
        {lines.map((at) => (
          <g key={at}>
            <line x1={at} x2={at} y1={-height} y2={height} />
            <line y1={at} y2={at} x1={-width} x2={width} />
          </g>
        ))}
      </g>
      {places.map((place) => (
        <PinMark key={place.pins[0]?.row} place={place} left={place.x > width - 150} />
      ))}
      <g className={styles.scale} transform={`translate(16 ${height - 14})`}>
        <path d={`M0 -6V0H${step * metre}V-6`} />
        <text x={step * metre + 8} y={2}>
          {step >= 1000 ? `${step / 1000} km` : `${step} m`}
        </text>
      </g>
      <text className={styles.north} x={width - 22} y={26} textAnchor="middle">
        N ↑
      </text>
    </svg>
  );
}

function PinMark({ place: { x, y, pins }, left }: { place: Drawn; left: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`} className={styles.pin}>
      <path d="M0 0C-7 -9 -11 -13 -11 -20a11 11 0 0 1 22 0c0 7 -4 11 -11 20z" />
      <text className={styles.pinDigit} y={-15.5} textAnchor="middle">
        {pins.length > 1 ? '…' : pins[0]?.n}
      </text>
      {pins.map((pin, line) => (
        <text key={pin.row} x={left ? -16 : 16} y={-16 + line * 17} textAnchor={left ? 'end' : 'start'}>
          {pins.length > 1 ? `${pin.n} · ` : ''}
          {pin.label.length > longest ? `${pin.label.slice(0, longest - 1)}…` : pin.label}
        </text>
      ))}
    </g>
  );
}

function middleOf(pins: readonly Pin[]): Place {
  const [xs, ys] = [pins.map(({ longitude }) => longitude), pins.map(({ latitude }) => latitude)];
  return { longitude: (Math.min(...xs) + Math.max(...xs)) / 2, latitude: (Math.min(...ys) + Math.max(...ys)) / 2 };
}
