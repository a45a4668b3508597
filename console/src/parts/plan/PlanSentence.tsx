import { useTranslation } from 'react-i18next';
import { energyOf, usualWatts, wattsOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import type { Night, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { formatTime } from '../time/zone.ts';
import { fullHours, litEnds } from './model.ts';
import { useSentence } from './words.ts';
import styles from './plan.module.css';

/** The programme as a sentence, and what it makes of one night. */
export function PlanSentence({
  programme,
  night,
  timeZone,
  tonight,
  watts = null,
}: {
  programme: Programme;
  night: Night;
  timeZone: string;
  tonight: boolean;
  /** Rated power of a lamp; null: the usual one. */
  watts?: number | null;
}) {
  const { t, i18n } = useTranslation('plan');
  const sentence = useSentence();
  const ends = litEnds(night);
  const rated = watts ?? usualWatts;
  const name = tonight ? t('night.tonight') : t('night.of', { day: night.day });
  return (
    <p className={styles.sentence} role="status">
      {sentence(programme)}{' '}
      <span>
        {ends === null
          ? t('sentence.noLight', { night: name })
          : t('sentence.night', {
              night: name,
              on: formatTime(ends[0], 'minute', timeZone),
              off: formatTime(ends[1], 'minute', timeZone),
              hours: formatNumber(fullHours(night), i18n.language, 1),
              kwh: formatNumber(energyOf(night, wattsOf(rated)), i18n.language, 2),
              watts: formatNumber(rated, i18n.language, 0),
            })}
      </span>
    </p>
  );
}
