import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { useDownload } from './use-changes.tsx';
import { useAttachmentWords, type Attachment } from './words.ts';
import styles from './attachments.module.css';

interface Props {
  documents: readonly Attachment[];
  deviceId: number;
  onEdit?: (one: Attachment) => void;
  onDelete?: (one: Attachment) => void;
}

/** Everything that is no photograph, as a list to take along. */
export function Documents({ documents, deviceId, onEdit, onDelete }: Props) {
  const { t } = useTranslation('attachments');
  const words = useAttachmentWords();
  const save = useDownload();
  return (
    <ul className={styles.documents} aria-label={t('documents')}>
      {documents.map((one) => (
        <li key={one.id}>
          <span className={styles.type} aria-hidden>
            {one.type}
          </span>
          <span className={styles.documentText}>
            <button
              type="button"
              className={styles.name}
              aria-label={t('downloadOf', { name: one.name })}
              onClick={() => save(one)}
            >
              {one.name}
            </button>
            {one.caption === null ? null : <span>{one.caption}</span>}
            <small>
              {one.device.id === deviceId ? null : <b className="code">{one.device.code} </b>}
              {words.size(one.bytes)} · {words.added(one)}
            </small>
          </span>
          <span className={styles.documentActions}>
            {onEdit ? (
              <Button
                type="text"
                size="small"
                aria-label={t('editOf', { name: one.name })}
                title={t('edit')}
                icon={<Icon name="edit" size={14} />}
                onClick={() => onEdit(one)}
              />
            ) : null}
            {onDelete ? (
              <Button
                type="text"
                size="small"
                aria-label={t('deleteOf', { name: one.name })}
                title={t('delete')}
                icon={<Icon name="trash" size={14} />}
                onClick={() => onDelete(one)}
              />
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
