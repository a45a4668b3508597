import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addAttachment, listAttachments, mostAttachmentBytes } from '../../../../contract/routes/attachments.ts';
import { getDeviceTimeline, getPoleTimeline } from '../../../../contract/routes/device-history.ts';
import { ApiError, callKey, upload } from '../../api/index.ts';
import { useErrorText } from '../Notices.tsx';

/** A file on its way: `share` of it has left (null: it waits), or why it was not taken. */
export interface Upload { readonly key: number; readonly file: File; readonly share: number | null; readonly problem?: string }

/** Sends files to a device one after the other; what fails stays until somebody has read why. */
export function useUploads(deviceId: number, keepPosition: boolean) {
  const { t } = useTranslation('attachments');
  const errorText = useErrorText();
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const serial = useRef(0);
  const stops = useRef(new Map<number, AbortController>());
  const queue = useRef(Promise.resolve());
  useEffect(() => () => { for (const stop of stops.current.values()) stop.abort(); }, []);

  const change = (key: number, more: Partial<Upload>): void => setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const drop = (key: number): void => {
    stops.current.get(key)?.abort();
    setUploads((all) => all.filter((one) => one.key !== key));
  };

  async function send(key: number, file: File): Promise<void> {
    const stop = stops.current.get(key);
    if (!stop || stop.signal.aborted) return;
    try {
      await upload(addAttachment, { params: { id: deviceId }, query: { name: file.name.slice(-200), ...(keepPosition ? { keepPosition } : {}) } }, file, { signal: stop.signal, onProgress: (share) => change(key, { share }) });
      setUploads((all) => all.filter((one) => one.key !== key));
      await Promise.all([listAttachments, getDeviceTimeline, getPoleTimeline].map((route) => client.invalidateQueries({ queryKey: callKey(route) })));
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'aborted')) change(key, { problem: errorText(error) });
    } finally {
      stops.current.delete(key);
    }
  }

  const add = (files: readonly File[]): void => {
    for (const file of files) {
      serial.current += 1;
      const key = serial.current;
      const problem = file.size > mostAttachmentBytes ? t('tooLarge') : file.size === 0 ? t('emptyFile') : undefined;
      setUploads((all) => [...all, { key, file, share: null, ...(problem === undefined ? {} : { problem }) }]);
      if (problem !== undefined) continue;
      stops.current.set(key, new AbortController());
      queue.current = queue.current.then(() => send(key, file));
    }
  };
  const again = (one: Upload): void => {
    drop(one.key);
    add([one.file]);
  };
  return { uploads, add, drop, again };
}
