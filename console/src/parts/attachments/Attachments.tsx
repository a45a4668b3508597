import { Button, Checkbox } from 'antd';
import { useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listAttachments } from '../../../../contract/register/attachments.ts';
import { useCall } from '../../api/index.ts';
import { usePermission } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { Empty, ErrorState, Skeleton } from '../notices/Notices.tsx';
import { Card } from '../page/PageBar.tsx';
import { useNarrow } from '../page/use-narrow.ts';
import { Documents } from './Documents.tsx';
import { Lightbox } from './Lightbox.tsx';
import { Photos } from './Photos.tsx';
import { UploadList } from './UploadList.tsx';
import { DeleteDialog, EditDialog } from './use-changes.tsx';
import { useUploads } from './use-uploads.ts';
import type { Attachment } from './words.ts';
import styles from './attachments.module.css';

const accepted = '.jpg,.jpeg,.png,.webp,.pdf,.xlsx,.docx,.csv,.txt,.zip,image/jpeg,image/png,image/webp';

/** Photographs and files of a device; of a pole with `mounted` those of what hangs on it too. */
export function Attachments({ deviceId, mounted = false }: { deviceId: number; mounted?: boolean }) {
  const { t } = useTranslation('attachments');
  const mayEdit = usePermission('device.edit') && !inPreview();
  const { data, error, refetch } = useCall(listAttachments, {
    params: { id: deviceId },
    query: mounted ? { mounted } : {},
  });
  const [keepPosition, setKeepPosition] = useState(false);
  const { uploads, add, drop, again } = useUploads(deviceId, keepPosition);
  const [over, setOver] = useState(false);
  const rows = data?.data ?? [];
  const body =
    error && !data ? (
      <ErrorState error={error} onRetry={refetch} />
    ) : !data ? (
      <Skeleton rows={2} height={120} />
    ) : rows.length === 0 ? (
      <Empty title={t('none')} text={t('noneText')} />
    ) : (
      <Shown rows={rows} deviceId={deviceId} mayEdit={mayEdit} />
    );
  const drag = (event: DragEvent): void => {
    if (!mayEdit || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const take = (event: DragEvent): void => {
    if (!mayEdit) return;
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
  };
  return (
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      <Card title={t('title')} extra={mayEdit ? <Adding onFiles={add} /> : null}>
        <UploadList uploads={uploads} onDrop={drop} onAgain={again} />
        {body}
        {mayEdit ? (
          <div className={styles.foot}>
            <p>{t('hint')}</p>
            <Checkbox
              checked={keepPosition}
              onChange={(event) => setKeepPosition(event.target.checked)}
              title={t('keepPositionHint')}
            >
              {t('keepPosition')}
            </Checkbox>
          </div>
        ) : null}
      </Card>
      {over ? (
        <div className={styles.over} aria-hidden>
          {t('drop')}
        </div>
      ) : null}
    </div>
  );
}

/** Files from the machine; on a phone also straight from the camera. */
function Adding({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('attachments');
  const narrow = useNarrow();
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chosen = (input: HTMLInputElement): void => {
    onFiles([...(input.files ?? [])]);
    input.value = '';
  };
  return (
    <span className={styles.adding}>
      {narrow ? (
        <Button icon={<Icon name="camera" size={14} />} onClick={() => camera.current?.click()}>
          {t('shoot')}
        </Button>
      ) : null}
      <Button icon={<Icon name="upload" size={14} />} onClick={() => files.current?.click()}>
        {t('add')}
      </Button>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        accept={accepted}
        data-testid="attachment-files"
        onChange={(event) => chosen(event.target)}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={(event) => chosen(event.target)}
      />
    </span>
  );
}

function Shown({ rows, deviceId, mayEdit }: { rows: readonly Attachment[]; deviceId: number; mayEdit: boolean }) {
  const [looked, setLooked] = useState<number | null>(null);
  const [edited, setEdited] = useState<Attachment | null>(null);
  const [going, setGoing] = useState<Attachment | null>(null);
  const photos = rows.filter((one) => one.kind === 'photo');
  const documents = rows.filter((one) => one.kind === 'document');
  const changes = mayEdit ? { onEdit: setEdited, onDelete: setGoing } : {};
  return (
    <>
      {photos.length > 0 ? <Photos photos={photos} deviceId={deviceId} onOpen={setLooked} /> : null}
      {documents.length > 0 ? <Documents documents={documents} deviceId={deviceId} {...changes} /> : null}
      {looked === null || photos.length === 0 ? null : (
        <Lightbox
          photos={photos}
          id={looked}
          onShow={setLooked}
          onClose={() => setLooked(null)}
          covered={edited !== null || going !== null}
          {...changes}
        />
      )}
      {edited ? <EditDialog key={edited.id} one={edited} onClose={() => setEdited(null)} /> : null}
      {going ? <DeleteDialog key={going.id} one={going} onClose={() => setGoing(null)} /> : null}
    </>
  );
}
