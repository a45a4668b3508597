import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import type {
  exportExceptions,
  exportPublicationLamps,
  exportPublications,
} from '../../../../contract/desk/exports.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import { usePermission } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { useExport } from './use-export.ts';

/** Calls whose file is a sheet or a text file. */
type MenuCall = typeof exportPublications | typeof exportPublicationLamps | typeof exportExceptions;
type Format = BodyOf<MenuCall>['format'];

/** Begins the export of what is shown, in the format that is chosen; absent without the right to it, and in a preview. */
export function ExportMenu<C extends MenuCall>({
  call,
  body,
  empty = false,
}: {
  call: C;
  body: (format: Format) => BodyOf<C>;
  /** There is nothing to export. */
  empty?: boolean;
}) {
  const { t } = useTranslation('declared');
  const { begin, isBeginning } = useExport(call);
  if (!usePermission(call.access) || inPreview()) return null;
  return (
    <Dropdown
      trigger={['click']}
      disabled={empty || isBeginning}
      menu={{
        items: (['xlsx', 'csv'] as const).map((format) => ({
          key: format,
          label: t(`export.${format}`),
          onClick: () => begin(body(format)),
        })),
      }}
    >
      <Button icon={<Icon name="download" size={14} />} loading={isBeginning}>
        {t('export')}
      </Button>
    </Dropdown>
  );
}
