import { useTranslation } from 'react-i18next';
import { useTab } from '../../../frame/index.ts';
import { Card, Empty, Page, PageBar } from '../../../parts/index.ts';
import { LoadedWorkGroup } from './LoadedWorkGroup.tsx';

/** workgroup-edit: the group whose id the list left in this tab's hand-over slot (specified 2.7). */
export default function EditWorkGroup() {
  const { t } = useTranslation('work-groups');
  const { t: menu } = useTranslation('menu');
  const tab = useTab<{ id?: unknown }>();
  const id = Number(tab.handOver?.id);
  const toList = (): void => tab.close('workgroup-management');
  if (Number.isSafeInteger(id) && id > 0) return <LoadedWorkGroup id={id} onLeave={toList} ownTab />;
  return (
    <Page>
      <PageBar title={menu('workgroup-edit')} />
      <Card>
        <Empty title={t('edit.none')} text={t('edit.noneText')} action={{ text: t('edit.toList'), onClick: toList }} />
      </Card>
    </Page>
  );
}
