import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getWorkGroup } from '../../../../../contract/specified/work-groups.ts';
import { useTabTitle } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { Card, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { WorkGroupPage } from './WorkGroupPage.tsx';
import type { Group } from './values.ts';

/** Starts from the group as it is now, never from a kept answer: its version would be refused. */
export function LoadedWorkGroup({
  id,
  onLeave,
  ownTab = false,
}: {
  id: number;
  onLeave: () => void;
  ownTab?: boolean;
}) {
  const { t } = useTranslation('work-groups');
  const one = useCall(getWorkGroup, { params: { id } }, { staleTime: 0 });
  const [loaded, setLoaded] = useState<Group | null>(null);
  const title = t('edit.title', { name: loaded?.groupName ?? '' });
  if (loaded === null && one.data && !one.isFetching) setLoaded(one.data);
  useTabTitle(ownTab && loaded !== null ? title : undefined);
  if (loaded !== null) return <WorkGroupPage title={title} loaded={loaded} onLeave={onLeave} />;
  const failed = one.error !== null && !one.isFetching;
  return (
    <Page>
      <PageBar title={title} note={failed ? undefined : <span role="status">{t('loading')}</span>} />
      <Card>
        {failed ? (
          <ErrorState title={t('failed.load')} error={one.error} onRetry={one.refetch} />
        ) : (
          <Skeleton rows={6} height={320} />
        )}
      </Card>
    </Page>
  );
}
