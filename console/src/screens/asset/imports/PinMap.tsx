import { useTranslation } from 'react-i18next';
import type { Place } from './plan.ts';
import styles from './imports.module.css';

export interface Pin extends Place { readonly row: number; readonly label: string }

const [width, height, margin] = [640, 300, 56];

/** A round number of metres that gives a grid of about five lines. */
const gridOf = (span: number): number => {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => span / step <= 7) ?? power * 10;
};

/** Pins on the plain grid, north up, true to scale. */
export function PinMap({ pins }: { pins: readonly Pin[] }) {
  const { t } = useTranslation('imports');
  const middle = middleOf(pins);
  const metres = pins.map((pin) => ({ pin, x: (pin.longitude - middle.longitude) * 111_320 * Math.cos((middle.latitude * Math.PI) / 180), y: (pin.latitude - middle.latitude) * 110_574 }));
  const spanX = Math.max(200, ...metres.map(({ x }) => Math.abs(x) * 2));
  const spanY = Math.max(100, ...metres.map(({ y }) => Math.abs(y) * 2));
  const scale = Math.min((width - margin * 2) / spanX, (height - margin * 2) / spanY);
  const step = gridOf(width / scale);
  const lines = Array.from({ length: 41 }, (_, index) => (index - 20) * step * scale);
  const bar = step >= 1000 ? `${step / 1000} km` : `${step} m`;
  return (
    <svg className={styles.pinMap} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('position.map')}>
      <g className={styles.grid} transform={`translate(${width / 2} ${height / 2})`}>
        {lines.map((at) => <g key={at}><line x1={at} x2={at} y1={-height} y2={height} /><line y1={at} y2={at} x1={-width} x2={width} /></g>)}
      </g>
      {metres.map(({ pin, x, y }, index) => {
        const [cx, cy] = [width / 2 + x * scale, height / 2 - y * scale];
        const left = cx > width - 150;
        return (
          <g key={pin.row} transform={`translate(${cx} ${cy})`} className={styles.pin}>
            <path d="M0 0C-7 -9 -11 -13 -11 -20a11 11 0 0 1 22 0c0 7 -4 11 -11 20z" />
            <text className={styles.pinDigit} y={-15.5} textAnchor="middle">{index + 1}</text>
            <text x={left ? -16 : 16} y={-16} textAnchor={left ? 'end' : 'start'}>{pin.label.slice(0, 20)}</text>
          </g>
        );
      })}
      <g className={styles.scale} transform={`translate(16 ${height - 14})`}><path d={`M0 -6V0H${step * scale}V-6`} /><text x={step * scale + 8} y={2}>{bar}</text></g>
      <text className={styles.north} x={width - 22} y={26} textAnchor="middle">N ↑</text>
    </svg>
  );
}

function middleOf(pins: readonly Pin[]): Place {
  const [xs, ys] = [pins.map(({ longitude }) => longitude), pins.map(({ latitude }) => latitude)];
  return { longitude: (Math.min(...xs) + Math.max(...xs)) / 2, latitude: (Math.min(...ys) + Math.max(...ys)) / 2 };
}
