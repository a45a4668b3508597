import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Resolution } from '../../../../../contract/history.ts';
import { exportHistory } from '../../../../../contract/history/history.ts';
import { listTasks } from '../../../../../contract/desk/tasks.ts';
import { usePermission } from '../../../frame/index.ts';
import { useSend } from '../../../api/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { noteBegun } from '../../../parts/tasks/index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Span } from '../../../parts/curves/model.ts';

interface Props {
  devices: readonly number[];
  quantities: readonly string[];
  span: Span;
  resolution: Resolution;
  onPicture: (() => Promise<void>) | null;
}

/** What is shown as a file: sheets are made as a task, the picture at once. */
export function ExportMenu({ devices, quantities, span, resolution, onPicture }: Props) {
  const { t } = useTranslation('curves');
  const errorText = useErrorText();
  const start = useSend(exportHistory, [listTasks], { quiet: true });
  const may = usePermission('device.export') && !inPreview();
  const begin = (format: 'xlsx' | 'csv'): void => {
    const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
    start
      .mutateAsync({ body: { deviceIds: [...devices], quantities: [...quantities], from, to, resolution, format } })
      .then(
        ({ id }) => {
          noteBegun(id, 'left');
          toast.note(t('export.begun'));
        },
        (error: unknown) => toast.failed(`${t('export.failed')} · ${errorText(error)}`),
      );
  };
  const items = [
    ...(may
      ? [
          { key: 'xlsx', label: t('export.xlsx'), onClick: () => begin('xlsx') },
          { key: 'csv', label: t('export.csv'), onClick: () => begin('csv') },
        ]
      : []),
    ...(onPicture
      ? [
          {
            key: 'png',
            label: t('export.png'),
            onClick: () => {
              onPicture().catch(() => toast.failed(t('export.pictureFailed')));
            },
          },
        ]
      : []),
  ];
  if (items.length === 0) return null;
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button
        icon={<Icon name="download" size={14} />}
        loading={start.isPending}
        disabled={devices.length === 0 || quantities.length === 0}
      >
        {t('export')}
      </Button>
    </Dropdown>
  );
}
