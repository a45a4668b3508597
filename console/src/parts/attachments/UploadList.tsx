import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../locales/format-number.ts';
import type { Upload } from './use-uploads.ts';
import styles from './attachments.module.css';

interface Props {
  uploads: readonly Upload[];
  onDrop: (key: number) => void;
  onAgain: (upload: Upload) => void;
}

/** Files on their way, and those that were not taken with the reason. */
export function UploadList({ uploads, onDrop, onAgain }: Props) {
  const { t } = useTranslation('attachments');
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.uploads}>
      {uploads.map((one) => (
        <li key={one.key} data-failed={one.problem !== undefined || undefined}>
          {one.problem === undefined ? (
            <Going upload={one} />
          ) : (
            <div role="alert" className={styles.uploadText}>
              <b>{t('failed', { name: one.file.name })}</b>
              <span>{one.problem}</span>
            </div>
          )}
          <span className={styles.uploadActions}>
            {one.problem === undefined ? null : (
              <Button size="small" onClick={() => onAgain(one)}>
                {t('again')}
              </Button>
            )}
            <Button size="small" type="text" onClick={() => onDrop(one.key)}>
              {t(one.problem === undefined ? 'stop' : 'dismiss')}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Going({ upload: { file, share } }: { upload: Upload }) {
  const { t, i18n } = useTranslation('attachments');
  const percent = Math.floor((share ?? 0) * 100);
  const text = share === null ? t('waiting') : share < 1 ? formatPercent(percent, i18n.language) : t('reading');
  return (
    <div className={styles.uploadText}>
      <span>{t('sending', { name: file.name })}</span>
      <div
        className={styles.progress}
        role="progressbar"
        aria-label={t('sending', { name: file.name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <small className="num">{text}</small>
    </div>
  );
}
