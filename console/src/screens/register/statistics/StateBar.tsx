import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import { markOf, type Group } from './groups.ts';
import styles from './statistics.module.css';

/** Colours of the parts: what is in order is quiet, exceptions stand out. */
const colours: Readonly<Record<string, string>> = {
  on: 'var(--c-text-3)',
  dimmed: 'var(--s-dim)',
  off: 'var(--s-off)',
  alarm: 'var(--s-alarm)',
  offline: 'var(--s-offline)',
  maintenance: 'var(--s-maint)',
};

/** All devices as one bar, a part for each state; the table below it has every number. */
export function StateBar({ groups, total }: { groups: readonly Group[]; total: number }) {
  const { t, i18n } = useTranslation('statistics');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const label = groups.map(({ name, count }) => `${name} ${number(count)}`).join(' · ');
  return (
    <div role="img" aria-label={`${t('states')}: ${label}`} className={styles.stack}>
      {groups.map(({ key, name, count }) => (
        <i
          key={key ?? ''}
          title={`${name} ${number(count)}`}
          style={{
            flexGrow: count / Math.max(1, total),
            background: (key === null ? undefined : colours[markOf(key)]) ?? 'var(--c-line-strong)',
          }}
        />
      ))}
    </div>
  );
}
