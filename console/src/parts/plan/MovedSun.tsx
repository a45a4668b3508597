import { useTranslation } from 'react-i18next';
import { clockAt, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { Alert } from '../notices/Alert.tsx';
import { formatTime } from '../time/zone.ts';

/** The full hour that the notice takes as its example: it lies in every night. */
const exampleHour = 23;

/** A demonstration moves its evening, and with it the times of day of a programme: says when lamps follow them. */
export function MovedSun({ place, day }: { place: SunPlace; day: Day }) {
  const { t } = useTranslation('plan');
  if (place.sunOffsetMinutes === 0) return null;
  return (
    <Alert kind="note" title={t('demo.title')}>
      {t('demo.text', {
        clock: `${exampleHour}:00`,
        at: formatTime(clockAt(place, day, exampleHour * 60), 'minute', place.timeZone),
      })}
    </Alert>
  );
}
