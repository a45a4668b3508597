import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../frame/index.ts';
import { SaveButton } from '../../../parts/page/SaveButton.tsx';

interface Props {
  readonly text: string;
  readonly title?: string;
  /** There is nothing to save. */
  readonly empty: boolean;
  /** Fetches the file and saves it. */
  readonly save: () => Promise<unknown>;
}

/** Saves a workbook of what is shown; absent without the right to export. */
export function DownloadButton(props: Props) {
  const { t } = useTranslation('statistics');
  return usePermission('device.export') ? <SaveButton {...props} failed={t('export.failed')} /> : null;
}
