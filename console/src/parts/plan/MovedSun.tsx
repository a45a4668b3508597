import { useTranslation } from 'react-i18next';
import { clockAt, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { Alert } from '../notices/Alert.tsx';
import { formatTime } from '../time/zone.ts';

/** A time of day of which everybody sees that it is one of the programme's. */
const shownMinute = 23 * 60;

/** A demonstration moves its evening, and with it the times of day of a programme: says when lamps follow them. */
export function MovedSun({ place, day }: { place: SunPlace; day: Day }) {
  const { t } = useTranslation('plan');
  if (place.sunOffsetMinutes === 0) return null;
  return (
    <Alert kind="note" title={t('demo.title')}>
      {t('demo.text', {
        clock: '23:00',
        at: formatTime(clockAt(place, day, shownMinute), 'minute', place.timeZone),
      })}
    </Alert>
  );
}
