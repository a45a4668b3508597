import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getAttachmentThumbnail } from '../../../../contract/register/attachments.ts';
import { Icon } from '../icons/Icon.tsx';
import { useFileUrl } from './use-file-url.ts';
import { useAttachmentWords, type Attachment } from './words.ts';
import styles from './attachments.module.css';

/** So many small pictures are fetched before somebody asks for more. */
const atFirst = 12;

/** The photographs as tiles; each opens large. */
export function Photos({
  photos,
  deviceId,
  onOpen,
}: {
  photos: readonly Attachment[];
  deviceId: number;
  onOpen: (id: number) => void;
}) {
  const { t } = useTranslation('attachments');
  const [all, setAll] = useState(false);
  const shown = all ? photos : photos.slice(0, atFirst);
  return (
    <>
      <ul className={styles.photos} aria-label={t('photos')}>
        {shown.map((one) => (
          <li key={one.id}>
            <Tile one={one} deviceId={deviceId} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {shown.length < photos.length ? (
        <Button type="link" onClick={() => setAll(true)}>
          {t('more', { n: photos.length })}
        </Button>
      ) : null}
    </>
  );
}

function Tile({ one, deviceId, onOpen }: { one: Attachment; deviceId: number; onOpen: (id: number) => void }) {
  const words = useAttachmentWords();
  const { url, failed } = useFileUrl(getAttachmentThumbnail, one.id);
  return (
    <button
      type="button"
      className={styles.tile}
      title={[one.name, words.added(one)].join('\n')}
      onClick={() => onOpen(one.id)}
    >
      <span className={styles.picture}>
        {url === undefined ? <Icon name={failed ? 'warning' : 'camera'} size={20} /> : <img src={url} alt="" />}
      </span>
      {one.device.id === deviceId ? null : <b className={`code ${styles.whose}`}>{one.device.code}</b>}
      <span className={styles.under}>{one.caption ?? one.name}</span>
    </button>
  );
}
