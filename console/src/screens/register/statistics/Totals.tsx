import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import type { Told } from './groups.ts';
import styles from './statistics.module.css';

/** How many there are, and how many of them are in use. */
export function Totals({ told, onStatus }: { told: Told; onStatus: (status: 'enabled' | 'disabled') => void }) {
  const { t, i18n } = useTranslation('statistics');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const parts = [
    ['total', told.total],
    ['enabled', told.enabled],
    ['disabled', told.total - told.enabled],
  ] as const;
  return (
    <dl className={styles.totals}>
      {parts.map(([key, n]) => (
        <div key={key}>
          <dt>{t(`total.${key}`)}</dt>
          <dd>
            {key === 'total' || n === 0 || n === told.total ? (
              number(n)
            ) : (
              <button type="button" className={styles.link} onClick={() => onStatus(key)}>
                {number(n)}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
