import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { stretchesOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import { patterns, type Night, type Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { useWidth } from '../curves/use-size.ts';
import { useNarrow } from '../page/use-narrow.ts';
import { formatTime } from '../time/zone.ts';
import { formatPercent } from '../../locales/format-number.ts';
import { Handle } from './Handle.tsx';
import { anchorOf, instantOfHandle, litEnds, unusedPeriods, withAnchor, type HandleName, type Scene } from './model.ts';
import { lightPath, yOf } from './picture.ts';
import { hourMarks, skyStops } from './sky.ts';
import { useMarks } from './words.ts';
import styles from './ribbon.module.css';

/** A level that lamps on roads of some classes may not fall below on the mean. */
export interface Floor {
  readonly level: number;
  readonly label: string;
  /** The programme falls below it. */
  readonly broken: boolean;
}

interface Props {
  programme: Programme;
  night: Night;
  scene: Scene;
  place: SunPlace;
  /** From the highest to the lowest: their labels stand left and right in turn, so that none lies over its neighbour. */
  floors?: readonly Floor[];
  /** Absent: it is only shown. */
  onChange?: (programme: Programme) => void;
}

/** A night from noon to noon: the sky, the light as a glow, and a handle for each boundary of the programme. */
export function NightRibbon({ programme, night, scene, place, floors = [], onChange }: Props) {
  const { t, i18n } = useTranslation('plan');
  const narrow = useNarrow();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  // Where names of classes would wrap over each other, they stand below.
  const named = !narrow && (width === 0 || width >= 560);
  const markOf = useMarks();
  const { from, to } = scene;
  const share = (at: number): number => (at - from) / (to - from);
  const clock = (at: number | null): string => formatTime(at, 'minute', place.timeZone);
  const percent = (level: number): string => formatPercent(level, i18n.language);
  const stretches = stretchesOf(night);
  const hours = hourMarks(from, to, (at) => Number(clock(at).slice(0, 2)), narrow ? 7 : 13);
  // On a phone the noons at both ends would lie over their neighbours.
  const marks = narrow ? hours.filter(({ share: at }) => at > 0.05 && at < 0.95) : hours;
  const ends = litEnds(night);
  const unused = unusedPeriods(programme, { place, scene, night });
  const odd = night.warnings.flatMap(({ code, period }) =>
    code === 'skippedTime' || code === 'repeatedTime' ? [{ code, period }] : [],
  );
  const sun = [
    { key: 'sunset', at: scene.sunset, side: 'before' },
    { key: 'dusk', at: scene.dusk, side: 'after' },
    { key: 'dawn', at: scene.dawn, side: 'before' },
    { key: 'sunrise', at: scene.sunrise, side: 'after' },
  ] as const;
  // Beside an end a name stands on the side that has room for it.
  const edge = narrow ? 0.24 : 0.08;
  const shownSun = sun.flatMap(({ key, at, side }) => {
    const where = at === null ? -1 : share(at);
    if (where < 0 || where > 1) return [];
    return [{ key, at, side: where < edge ? 'after' : where > 1 - edge ? 'before' : side }];
  });
  const names: HandleName[] = ['on', ...programme.periods.keys(), 'off'];
  const handles = names.flatMap((name) => {
    const anchor = anchorOf(programme, name);
    const at = instantOfHandle(programme, name, { place, scene, night });
    return anchor === null || at === null || at < from || at > to ? [] : [{ name, anchor, at }];
  });
  // Times stand above their handles as far as they do not lie over each other.
  const room = narrow ? 0.15 : 0.05;
  const timed = new Set<HandleName>();
  let last = -1;
  for (const { name, at } of handles.toSorted((one, other) => one.at - other.at))
    if (share(at) - last >= room) {
      timed.add(name);
      last = share(at);
    }
  const sky =
    scene.stays === 'up' && scene.sunset === null
      ? [
          { at: 0, sky: 'day' },
          { at: 1, sky: 'day' },
        ]
      : skyStops(from, to, scene.sunset, scene.sunrise);
  return (
    <>
      <div
        ref={box}
        className={styles.ribbon}
        role="group"
        aria-label={t('ribbon.label', {
          day: scene.day,
          on: clock(ends?.[0] ?? null),
          off: clock(ends?.[1] ?? null),
        })}
      >
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
          <defs>
            <linearGradient id={`${id}s`}>
              {sky.map((stop, index) => (
                <stop key={index} offset={stop.at} stopColor={`var(--sky-${stop.sky})`} />
              ))}
            </linearGradient>
            <linearGradient id={`${id}g`} x1="0" x2="0" y1="0" y2="1">
              <stop offset="0.3" stopColor="var(--sky-night)" stopOpacity="0" />
              <stop offset="1" stopColor="var(--sky-night)" stopOpacity=".7" />
            </linearGradient>
            <linearGradient id={`${id}l`} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1={yOf(100)} y2={yOf(0)}>
              <stop offset="0" stopColor="var(--ribbon-lit)" stopOpacity=".98" />
              <stop offset="1" stopColor="var(--ribbon-lit)" stopOpacity=".28" />
            </linearGradient>
            {patterns.map((pattern, index) => (
              <pattern
                key={pattern}
                id={`${id}${pattern}`}
                width={3.2 * (index + 1)}
                height="100"
                patternUnits="userSpaceOnUse"
              >
                <rect width={pattern === 'all' ? 3.2 : 2.4} height="100" fill="#fff" />
              </pattern>
            ))}
            {(['alternateOne', 'alternateTwo'] as const).map((pattern) => (
              <mask
                key={pattern}
                id={`${id}m${pattern}`}
                maskUnits="userSpaceOnUse"
                x="0"
                y="0"
                width="1000"
                height="100"
              >
                <rect width="1000" height="100" fill="#555" />
                <rect width="1000" height="100" fill={`url(#${id}${pattern})`} />
              </mask>
            ))}
          </defs>
          <rect width="1000" height="100" fill={`url(#${id}s)`} />
          <rect width="1000" height="100" fill={`url(#${id}g)`} />
          {[100, 50].map((level) => (
            <line key={level} className={styles.grid} x1="0" x2="1000" y1={yOf(level)} y2={yOf(level)} />
          ))}
          {shownSun.map(({ key, at }) => (
            <line
              key={key}
              className={styles.event}
              x1={share(at ?? 0) * 1000}
              x2={share(at ?? 0) * 1000}
              y1="12"
              y2={yOf(0)}
            />
          ))}
          {stretches.map((stretch, index) =>
            stretch.level === 0 ? null : (
              <path
                key={stretch.from}
                d={lightPath(stretch, stretches[index - 1], scene)}
                fill={`url(#${id}l)`}
                {...(stretch.pattern === 'all' ? {} : { mask: `url(#${id}m${stretch.pattern})` })}
              />
            ),
          )}
          {floors.map(({ level, broken }) => (
            <line
              key={level}
              className={styles.floor}
              data-broken={broken || undefined}
              x1="0"
              x2="1000"
              y1={yOf(level)}
              y2={yOf(level)}
            />
          ))}
          <line className={styles.ground} x1="0" x2="1000" y1={yOf(0)} y2={yOf(0)} />
        </svg>
        <div aria-hidden>
          {shownSun
            .filter(({ key }) => !narrow || key === 'sunset' || key === 'sunrise')
            .map(({ key, at, side }) => (
              <span key={key} className={styles.sun} data-side={side} style={{ left: `${share(at ?? 0) * 100}%` }}>
                {t(`ribbon.${key}`)} <b>{clock(at)}</b>
              </span>
            ))}
          {narrow
            ? null
            : stretches.map((stretch) =>
                share(stretch.to) - share(stretch.from) < 0.045 ? null : (
                  <span
                    key={stretch.from}
                    className={styles.level}
                    data-dark={stretch.level < 45 || stretch.pattern !== 'all' || undefined}
                    style={{
                      left: `${((share(stretch.from) + share(stretch.to)) / 2) * 100}%`,
                      top: `${yOf(stretch.level)}%`,
                    }}
                  >
                    {stretch.level === 0 ? t('level.dark') : percent(stretch.level)}
                    {stretch.pattern === 'all' ? null : <small>{t(`pattern.${stretch.pattern}`)}</small>}
                  </span>
                ),
              )}
          {marks.map((mark) => (
            <span
              key={mark.at}
              className={styles.hour}
              style={{ left: `${mark.share * 100}%` }}
              data-end={mark.share > 0.97 || undefined}
              data-start={mark.share < 0.03 || undefined}
            >
              {clock(mark.at)}
            </span>
          ))}
          {odd.map(({ code, period }) => {
            const at = instantOfHandle(programme, period ?? 'on', { place, scene, night });
            return at === null ? null : (
              <span key={`${code}${period}`} className={styles.odd} style={{ left: `${share(at) * 100}%` }}>
                {t(`ribbon.${code}`)}
              </span>
            );
          })}
        </div>
        {floors.map(({ level, label, broken }) => (
          <span
            key={level}
            className={styles.floorLabel}
            data-broken={broken || undefined}
            style={{ top: `${yOf(level)}%` }}
          >
            {named ? label : percent(level)}
          </span>
        ))}
        {onChange === undefined
          ? null
          : handles.map(({ name, anchor, at }) => (
              <Handle
                key={name}
                {...{ box, name, anchor }}
                at={share(at)}
                timed={timed.has(name)}
                mark={markOf(name)}
                time={clock(at)}
                label={t(`handle.${typeof name === 'number' ? 'period' : name}`, {
                  n: typeof name === 'number' ? name + 1 : 0,
                })}
                text={t(typeof name === 'number' && unused.has(name) ? 'handle.unused' : 'handle.at', {
                  time: clock(at),
                })}
                unused={typeof name === 'number' && unused.has(name)}
                onMove={(next) => onChange(withAnchor(programme, name, next))}
              />
            ))}
      </div>
      {named || floors.length === 0 ? null : (
        <p className={styles.floors}>{floors.map(({ label }) => label).join(' · ')}</p>
      )}
    </>
  );
}
