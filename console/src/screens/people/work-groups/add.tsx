import { useTranslation } from 'react-i18next';
import { useTab } from '../../../frame/index.ts';
import { WorkGroupPage } from './WorkGroupPage.tsx';

/** workgroup-add */
export default function AddWorkGroup() {
  const { t } = useTranslation('menu');
  const tab = useTab();
  return <WorkGroupPage title={t('workgroup-add')} loaded={null} onLeave={() => tab.close('workgroup-management')} />;
}
