import type { Static } from 'typebox';
import { useTranslation } from 'react-i18next';
import type { Attachment as Shape } from '../../../../contract/register/attachments.ts';
import { useTime } from '../time/zone.ts';

export type Attachment = Static<typeof Shape>;

/** What is known of a file, in words: who and when, how large, and of a photograph when and where it was taken. */
export function useAttachmentWords() {
  const { t, i18n } = useTranslation('attachments');
  const time = useTime();
  const size = (bytes: number): string => {
    const large = bytes >= 1_000_000;
    const format = new Intl.NumberFormat(i18n.language === 'en-XA' ? 'en-US' : i18n.language, {
      style: 'unit',
      unit: large ? 'megabyte' : 'kilobyte',
      unitDisplay: 'short',
      maximumFractionDigits: large ? 1 : 0,
    });
    return format.format(large ? bytes / 1e6 : Math.max(1, bytes / 1000));
  };
  const added = (one: Attachment): string => t('by', { who: one.accountName, at: time(one.createTime, 'dateTime') });
  const facts = (one: Attachment): string[] => [
    added(one),
    size(one.bytes),
    ...(one.width === null || one.height === null ? [] : [t('pixels', { width: one.width, height: one.height })]),
    // As the camera noted it: the clock of the place.
    ...(one.takenAt === null ? [] : [t('taken', { at: one.takenAt.slice(0, 16).replace('T', ' ') })]),
    ...(one.latitude === null || one.longitude === null
      ? []
      : [t('place', { latitude: one.latitude.toFixed(6), longitude: one.longitude.toFixed(6) })]),
  ];
  return { size, added, facts };
}
