import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import styles from './tour.module.css';
import { showTour, useTour } from './use-tour.ts';

/**
 * The way into the tour on the home page: how much was seen, and what comes next. Nothing where there is no demo city,
 * or where it was put away.
 */
export function TourButton() {
  const { t } = useTranslation('tour');
  const tour = useTour();
  if (!tour || tour.away) return null;
  const { steps } = tour;
  const next = steps.find(({ seen }) => !seen);
  const counted = { seen: steps.filter(({ seen }) => seen).length, all: steps.length };
  return (
    <button type="button" className={styles.button} onClick={() => showTour(true)}>
      <span className="visually-hidden">{t('open', counted)}</span>
      <Icon name={next ? 'flag' : 'check'} size={14} />
      <b aria-hidden>{t('title')}</b>
      <span className={styles.count} aria-hidden>
        {counted.seen}/{counted.all}
      </span>
      <span className={styles.next} aria-hidden>
        {next ? t('next', { name: t(next.key) }) : t('done')}
      </span>
    </button>
  );
}
