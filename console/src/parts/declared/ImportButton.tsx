import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useOpen, usePermission } from '../../frame/index.ts';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';

const screen = 'asset/imports';

/** Opens the import wizard for a family, where the account may import and has its page. */
export function ImportButton({ family }: { family: string }) {
  const { t } = useTranslation('menu');
  const open = useOpen();
  const { pages } = useMenu();
  const may = usePermission('device.import') && pages.some((page) => page.screen === screen);
  if (!may || inPreview()) return null;
  return (
    <Button icon={<Icon name="enter" size={14} />} onClick={() => open(screen, { search: `?new=${family}` })}>
      {t('button/import')}
    </Button>
  );
}
