import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../locales/format-number.ts';
import { useTime } from '../time/zone.ts';
import type { LampNight } from './lamp.ts';
import styles from './night.module.css';

interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly level: number;
  readonly byPattern: boolean;
}

/** The stretches of a night between its steps. */
function stretchesOf(night: NonNullable<LampNight>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, { at, level, byPattern }] of night.steps.entries()) {
    const to = night.steps[index + 1]?.at;
    if (to === undefined) continue;
    const before = stretches.at(-1);
    if (before?.level === level && before.byPattern === byPattern) stretches[stretches.length - 1] = { ...before, to };
    else stretches.push({ from: at, to, level, byPattern });
  }
  return stretches;
}

/** What the lamp's own plan asks of it tonight: every stretch with its level, and why it is dark where it is. */
export function NightPlan({ night }: { night: LampNight }) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  const stretches = night === null ? [] : stretchesOf(night);
  const now = Date.now();
  const isDark = stretches.every(({ level }) => level === 0);
  if (night === null || isDark)
    return (
      <p className={styles.note}>
        {t(
          night === null ? 'night.unknown' : stretches.some(({ byPattern }) => byPattern) ? 'night.turn' : 'night.none',
        )}
      </p>
    );
  return (
    <ol className={styles.stretches} aria-label={t('night.title')}>
      {stretches.map(({ from, to, level, byPattern }) => {
        const isNow = Date.parse(from) <= now && now < Date.parse(to);
        return (
          <li key={from} aria-current={isNow ? 'time' : undefined}>
            <span className={styles.times}>
              {t('night.stretch', { from: time(from, 'minute'), to: time(to, 'minute') })}
            </span>
            <span className={styles.bar} aria-hidden>
              <i style={{ width: `${level}%` }} />
            </span>
            <span className={styles.level}>
              {level > 0 ? formatPercent(level, i18n.language) : t(byPattern ? 'night.byPattern' : 'night.dark')}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
