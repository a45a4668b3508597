import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { DeviceEvent } from '../../../../../contract/routes/lamps.ts';
import { StateShape, useTime, type MarkState } from '../../../parts/index.ts';
import { useNames } from '../../../parts/catalogue-names.ts';
import styles from './device.module.css';

type Event = Pick<Static<typeof DeviceEvent>, 'kind' | 'fault'>;

/** The shape of an event: what state it led to. */
export function eventMark({ kind }: Event): MarkState {
  return ({ 'fault.raised': 'alarm', 'fault.cleared': 'on', offline: 'offline', online: 'on', connected: 'on', disconnected: 'offline' } as const)[kind];
}

/** An event in words: a fault by its name. */
export function useEventWords(): (event: Event) => string {
  const { t } = useTranslation('lamp');
  const names = useNames();
  return ({ kind, fault }) => {
    const named = fault === null ? '' : names.fault(fault);
    // A fault that came is its own name; what went away needs a word.
    if (kind === 'fault.raised' || (kind === 'offline' && fault !== null)) return named;
    return t(`event.${kind}`, { fault: named });
  };
}

/** What happened to a lamp, newest first. */
export function EventList({ events }: { events: readonly Static<typeof DeviceEvent>[] }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  const words = useEventWords();
  if (events.length === 0) return <p className={styles.note}>{t('device.noEvents')}</p>;
  return (
    <ol className={styles.events}>
      {events.map((event) => (
        <li key={event.id}>
          <time dateTime={event.at} title={time(event.at, 'dateTime')}>{time(event.at, 'dayTime')}</time>
          <StateShape state={eventMark(event)} />
          <span>{words(event)}{event.fault === null ? null : <small> {event.fault}</small>}</span>
        </li>
      ))}
    </ol>
  );
}
