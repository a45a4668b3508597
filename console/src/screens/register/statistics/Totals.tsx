import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import type { Told } from './groups.ts';
import styles from './statistics.module.css';

/** How many there are, and how many of them are in use. */
export function Totals({ told }: { told: Told }) {
  const { t, i18n } = useTranslation('statistics');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const parts = [
    ['total', told.total],
    ['enabled', told.enabled],
    ['disabled', told.total - told.enabled],
    ['kinds', told.families.groups.length],
  ] as const;
  return (
    <dl className={styles.totals}>
      {parts.map(([key, n]) => (
        <div key={key}>
          <dt>{t(`total.${key}`)}</dt>
          <dd>{number(n)}</dd>
        </div>
      ))}
    </dl>
  );
}
