import { useTranslation } from 'react-i18next';
import styles from './Quantity.module.css';

const formats = new Map<string, Intl.NumberFormat>();

/** A number in the writing of a language with so many decimals. */
export function formatNumber(value: number, language: string, decimals: number): string {
  const id = `${language}/${decimals}`;
  const known = formats.get(id);
  if (known) return known.format(value);
  const format = new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(id, format);
  return format.format(value);
}

/** A percentage (0–100) in the writing of a language, with or without a space before its sign. */
export function formatPercent(value: number, language: string, decimals = 0): string {
  const id = `${language}/%${decimals}`;
  const format =
    formats.get(id) ??
    new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
      style: 'percent',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  formats.set(id, format);
  return format.format(value / 100);
}

/** A measured number with its unit one step smaller; missing is "—", never 0. `stale`: greyed, because it is old. */
export function Quantity({
  value,
  unit,
  decimals = 0,
  stale = false,
}: {
  value: number | null | undefined;
  unit?: string;
  decimals?: number;
  stale?: boolean;
}) {
  const { i18n, t } = useTranslation('parts');
  if (value === null || value === undefined || !Number.isFinite(value))
    return (
      <span className={styles.none} title={t('missing')}>
        —
      </span>
    );
  return (
    <span className={stale ? `${styles.quantity} ${styles.stale}` : styles.quantity}>
      {formatNumber(value, i18n.language, decimals)}
      {unit === undefined ? null : <span className={styles.unit}> {unit}</span>}
    </span>
  );
}
