import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';

interface Props {
  readonly text: string;
  readonly title?: string;
  /** There is nothing to save. */
  readonly empty: boolean;
  /** Fetches the file and saves it. */
  readonly save: () => Promise<unknown>;
}

/** Saves a workbook of what is shown; absent without the right to export. */
export function DownloadButton({ text, title, empty, save }: Props) {
  const { t } = useTranslation('statistics');
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const may = usePermission('device.export');
  const start = (): void => {
    setBusy(true);
    save().catch((error: unknown) => toast.failed(`${t('export.failed')} · ${errorText(error)}`)).finally(() => setBusy(false));
  };
  return may ? <Button icon={<Icon name="download" size={14} />} loading={busy} disabled={empty || busy} title={title} onClick={start}>{text}</Button> : null;
}
