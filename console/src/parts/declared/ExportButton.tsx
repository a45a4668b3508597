import { useTranslation } from 'react-i18next';
import { exportDevices } from '../../../../contract/desk/exports.ts';
import { ExportButton as CommonButton } from '../tasks/ExportButton.tsx';

/** Begins the export of a family's list as it is filtered. */
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
  return (
    <CommonButton
      call={exportDevices}
      body={{ family, query: { ...filters } }}
      text={t('export')}
      title={t('export.title')}
      empty={empty}
    />
  );
}
