import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../index.ts';
import styles from './control.module.css';

/**
 * The dimming slider: its track is what the lamp will look like, the white mark is the level it reported. A native
 * range input, so that keys, touch and screen readers work as people expect.
 */
export function DimSlider({
  value,
  reported,
  disabled = false,
  onChange,
}: {
  value: number;
  reported: number | null;
  disabled?: boolean;
  onChange: (value: number) => void;
}) {
  const { i18n, t } = useTranslation('lamp');
  const id = useId();
  return (
    <div className={styles.dim}>
      <div className={styles.track} aria-hidden>
        <i className={styles.rest} style={{ left: `${value}%` }} />
        {reported === null ? null : <i className={styles.reported} style={{ left: `${reported}%` }} />}
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        value={value}
        disabled={disabled}
        aria-label={t('control.level')}
        aria-valuetext={value === 0 ? t('command.off') : formatPercent(value, i18n.language)}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <div className={styles.scale} aria-hidden>
        {[0, 20, 40, 60, 80, 100].map((mark) => (
          <span key={mark} data-on={mark === value || undefined} style={{ left: `${mark}%` }}>
            {mark === 0 ? t('control.dark') : mark}
          </span>
        ))}
      </div>
    </div>
  );
}
