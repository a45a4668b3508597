import { Button, Progress } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { baseMapLimits, uploadBaseMapFile } from '../../../../../contract/shell/base-maps.ts';
import { ApiError, upload } from '../../../api/index.ts';
import { useGone, useUnsavedMark } from '../../../frame/index.ts';
import { formatNumber, Icon, useErrorText } from '../../../parts/index.ts';
import type { BaseMapSetting } from './map-values.ts';
import styles from './base-maps.module.css';

type ArchiveFile = NonNullable<BaseMapSetting['file']>;

interface Props {
  id: string;
  value: ArchiveFile | null;
  disabled: boolean;
  describedBy: string;
  onChange: (file: ArchiveFile | null) => void;
  onSending: (sending: boolean) => void;
}

/**
 * An archive from this computer: sent at once, with its share, also while its tab is hidden; what is in it is shown.
 */
export function ArchiveField({ id, value, disabled, describedBy, onChange, onSending }: Props) {
  const { t, i18n } = useTranslation('base-maps');
  const errorText = useErrorText();
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController>(null);
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const markUnsaved = useUnsavedMark();
  useGone(() => stop.current?.abort());
  // What is typed while a file of gigabytes is sent must not be lost when it has arrived.
  const taken = useRef(onChange);
  useEffect(() => {
    taken.current = onChange;
  }, [onChange]);
  const tell = (sending: boolean): void => {
    markUnsaved(sending);
    onSending(sending);
  };
  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    // Seen here at once; of a long upload that is refused on its way a browser tells nothing but that it broke off.
    if (!(await isArchive(file))) return setFailure(t('file.noArchive'));
    if (file.size > baseMapLimits.fileBytes) return setFailure(t('file.tooLarge'));
    const controller = new AbortController();
    stop.current = controller;
    setFailure(null);
    setShare(0);
    tell(true);
    try {
      const archive = await upload(uploadBaseMapFile, { query: { name: file.name.slice(-200) } }, file, {
        signal: controller.signal,
        onProgress: setShare,
      });
      taken.current(archive);
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'aborted')) setFailure(errorText(error));
    } finally {
      setShare(null);
      tell(false);
    }
  };
  return (
    <div className={styles.archive}>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".pmtiles"
        className="visually-hidden"
        tabIndex={-1}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => {
          void send(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {value ? (
        <p>
          <b>{value.fileName}</b>{' '}
          <small>
            {formatNumber(value.bytes / 1_048_576, i18n.language, 1)} MB · {t(`format.${value.format}`)} ·{' '}
            {t('file.zooms', { from: value.minZoom, to: value.maxZoom })}
          </small>
        </p>
      ) : null}
      {share === null ? null : (
        <div className={styles.sending}>
          <Progress percent={Math.round(share * 100)} size="small" aria-label={t('file.sending')} />
          <Button size="small" onClick={() => stop.current?.abort()}>
            {t('cancel')}
          </Button>
        </div>
      )}
      <span className={styles.buttons}>
        <Button
          size="small"
          disabled={disabled || share !== null}
          icon={<Icon name="download" size={13} />}
          onClick={() => input.current?.click()}
        >
          {t(value ? 'file.other' : 'file.choose')}
        </Button>
        {value ? (
          <Button size="small" type="text" disabled={disabled} onClick={() => onChange(null)}>
            {t('file.remove')}
          </Button>
        ) : null}
      </span>
      {failure === null ? null : (
        <span className={styles.error} role="alert">
          <Icon name="warning" size={12} />
          {failure}
        </span>
      )}
    </div>
  );
}

/** The first bytes of a PMTiles archive, version 3. */
async function isArchive(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return String.fromCharCode(...head.subarray(0, 7)) === 'PMTiles' && head[7] === 3;
}
