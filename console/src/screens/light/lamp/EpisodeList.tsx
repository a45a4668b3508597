import { useTranslation } from 'react-i18next';
import { EpisodeText } from '../../../parts/episodes/Lasted.tsx';
import { markOf, type Episode } from '../../../parts/episodes/words.ts';
import { StateShape, useTime } from '../../../parts/index.ts';
import styles from './device.module.css';

/** What befell a lamp, what began last first, each with its end. */
export function EpisodeList({ episodes }: { episodes: readonly Episode[] }) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  if (episodes.length === 0) return <p className={styles.note}>{t('device.noEvents')}</p>;
  return (
    <ol className={styles.events}>
      {episodes.map((episode) => (
        <li
          key={`${episode.kind} ${episode.fault ?? episode.reason ?? ''} ${episode.beganAt} ${episode.endedAt ?? ''}`}
        >
          <time dateTime={episode.beganAt} title={time(episode.beganAt, 'dateTime')}>
            {time(episode.beganAt, 'dayTime')}
          </time>
          <StateShape state={markOf(episode)} />
          <div>
            <EpisodeText of={episode} dated />
          </div>
        </li>
      ))}
    </ol>
  );
}
