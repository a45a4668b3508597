import { Button, Modal } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getAttachmentFile, getAttachmentThumbnail } from '../../../../contract/register/attachments.ts';
import { Icon } from '../icons/Icon.tsx';
import { useDownload } from './use-changes.tsx';
import { useFileUrl } from './use-file-url.ts';
import { useAttachmentWords, type Attachment } from './words.ts';
import styles from './attachments.module.css';

interface Props {
  photos: readonly Attachment[];
  /** Which one is looked at. */
  id: number;
  onShow: (id: number) => void;
  onClose: () => void;
  /** Absent: the account may not change anything. */
  onEdit?: (one: Attachment) => void;
  onDelete?: (one: Attachment) => void;
  /** A dialog stands above it: its keys are not meant for the photographs. */
  covered: boolean;
}

/** One photograph as large as the window, the others by arrow keys or buttons. */
export function Lightbox({ photos, id, onShow, onClose, onEdit, onDelete, covered }: Props) {
  const { t } = useTranslation('attachments');
  const words = useAttachmentWords();
  const save = useDownload();
  const at = Math.max(
    0,
    photos.findIndex((one) => one.id === id),
  );
  const one = photos[at];
  const go = (to: number): void => {
    const next = photos[(to + photos.length) % photos.length];
    if (next) onShow(next.id);
  };
  const pressed = useEffectEvent((event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: photos.length - 1 }[event.key];
    if (covered || to === undefined) return;
    event.preventDefault();
    go(to);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  if (!one) return null;
  const several = photos.length > 1;
  return (
    <Modal
      open
      onCancel={onClose}
      centered
      width="min(1400px, 96vw)"
      title={one.name}
      className={styles.lightbox ?? ''}
      footer={
        <div className={styles.lightFoot}>
          <div className={styles.lightText}>
            {one.caption === null ? null : <b>{one.caption}</b>}
            <span>{words.facts(one).join(' · ')}</span>
          </div>
          <span className={styles.lightActions}>
            <Button icon={<Icon name="download" size={14} />} onClick={() => save(one)}>
              {t('download')}
            </Button>
            {onEdit ? (
              <Button icon={<Icon name="edit" size={14} />} onClick={() => onEdit(one)}>
                {t('edit')}
              </Button>
            ) : null}
            {onDelete ? (
              <Button danger icon={<Icon name="trash" size={14} />} onClick={() => onDelete(one)}>
                {t('delete')}
              </Button>
            ) : null}
          </span>
        </div>
      }
    >
      <div className={styles.stage}>
        <Large key={one.id} one={one} />
        {several ? (
          <Button
            className={styles.previous ?? ''}
            shape="circle"
            aria-label={t('previous')}
            title={t('previous')}
            icon={<Icon name="back" />}
            onClick={() => go(at - 1)}
          />
        ) : null}
        {several ? (
          <Button
            className={styles.next ?? ''}
            shape="circle"
            aria-label={t('next')}
            title={t('next')}
            icon={<Icon name="right" />}
            onClick={() => go(at + 1)}
          />
        ) : null}
        <span className="visually-hidden" role="status">
          {t('place.of', { n: at + 1, total: photos.length })}
        </span>
      </div>
    </Modal>
  );
}

/** The small picture stands there until the large one has come. */
function Large({ one }: { one: Attachment }) {
  const { t } = useTranslation('attachments');
  const small = useFileUrl(getAttachmentThumbnail, one.id);
  const large = useFileUrl(getAttachmentFile, one.id);
  if (large.failed)
    return (
      <p className={styles.problem} role="alert">
        {t('noPicture')}
      </p>
    );
  const url = large.url ?? small.url;
  return url === undefined ? null : (
    <img src={url} alt={one.caption ?? one.name} width={one.width ?? undefined} height={one.height ?? undefined} />
  );
}
