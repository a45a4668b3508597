import { useTranslation } from 'react-i18next';
import { formatNumber, formatPercent, useTime } from '../../../parts/index.ts';
import { hourMarks } from '../../../parts/plan/sky.ts';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { useNow } from '../../../parts/time/use-now.ts';
import type { Home, HomeCurve } from './calls.ts';
import { RibbonChart } from './RibbonChart.tsx';
import { RibbonLegend, RibbonReading, useReading } from './RibbonReading.tsx';
import { roundTop, sunPlace, yOf, type SunPlace } from './ribbon.ts';
import styles from './ribbon.module.css';
import { useRibbonPointer } from './use-ribbon-pointer.ts';

const instant = (at: string): number => new Date(at).getTime();
const orNull = (at: string | null): number | null => (at === null ? null : instant(at));

/**
 * The night at a glance: the sky along time, what was lit on the band of the plan, and power on the right axis. The
 * pointer and the arrow keys read the values of each quarter of an hour.
 */
export function NightRibbon({ home, curve }: { home: Home; curve: HomeCurve }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const narrow = useNarrow();
  const now = useNow(true, 30_000);
  const [from, to] = [instant(curve.from), instant(curve.to)];
  const share = (at: number) => (at - from) / (to - from);
  const stepShare = (curve.stepSeconds * 1000) / (to - from);
  const at = Math.min(1, Math.max(0, share(now)));
  const switches = [orNull(home.night.onAt), orNull(home.night.offAt)].map((one) => (one === null ? null : share(one)));
  const most = roundTop(Math.max(0, ...[curve.planKw, curve.powerKw, curve.previousKw].flat().map((kw) => kw ?? 0)));
  const lit = curve.lit.findLast((value) => value !== null) ?? null;
  const last = lit === null || curve.lamps === 0 ? null : lit / curve.lamps;
  const rate = home.litRate.counted ? home.litRate.knownOnly.value : null;
  const percent = (value: number) => formatPercent(value * 100, i18n.language, 1);
  const pointer = useRibbonPointer({ steps: curve.planKw.length, stepShare, start: Math.round(at / stepShare) });
  const reading = useReading(curve, pointer.step);
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
  const hourOf = (mark: number) => Number(time(mark, 'minute').slice(0, 2));
  return (
    <div className={styles.whole}>
      <div
        className={styles.ribbon}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={pointer.last}
        aria-valuenow={pointer.step ?? Math.min(pointer.last, Math.round(at / stepShare))}
        aria-valuetext={reading.text}
        {...pointer.on}
      >
        <RibbonChart
          curve={curve}
          night={{ from, to, sunset: sun[0].at, sunrise: sun[1].at }}
          switches={switches}
          stepShare={stepShare}
          now={at}
          pointed={pointer.step === null ? null : Math.min(1, pointer.step * stepShare)}
          most={most}
        />
        <div aria-hidden>
          {sun.map((one) =>
            one.at === null || share(one.at) < 0 || share(one.at) > 1 ? null : (
              <span
                key={one.key}
                className={styles.sun}
                {...sunStands(sunPlace(share(one.at), at, narrow ? 0.29 : 0.11))}
              >
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
          {rate === null || pointer.step !== null ? null : (
            <span className={styles.rate} style={{ left: `${at * 100}%` }} data-end={at > 0.8 || undefined}>
              {t('ribbon.rate', { rate: percent(rate) })}
            </span>
          )}
          {hourMarks(from, to, hourOf, narrow ? 5 : 9).map((mark) => (
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
          {[1, 0.5].map((value) => (
            <span key={value} className={styles.axis} style={{ top: `${yOf(value)}%` }}>
              {formatNumber(most * value, i18n.language, most * value < 10 && (most * value) % 1 !== 0 ? 1 : 0)}
              {value === 1 ? ' kW' : ''}
            </span>
          ))}
          {pointer.step === null ? null : (
            <RibbonReading rows={reading.rows} at={reading.at} share={pointer.step * stepShare} />
          )}
        </div>
      </div>
      <RibbonLegend left={at > 0.55} />
    </div>
  );
}

const sunStands = ({ at, side }: SunPlace) => ({
  style: { left: `${at * 100}%` },
  'data-start': side === 'start' || undefined,
  'data-end': side === 'end' || undefined,
});
