import { Segmented, Select, Slider } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { patterns, rotations } from '../../../../../catalogue/lighting/plan/programme.ts';
import { addDays, dayNumber, dayOf } from '../../../../../catalogue/lighting/zone.ts';
import type { Shown } from '../../../parts/row-strip/strip.ts';
import { useZone } from '../../../parts/index.ts';
import styles from './rows.module.css';

/** Nights that the slider reaches. */
const nights = 60;
const halfDayMs = 12 * 3_600_000;

/** The lighting day that lasts now. */
export const tonight = (zone: string): string => dayOf(Date.now() - halfDayMs, zone);

/** Which pattern the strip shows, in which night, with which rotation. */
export function Preview({ shown, onShow }: { shown: Shown; onShow: (shown: Shown) => void }) {
  const { t, i18n } = useTranslation('rows');
  const id = useId();
  const today = tonight(useZone());
  const ahead = dayNumber(shown.day) - dayNumber(today);
  const night = (days: number): string =>
    new Intl.DateTimeFormat(i18n.language, { timeZone: 'UTC', month: 'short', day: 'numeric' }).format(
      new Date(`${addDays(today, days)}T00:00:00Z`),
    );
  return (
    <div className={styles.preview}>
      <Segmented
        aria-label={t('pattern')}
        value={shown.pattern}
        options={patterns.map((pattern) => ({ value: pattern, label: t(`pattern.${pattern}`) }))}
        onChange={(pattern) => onShow({ ...shown, pattern })}
      />
      <label htmlFor={`${id}-rotation`}>{t('rotation')}</label>
      <Select
        id={`${id}-rotation`}
        value={shown.rotation}
        options={rotations.map((rotation) => ({ value: rotation, label: t(`rotation.${rotation}`) }))}
        onChange={(rotation) => onShow({ ...shown, rotation })}
      />
      <span className={styles.night}>
        <span id={`${id}-night`}>{t('night', { day: night(ahead) })}</span>
        <Slider
          className={styles.slider ?? ''}
          min={0}
          max={nights}
          value={Math.min(nights, Math.max(0, ahead))}
          tooltip={{ formatter: (days) => night(days ?? 0) }}
          ariaLabelledByForHandle={`${id}-night`}
          onChange={(days) => onShow({ ...shown, day: addDays(today, days) })}
        />
      </span>
    </div>
  );
}
