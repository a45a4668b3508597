import { Button } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { exportDevices, listTasks } from '../../../../contract/desk/tasks.ts';
import { useGone, usePermission } from '../../frame/index.ts';
import { useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { leaveBegun, noteBegun } from '../tasks/index.ts';
import { toast } from '../../frame/toast-store.ts';

/**
 * Begins the export of a family's list as it is filtered. The shell saves the file when it is there, or tells of it
 * when the page was closed meanwhile.
 */
export function ExportButton({
  family,
  filters,
  empty,
}: {
  family: string;
  filters: Readonly<Record<string, string>>;
  empty: boolean;
}) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const start = useSend(exportDevices, [listTasks], { quiet: true });
  const mine = useRef<number[]>([]);
  useGone(() => leaveBegun(mine.current));
  if (!usePermission('device.export') || inPreview()) return null;
  const begin = (): void => {
    start.mutateAsync({ body: { family, query: { ...filters } } }).then(
      ({ id }) => {
        mine.current.push(id);
        noteBegun(id, 'page');
        toast.note(t('export.begun'));
      },
      (error: unknown) => toast.failed(`${t('export.failed')} · ${errorText(error)}`),
    );
  };
  return (
    <Button
      icon={<Icon name="download" size={14} />}
      loading={start.isPending}
      disabled={empty || start.isPending}
      title={t('export.title')}
      onClick={begin}
    >
      {t('export')}
    </Button>
  );
}
