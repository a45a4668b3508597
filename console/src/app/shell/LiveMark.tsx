import { useTranslation } from 'react-i18next';
import { useLiveState } from '../../api/index.ts';
import { useTime } from '../../parts/index.ts';
import styles from './LiveMark.module.css';

/** Whether live messages flow: a shape and a word, and on hover since when not. */
export function LiveMark() {
  const { t } = useTranslation('shell');
  const time = useTime();
  const { state, since } = useLiveState();
  const hint =
    state === 'live' ? t('live.hint.live') : t('live.hint.connecting', { time: time(since || null, 'time') });
  return (
    <span className={styles.live} data-state={state} role="status" title={hint}>
      <i aria-hidden />
      <span>{t(`live.${state}`)}</span>
    </span>
  );
}
