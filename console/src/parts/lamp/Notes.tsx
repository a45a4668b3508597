import { useTranslation } from 'react-i18next';
import { durationText } from '../charts/gaps.ts';
import { useTime } from '../index.ts';
import type { Lamp } from './lamp.ts';
import styles from './lamp.module.css';

/** A manual state in force and its end. */
export function ManualNote({ lamp }: { lamp: Lamp }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  if (lamp.manual === null) return null;
  return (
    <p className={styles.manual}>
      {lamp.manual.until === null
        ? t('control.manual', { level: lamp.manual.level })
        : t('control.manualUntil', { level: lamp.manual.level, time: time(lamp.manual.until, 'dayTime') })}
    </p>
  );
}

/** Says that the clock of the lamp is wrong, since when, and what is done about it. */
export function ClockNote({ aheadSeconds, wrongSince }: { aheadSeconds: number | null; wrongSince: string | null }) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  if (aheadSeconds === null) return null;
  const by = durationText(Math.abs(aheadSeconds) * 1000, i18n.language);
  return (
    <div className={styles.manual} role="note">
      <p>{aheadSeconds > 0 ? t('clock.ahead', { by }) : t('clock.behind', { by })}</p>
      {wrongSince === null ? null : <p>{t('clock.since', { since: time(wrongSince, 'dayTime') })}</p>}
    </div>
  );
}
