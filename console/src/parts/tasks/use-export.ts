import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { exportCalls } from '../../../../contract/desk/exports.ts';
import { listTasks } from '../../../../contract/desk/tasks.ts';
import type { BodyOf, InputOf } from '../../../../contract/route.ts';
import { useSend } from '../../api/index.ts';
import { useGone } from '../../frame/index.ts';
import { useErrorText } from '../notices/error-text.ts';
import { leaveBegun, noteBegun } from './begun.ts';
import { toast } from '../../frame/toast-store.ts';

export type ExportCall = (typeof exportCalls)[keyof typeof exportCalls];

/**
 * Begins exports by a call. The shell saves the file when it is there, or tells of it when the page was closed
 * meanwhile.
 */
export function useExport<C extends ExportCall>(call: C) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const start = useSend(call, [listTasks], { quiet: true });
  const mine = useRef<number[]>([]);
  useGone(() => leaveBegun(mine.current));
  const begin = (body: BodyOf<C>): void => {
    start.mutateAsync({ body } as InputOf<C>).then(
      ({ id }) => {
        mine.current.push(id);
        noteBegun(id, 'page');
        toast.note(t('export.begun'));
      },
      (error: unknown) => toast.failed(`${t('export.failed')} · ${errorText(error)}`),
    );
  };
  return { begin, isBeginning: start.isPending };
}
