import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getRole, type RoleDetail } from '../../../../../../contract/specified/roles.ts';
import { useTab, useTabTitle } from '../../../../frame/index.ts';
import { useCall } from '../../../../api/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton } from '../../../../parts/index.ts';
import { RoleFormPage } from './RoleFormPage.tsx';

/** role-edit: the role whose id the opening page left in this tab's hand-over slot (specified 2.7). */
export default function EditRole() {
  const { t } = useTranslation('roles');
  const { t: menu } = useTranslation('menu');
  const tab = useTab<{ id?: unknown }>();
  const id = Number(tab.handOver?.id);
  if (Number.isSafeInteger(id) && id > 0) return <Loaded id={id} />;
  return (
    <Page>
      <PageBar title={menu('role-edit')} />
      <Card>
        <Empty
          title={t('edit.none')}
          text={t('edit.noneText')}
          action={{ text: t('edit.toList'), onClick: () => tab.close('role-management') }}
        />
      </Card>
    </Page>
  );
}

/** Starts from the role as it is now, never from a kept answer: its version would be refused. */
function Loaded({ id }: { id: number }) {
  const { t } = useTranslation('roles');
  const one = useCall(getRole, { params: { id } }, { staleTime: 0 });
  const [loaded, setLoaded] = useState<RoleDetail | null>(null);
  if (loaded === null && one.data && !one.isFetching) setLoaded(one.data);
  const title = t('edit.title', { name: loaded?.name ?? '' });
  useTabTitle(loaded === null ? undefined : title);
  if (loaded !== null) return <RoleFormPage title={title} loaded={loaded} />;
  return (
    <Page>
      <PageBar title={title} />
      <Card>
        {one.error && !one.isFetching ? (
          <ErrorState title={t('failed')} error={one.error} onRetry={one.refetch} />
        ) : (
          <Skeleton rows={8} height={480} />
        )}
      </Card>
    </Page>
  );
}
