import { useTranslation } from 'react-i18next';
import { formatNumber } from '../locales/format-number.ts';
import styles from './Quantity.module.css';

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
