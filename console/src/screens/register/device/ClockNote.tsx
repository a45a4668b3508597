import { useTranslation } from 'react-i18next';
import type { getDevice } from '../../../../../contract/register/devices.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { lengthText } from '../../../parts/episodes/words.ts';
import { formatNumber, useTime } from '../../../parts/index.ts';
import styles from './device.module.css';

/**
 * That a device's clock is wrong, by how much and since when, and what that means for its readings; what waits until
 * its time is known.
 */
export function ClockNote({ clock }: { clock: ReplyOf<typeof getDevice>['clock'] }) {
  const { t, i18n } = useTranslation('devices');
  const time = useTime();
  if (!clock) return null;
  const { aheadSeconds, wrongSince, waiting, waitingSince } = clock;
  return (
    <div role="note" className={styles.clock}>
      {aheadSeconds === null ? null : (
        <p>
          {t(aheadSeconds > 0 ? 'clock.ahead' : 'clock.behind', {
            by: lengthText(Math.abs(aheadSeconds), i18n.language),
          })}
        </p>
      )}
      {wrongSince === null ? null : <p>{t('clock.since', { since: time(wrongSince, 'dayTime') })}</p>}
      {waiting === 0 ? null : (
        <p>
          {t('clock.doubted', { n: formatNumber(waiting, i18n.language, 0), since: time(waitingSince, 'dayTime') })}
        </p>
      )}
    </div>
  );
}
