import { useId } from 'react';
import { skyStops } from '../../../parts/plan/sky.ts';
import type { HomeCurve } from './calls.ts';
import { bandPath, ground, linePath, litPaths, planPath, withSwitches, yOf, type Known } from './ribbon.ts';
import styles from './ribbon.module.css';

interface Parts {
  readonly curve: HomeCurve;
  /** Epoch ms. */
  readonly night: {
    readonly from: number;
    readonly to: number;
    readonly sunset: number | null;
    readonly sunrise: number | null;
  };
  /** Shares of the ribbon. */
  readonly switches: readonly (number | null)[];
  readonly stepShare: number;
  readonly now: number;
  readonly pointed: number | null;
  /** kW at the top. */
  readonly most: number;
}

/** The drawing of the ribbon: sky, planned band, what was lit, and the power of tonight, of the plan and of last night. */
export function RibbonChart({ curve, night, switches, stepShare, now, pointed, most }: Parts) {
  const id = useId();
  const along = (values: readonly (number | null)[]) =>
    withSwitches(
      values.map((value, index): Known => [index * stepShare, value]),
      switches,
    );
  const shares = (values: readonly (number | null)[], of: number) =>
    values.map((value) => (value === null || of === 0 ? null : value / of));
  const upToNow = (points: readonly Known[]): Known[] => points.filter(([at]) => at <= now);
  return (
    <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
      <defs>
        <linearGradient id={`${id}s`}>
          {skyStops(night.from, night.to, night.sunset, night.sunrise).map((stop, index) => (
            <stop key={index} offset={stop.at} stopColor={`var(--sky-${stop.sky})`} />
          ))}
        </linearGradient>
        <linearGradient id={`${id}l`} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--ribbon-lit)" stopOpacity=".8" />
          <stop offset="1" stopColor="var(--ribbon-lit)" stopOpacity=".22" />
        </linearGradient>
        <linearGradient id={`${id}g`} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--sky-night)" stopOpacity="0" />
          <stop offset="1" stopColor="var(--sky-night)" stopOpacity=".55" />
        </linearGradient>
      </defs>
      <rect width="1000" height="100" fill={`url(#${id}s)`} />
      <rect width="1000" height="100" fill={`url(#${id}g)`} />
      <line className={styles.grid} x1="0" x2="1000" y1={yOf(1)} y2={yOf(1)} />
      <line className={styles.grid} x1="0" x2="1000" y1={yOf(0.5)} y2={yOf(0.5)} />
      <path className={styles.band} d={bandPath(along(shares(curve.planLevel, 100)))} />
      {litPaths(along(shares(curve.lit, curve.lamps)), stepShare, now).map((path) => (
        <path key={path} d={path} fill={`url(#${id}l)`} />
      ))}
      <path className={styles.previous} d={linePath(along(curve.previousKw), most)} />
      <path className={styles.plan} d={planPath(along(shares(curve.planKw, most)))} />
      <path className={styles.tonight} d={linePath(upToNow(along(curve.powerKw)), most)} />
      <line className={styles.ground} x1="0" x2="1000" y1={ground} y2={ground} />
      {pointed === null ? null : (
        <line className={styles.pointed} x1={pointed * 1000} x2={pointed * 1000} y1="18" y2={ground} />
      )}
      <line className={styles.now} x1={now * 1000} x2={now * 1000} y1="18" y2={ground} />
    </svg>
  );
}
