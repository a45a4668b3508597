import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addAttachment, listAttachments, mostAttachmentBytes } from '../../../../contract/register/attachments.ts';
import { getDeviceTimeline, getPoleTimeline } from '../../../../contract/register/device-history.ts';
import { ApiError, callKey, upload } from '../../api/index.ts';
import { useKept, useUnsavedMark } from '../../frame/index.ts';
import { useErrorText } from '../notices/error-text.ts';

/** A file on its way: `share` of it has left (null: it waits), or why it was not taken. */
export interface Upload {
  readonly key: number;
  readonly file: File;
  readonly share: number | null;
  readonly problem?: string;
}

/**
 * Sends files to a device one after the other; what fails stays until somebody has read why. They go on while the tab
 * is hidden; closing it asks first and then stops them.
 */
export function useUploads(deviceId: number, keepPosition: boolean) {
  const { t } = useTranslation('attachments');
  const errorText = useErrorText();
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const serial = useRef(0);
  const queue = useRef(Promise.resolve());
  const markUnsaved = useUnsavedMark();
  // Of those that wait or are sent.
  const stops = useKept(
    () => new Map<number, AbortController>(),
    (all) => {
      for (const stop of all.values()) stop.abort();
    },
  );

  const change = (key: number, more: Partial<Upload>): void =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const take = (key: number): void => setUploads((all) => all.filter((one) => one.key !== key));
  const ended = (key: number): void => {
    stops.delete(key);
    markUnsaved(stops.size > 0);
  };
  const drop = (key: number): void => {
    stops.get(key)?.abort();
    ended(key);
    take(key);
  };

  async function send(key: number, file: File, { signal }: AbortController): Promise<void> {
    try {
      await upload(
        addAttachment,
        { params: { id: deviceId }, query: { name: file.name.slice(-200), ...(keepPosition ? { keepPosition } : {}) } },
        file,
        { signal, onProgress: (share) => change(key, { share }) },
      );
      take(key);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'aborted') take(key);
      else change(key, { problem: errorText(error) });
      return;
    } finally {
      ended(key);
    }
    await Promise.all(
      [listAttachments, getDeviceTimeline, getPoleTimeline].map((route) =>
        client.invalidateQueries({ queryKey: callKey(route) }),
      ),
    );
  }

  const add = (files: readonly File[]): void => {
    for (const file of files) {
      serial.current += 1;
      const key = serial.current;
      const problem = file.size > mostAttachmentBytes ? t('tooLarge') : file.size === 0 ? t('emptyFile') : undefined;
      setUploads((all) => [...all, { key, file, share: null, ...(problem === undefined ? {} : { problem }) }]);
      if (problem !== undefined) continue;
      const stop = new AbortController();
      stops.set(key, stop);
      queue.current = queue.current.then(() => send(key, file, stop));
    }
    markUnsaved(stops.size > 0);
  };
  const again = (one: Upload): void => {
    drop(one.key);
    add([one.file]);
  };
  return { uploads, add, drop, again };
}
