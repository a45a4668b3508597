import styles from './health.module.css';

const [width, height] = [240, 44];

/** The last hour of one figure as a line; a minute without one is a gap. `label` says it in words. */
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.filter((value) => value !== null);
  const top = Math.max(1e-9, ...known);
  const x = (index: number): number => (values.length < 2 ? width : (index / (values.length - 1)) * width);
  const y = (value: number): number => height - 3 - (value / top) * (height - 6);
  let begun = false;
  const line = values.map((value, index) => {
    if (value === null) {
      begun = false;
      return '';
    }
    const step = `${begun ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    begun = true;
    return step;
  }).join('');
  const last = values.at(-1);
  return (
    <svg className={styles.spark} viewBox={`0 0 ${width + 4} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line x1={0} x2={width} y1={height - 3} y2={height - 3} className={styles.ground} />
      <path d={line} className={styles.line} vectorEffect="non-scaling-stroke" />
      {last === null || last === undefined ? null : <path d={`M${width} ${y(last)}h0`} className={styles.point} vectorEffect="non-scaling-stroke" />}
    </svg>
  );
}
