import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { getHome, getHomeCurve } from '../../../../../contract/light/home.ts';
import { formatPercent, useTime } from '../../../parts/index.ts';
import { hourMarks, skyStops } from '../../../parts/plan/sky.ts';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { useNow } from '../../../parts/time/use-now.ts';
import { litPaths, planPath, sunPlace, withSwitches, yOf, type Known, type SunPlace } from './ribbon.ts';
import styles from './ribbon.module.css';

export type Home = Static<(typeof getHome)['reply']>;
export type HomeCurve = Static<(typeof getHomeCurve)['reply']>;

const instant = (at: string): number => new Date(at).getTime();
const orNull = (at: string | null): number | null => (at === null ? null : instant(at));

/** The night at a glance: the sky along time, solid what was lit, dashed the plan, one line for now. */
export function NightRibbon({ home, curve }: { home: Home; curve: HomeCurve }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const narrow = useNarrow();
  const id = useId();
  const now = useNow(true, 30_000);
  const from = instant(curve.from);
  const to = instant(curve.to);
  const share = (at: number) => (at - from) / (to - from);
  const stepShare = (curve.stepSeconds * 1000) / (to - from);
  const switches = [orNull(home.night.onAt), orNull(home.night.offAt)].map((one) => (one === null ? null : share(one)));
  const along = (values: readonly (number | null)[]) =>
    withSwitches(
      values.map((value, index): Known => [index * stepShare, value]),
      switches,
    );
  const lit = curve.lit.map((count) => (count === null || curve.lamps === 0 ? null : count / curve.lamps));
  const most = Math.max(...curve.planKw.map((kw) => kw ?? 0), 0);
  const plan = curve.planKw.map((kw) => (kw === null || most === 0 ? null : kw / most));
  const last = lit.findLast((value) => value !== null) ?? null;
  const rate = home.litRate.counted ? home.litRate.knownOnly.value : null;
  const percent = (value: number) => formatPercent(value * 100, i18n.language, 1);
  const at = Math.min(1, Math.max(0, share(now)));
  const room = narrow ? 0.29 : 0.11;
  const sun = [
    { key: 'sunset', at: orNull(home.night.sunset) },
    { key: 'sunrise', at: orNull(home.night.sunrise) },
  ] as const;
  const label = t('ribbon.label', {
    sunset: time(home.night.sunset, 'minute'),
    sunrise: time(home.night.sunrise, 'minute'),
    on: time(home.night.onAt, 'minute'),
    off: time(home.night.offAt, 'minute'),
    rate: rate === null ? '—' : percent(rate),
  });
  return (
    <div className={styles.ribbon} role="img" aria-label={label}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
        <defs>
          <linearGradient id={`${id}s`}>
            {skyStops(from, to, orNull(home.night.sunset), orNull(home.night.sunrise)).map((stop, index) => (
              <stop key={index} offset={stop.at} stopColor={`var(--sky-${stop.sky})`} />
            ))}
          </linearGradient>
          <linearGradient id={`${id}l`} x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" stopColor="var(--ribbon-lit)" stopOpacity=".95" />
            <stop offset="1" stopColor="var(--ribbon-lit)" stopOpacity=".3" />
          </linearGradient>
          <linearGradient id={`${id}g`} x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" stopColor="var(--sky-night)" stopOpacity="0" />
            <stop offset="1" stopColor="var(--sky-night)" stopOpacity=".55" />
          </linearGradient>
        </defs>
        <rect width="1000" height="100" fill={`url(#${id}s)`} />
        <rect width="1000" height="100" fill={`url(#${id}g)`} />
        {litPaths(along(lit), stepShare, at).map((path) => (
          <path key={path} d={path} fill={`url(#${id}l)`} />
        ))}
        <path className={styles.plan} d={planPath(along(plan))} />
        <line className={styles.ground} x1="0" x2="1000" y1="82" y2="82" />
        <line className={styles.now} x1={at * 1000} x2={at * 1000} y1="18" y2="82" />
      </svg>
      <div aria-hidden>
        {sun.map((one) =>
          one.at === null || share(one.at) < 0 || share(one.at) > 1 ? null : (
            <span key={one.key} className={styles.sun} {...sunStands(sunPlace(share(one.at), at, room))}>
              {t(`ribbon.${one.key}`, { time: time(one.at, 'minute') })}
            </span>
          ),
        )}
        <span
          className={styles.nowLabel}
          style={{ left: `${at * 100}%` }}
          data-end={at > 0.9 || undefined}
          data-start={at < 0.1 || undefined}
        >
          {t('ribbon.now', { time: time(now, 'minute') })}
        </span>
        {last === null ? null : <i className={styles.dot} style={{ left: `${at * 100}%`, top: `${yOf(last)}%` }} />}
        {rate === null ? null : (
          <span className={styles.rate} style={{ left: `${at * 100}%` }} data-end={at > 0.8 || undefined}>
            {t('ribbon.rate', { rate: percent(rate) })}
          </span>
        )}
        {hourMarks(from, to, (mark) => Number(time(mark, 'minute').slice(0, 2))).map((mark) => (
          <span
            key={mark.at}
            className={styles.hour}
            style={{ left: `${mark.share * 100}%` }}
            data-end={mark.share > 0.97 || undefined}
            data-start={mark.share < 0.03 || undefined}
          >
            {time(mark.at, 'minute')}
          </span>
        ))}
      </div>
    </div>
  );
}

const sunStands = ({ at, side }: SunPlace) => ({
  style: { left: `${at * 100}%` },
  'data-start': side === 'start' || undefined,
  'data-end': side === 'end' || undefined,
});
