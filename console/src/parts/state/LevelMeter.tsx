import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../locales/format-number.ts';
import styles from './LevelMeter.module.css';

/** Light given out, 0–100 %: a bar of warm light and the number; "—" while unknown. */
export function LevelMeter({ level }: { level: number | null | undefined }) {
  const { i18n } = useTranslation('parts');
  if (level === null || level === undefined) return <span className={styles.none}>—</span>;
  const shown = Math.round(Math.min(100, Math.max(0, level)));
  return (
    <span className={styles.meter}>
      <span className={styles.bar} aria-hidden>
        <i style={{ width: `${shown}%` }} />
      </span>
      <span className={styles.number}>{formatPercent(shown, i18n.language)}</span>
    </span>
  );
}

/** Light as a glowing point whose size and halo are its level; with its word. */
export function LevelGlow({ level }: { level: number | null | undefined }) {
  const { i18n, t } = useTranslation('parts');
  if (level === null || level === undefined) return <span className={styles.none}>—</span>;
  const shown = Math.round(Math.min(100, Math.max(0, level)));
  const glow = `radial-gradient(circle, var(--c-light) 0, var(--c-light) ${8 + shown * 0.12}%, color-mix(in srgb, var(--c-light) ${shown * 0.4}%, transparent) ${20 + shown * 0.22}%, transparent ${30 + shown * 0.4}%)`;
  return (
    <span className={styles.meter} title={t('level.label', { level: shown })}>
      <span
        className={shown === 0 ? `${styles.glow} ${styles.dark}` : styles.glow}
        style={shown === 0 ? undefined : { background: glow }}
        aria-hidden
      />
      <span>{shown === 0 ? t('level.off') : formatPercent(shown, i18n.language)}</span>
    </span>
  );
}
