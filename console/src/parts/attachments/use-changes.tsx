import { Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteAttachment,
  getAttachmentFile,
  listAttachments,
  updateAttachment,
} from '../../../../contract/register/attachments.ts';
import { getDeviceTimeline, getPoleTimeline } from '../../../../contract/register/device-history.ts';
import { download, useSend } from '../../api/index.ts';
import { useErrorText } from '../notices/error-text.ts';
import { toast } from '../../frame/toast-store.ts';
import type { Attachment } from './words.ts';
import styles from './attachments.module.css';

const refreshed = [listAttachments, getDeviceTimeline, getPoleTimeline];

/** Saves a file on the operator's machine. */
export function useDownload(): (one: Attachment) => void {
  const errorText = useErrorText();
  return (one) =>
    void download(getAttachmentFile, { params: { id: one.id } }, one.name, { quiet: true }).catch((error: unknown) =>
      toast.failed(errorText(error)),
    );
}

/** Asks before a file goes for good. */
export function DeleteDialog({ one, onClose }: { one: Attachment; onClose: () => void }) {
  const { t } = useTranslation('attachments');
  const errorText = useErrorText();
  const { mutateAsync, isPending } = useSend(deleteAttachment, refreshed, { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const run = async (): Promise<void> => {
    try {
      await mutateAsync({ params: { id: one.id } });
      toast.done(t('deleted', { name: one.name }));
      onClose();
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <Modal
      open
      onCancel={onClose}
      onOk={() => void run()}
      title={t('delete.title', { name: one.name })}
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: isPending }}
    >
      <p>{t('delete.text')}</p>
      {failure === null ? null : (
        <p className={styles.problem} role="alert">
          {errorText(failure)}
        </p>
      )}
    </Modal>
  );
}

/** Name and caption of a file; the ending of the name stays what it is. */
export function EditDialog({ one, onClose }: { one: Attachment; onClose: () => void }) {
  const { t } = useTranslation('attachments');
  const errorText = useErrorText();
  const id = useId();
  const { mutateAsync, isPending } = useSend(updateAttachment, refreshed, { quiet: true });
  const [name, setName] = useState(one.name);
  const [caption, setCaption] = useState(one.caption ?? '');
  const [failure, setFailure] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    try {
      await mutateAsync({
        params: { id: one.id },
        body: { name: name.trim(), caption: caption.trim() || null, version: one.version },
      });
      toast.done(t('saved'));
      onClose();
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <Modal
      open
      onCancel={onClose}
      onOk={() => void save()}
      title={t('edit')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: isPending, disabled: name.trim() === '' }}
    >
      <div className={styles.form}>
        <label htmlFor={`${id}-name`}>{t('name')}</label>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={() => void save()}
        />
        <label htmlFor={`${id}-caption`}>{t('caption')}</label>
        <Input.TextArea
          id={`${id}-caption`}
          value={caption}
          maxLength={200}
          autoSize={{ minRows: 2, maxRows: 5 }}
          onChange={(event) => setCaption(event.target.value)}
        />
        {failure === null ? null : (
          <p className={styles.problem} role="alert">
            {errorText(failure)}
          </p>
        )}
      </div>
    </Modal>
  );
}
