import { useTranslation } from 'react-i18next';
import { useTab } from '../../app/index.ts';
import { WorkGroupPage } from './WorkGroupPage.tsx';

/** workgroup-add */
export default function AddWorkGroup() {
  const { t } = useTranslation('menu');
  const tab = useTab();
  return <WorkGroupPage title={t('workgroup-add')} loaded={null} onLeave={() => tab.close('workgroup-management')} />;
}
