import { useLiveState } from '../../../api/index.ts';
import { StaleNote, useTime } from '../../../parts/index.ts';
import styles from './monitor.module.css';

/** Says since when nothing live comes in. */
export function LiveNote() {
  const live = useLiveState();
  const time = useTime();
  return live.state === 'live' || live.since === 0 ? null : (
    <span className={styles.tool}>
      <StaleNote time={time(live.since, 'minute')} />
    </span>
  );
}
