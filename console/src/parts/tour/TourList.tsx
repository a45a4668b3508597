import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import styles from './tour.module.css';
import type { Tour } from './use-tour.ts';

/** The things to look at, one after the other, with a tick for what was seen. */
export function TourList({ tour: { steps, away, look, setAway, again } }: { tour: Tour }) {
  const { t } = useTranslation('tour');
  const seen = steps.filter((step) => step.seen).length;
  return (
    <>
      <p className={styles.note}>{t('note')}</p>
      <p className={styles.progress}>{t('count', { seen, all: steps.length })}</p>
      <ol className={styles.list}>
        {steps.map((step) => (
          <li key={step.key}>
            <button type="button" className={styles.step} data-seen={step.seen || undefined} onClick={() => look(step)}>
              <span className={styles.mark}>
                <Icon name={step.seen ? 'check' : step.icon} size={15} />
              </span>
              <span className={styles.words}>
                <b>
                  {t(step.key)}
                  {step.seen ? <span className="visually-hidden"> ({t('seen')})</span> : null}
                </b>
                <span>{t(`${step.key}.text`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p className={styles.note}>{t('palette')}</p>
      <div className={styles.foot}>
        <Button size="small" onClick={() => setAway(!away)}>
          {t(away ? 'back' : 'away')}
        </Button>
        {seen > 0 ? (
          <Button size="small" type="text" onClick={again}>
            {t('again')}
          </Button>
        ) : null}
        {away ? null : <span>{t('away.note')}</span>}
      </div>
    </>
  );
}
