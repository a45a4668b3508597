import { useTranslation } from 'react-i18next';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { Ask } from '../../../parts/commands/commands.ts';
import styles from './monitor.module.css';

export interface BatchBarProps {
  count: number;
  /** How many match the filters; null while unknown. */
  matching: number | null;
  selectingAll: boolean;
  onSelectAll: () => void;
  onAsk: (ask: Ask | 'dim') => void;
  /** Asks the selected lamps for a reading, at once: it changes nothing. */
  onRead: () => void;
  /** Publishes a scheme to them; null: this account cannot. */
  onPublish: (() => void) | null;
  /** Their schedule settings; null: this account cannot. */
  onSchedule: (() => void) | null;
  onClose: () => void;
}

/** What to do with the selected lamps, in a row of its own below what they were selected in. */
export function BatchBar({
  count,
  matching,
  selectingAll,
  onSelectAll,
  onAsk,
  onRead,
  onPublish,
  onSchedule,
  onClose,
}: BatchBarProps) {
  const { t, i18n } = useTranslation('lamp');
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  return (
    <div className={styles.batch} role="toolbar" aria-label={t('batch.label')}>
      <b role="status">{t('batch.selected', { count: number(count) })}</b>
      {matching !== null && matching > count ? (
        <button type="button" className={styles.all} disabled={selectingAll} onClick={onSelectAll}>
          {t('batch.all', { count: number(matching) })}
        </button>
      ) : null}
      <span className={styles.batchActions}>
        <button type="button" onClick={() => onAsk({ command: 'on' })}>
          {t('command.on')}
        </button>
        <button type="button" onClick={() => onAsk({ command: 'off' })}>
          {t('command.off')}
        </button>
        <button type="button" onClick={() => onAsk('dim')}>
          {t('batch.dim')}
        </button>
        <button type="button" onClick={() => onAsk({ command: 'auto' })}>
          {t('command.auto')}
        </button>
        <button type="button" onClick={onRead}>
          {t('batch.read')}
        </button>
        {onPublish === null ? null : (
          <button type="button" onClick={onPublish}>
            {t('batch.publish')}
          </button>
        )}
        {onSchedule === null ? null : (
          <button type="button" onClick={onSchedule}>
            {t('batch.schedule')}
          </button>
        )}
      </span>
      <button
        type="button"
        className={styles.batchClose}
        aria-label={t('batch.clear')}
        title={t('batch.clear')}
        onClick={onClose}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
