import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { getUserDetails } from '../../../../../contract/specified/users.ts';
import { useTab, useTabTitle } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { UserFormPage } from './UserFormPage.tsx';
import type { Detail } from '../../../parts/people/user-form/values.ts';

/** user-edit: the account whose id the opening page left in this tab's hand-over slot (specified 2.7). */
export default function EditUser() {
  const { t } = useTranslation('user-form');
  const { t: menu } = useTranslation('menu');
  const tab = useTab<{ id?: unknown }>();
  const id = Number(tab.handOver?.id);
  if (Number.isSafeInteger(id) && id > 0) return <Loaded id={id} />;
  return (
    <Page>
      <PageBar title={menu('user-edit')} />
      <Card>
        <Empty
          title={t('edit.none')}
          text={t('edit.noneText')}
          action={{ text: t('edit.toList'), onClick: () => tab.close('user-management') }}
        />
      </Card>
    </Page>
  );
}

/** Starts from the account as it is now, never from a kept answer: its version would be refused. */
function Loaded({ id }: { id: number }) {
  const { t } = useTranslation('user-form');
  const one = useCall(getUserDetails, { query: { userId: id } }, { staleTime: 0 });
  const me = useCall(getCurrentUser, {}, { staleTime: 300_000 });
  const [loaded, setLoaded] = useState<Detail | null>(null);
  if (loaded === null && one.data && !one.isFetching) setLoaded(one.data);
  const title = t('edit.title', { name: loaded?.username ?? '' });
  useTabTitle(loaded === null ? undefined : title);
  if (loaded !== null && !me.isPending)
    return <UserFormPage title={title} loaded={loaded} mode={me.data?.id === loaded.id ? 'own' : 'edit'} />;
  const failed = one.error !== null && !one.isFetching;
  return (
    <Page>
      <PageBar title={title} note={failed ? undefined : <span role="status">{t('progress.fetching')}</span>} />
      <Card>
        {failed ? (
          <ErrorState title={t('fetch.failed')} error={one.error} onRetry={one.refetch} />
        ) : (
          <Skeleton rows={8} height={480} />
        )}
      </Card>
    </Page>
  );
}
