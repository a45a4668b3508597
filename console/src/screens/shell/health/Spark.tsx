import styles from './health.module.css';

const [width, height] = [240, 44];
const x = (index: number, count: number): number => (count < 2 ? width : (index / (count - 1)) * width);
const y = (value: number, top: number): number => height - 3 - (value / top) * (height - 6);

/** A line through what is known; each minute without a value ends one piece and lets the next begin. */
function lineOf(values: readonly (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const begins = index === 0 || values[index - 1] === null;
      return `${begins ? 'M' : 'L'}${x(index, values.length).toFixed(1)} ${y(value, top).toFixed(1)}`;
    })
    .join('');
}

/** The last hour of one figure as a line; a minute without one is a gap. `label` says it in words. */
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const top = Math.max(1e-9, ...values.filter((value) => value !== null));
  const last = values.at(-1);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${width + 4} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line x1={0} x2={width} y1={height - 3} y2={height - 3} className={styles.ground} />
      <path d={lineOf(values, top)} className={styles.line} vectorEffect="non-scaling-stroke" />
      {last === null || last === undefined ? null : (
        <path d={`M${width} ${y(last, top)}h0`} className={styles.point} vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  );
}
