import { useTranslation } from 'react-i18next';
import { Alert, formatNumber } from '../../../parts/index.ts';
import { usePublicationWords } from '../../../parts/publishing/words.ts';
import type { ScheduleForm } from './use-schedule-form.ts';
import styles from './schedule.module.css';

/** What the settings would do, and what was found; sending them accepts what warns. */
export function Effects({ form: { preview, errors } }: { form: ScheduleForm }) {
  const { t, i18n } = useTranslation('schedule');
  const words = usePublicationWords();
  if (preview === null) return null;
  const { lamps, changed, darkens, needsSecond, cannot, kwh, findings, effectiveFrom } = preview;
  const stuck = cannot.reduce((sum, { count }) => sum + count, 0);
  // How many get darker stands above.
  const shown = findings.filter(({ code }) => code !== 'darker');
  const figure = (value: number) => formatNumber(value, i18n.language, value < 100 ? 1 : 0);
  return (
    <Alert
      kind={errors.length > 0 ? 'problem' : 'note'}
      title={t('effects', { n: words.number(lamps), day: effectiveFrom })}
    >
      <ul>
        <li>{t('effects.changed', { n: words.number(changed) })}</li>
        {darkens > 0 ? <li>{t('effects.darkens', { n: words.number(darkens) })}</li> : null}
        {stuck > 0 ? <li>{t('effects.cannot', { n: words.number(stuck) })}</li> : null}
        <li>{t('effects.kwh', { before: figure(kwh.before), after: figure(kwh.after) })}</li>
        {needsSecond ? <li>{t('effects.second')}</li> : null}
        {shown.map((one) => {
          const { text, fix } = words.finding(one);
          return (
            <li key={`${one.code} ${JSON.stringify(one.params)}`}>
              {one.severity === 'error' ? <b>{t('effects.blocks')} </b> : null}
              {text}
              <small className={styles.fix}>{one.code === 'belowFloor' ? t('effects.floorFix') : fix}</small>
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
