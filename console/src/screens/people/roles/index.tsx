import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listRoleSummaries } from '../../../../../contract/people/roles.ts';
import { listRoles, type RoleDetail } from '../../../../../contract/specified/roles.ts';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { Card, Empty, ErrorState, Icon, Page, PageBar, RefreshBar, Skeleton } from '../../../parts/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { inPreview } from '../../../session/index.ts';
import { CopyRole } from './CopyRole.tsx';
import { DeleteRole } from './DeleteRole.tsx';
import { PowersDrawer } from './PowersDrawer.tsx';
import { RoleCard } from './RoleCard.tsx';
import styles from './roles.module.css';

const noFilters: readonly string[] = [];

/**
 * The roles as cards, four a row, and a card that adds one (specified 4.1). What a role may do stands in the address.
 */
export default function RoleManagement() {
  const { t } = useTranslation('roles');
  const { t: menu } = useTranslation('menu');
  const open = useOpen();
  const address = useListAddress(noFilters);
  const may = {
    add: usePermission('cscp.role.add'),
    edit: usePermission('cscp.role.edit'),
    del: usePermission('cscp.role.del'),
  };
  const roles = useCall(listRoles, { query: { size: 1000 } });
  const summaries = useCall(listRoleSummaries, undefined, { staleTime: 0 });
  const [deleting, setDeleting] = useState<RoleDetail | null>(null);
  const [copying, setCopying] = useState<RoleDetail | null>(null);
  const edit = (id: number): void => open('role-edit', { handOver: { id } });
  return (
    <Page>
      <PageBar
        title={menu('role-management')}
        note={roles.data ? t('list.count', { n: roles.data.recordsTotal }) : undefined}
      />
      <RefreshBar active={roles.isFetching && !roles.isPending} />
      {roles.data ? (
        <ul className={styles.cards}>
          {roles.data.data.map((role) => (
            <RoleCard
              key={role.id}
              role={role}
              summary={summaries.data?.data.find(({ id }) => id === role.id)}
              may={may}
              onOpen={({ id }) => edit(id)}
              onDelete={setDeleting}
              onCopy={setCopying}
              onPowers={({ id }) => address.show({ open: id })}
            />
          ))}
          {may.add ? (
            <li className={styles.add}>
              <button
                type="button"
                disabled={inPreview()}
                title={inPreview() ? t('reason.preview') : undefined}
                onClick={() => open('role-add')}
              >
                <Icon name="plus" size={20} />
                {menu('role-add')}
              </button>
            </li>
          ) : null}
          {roles.data.data.length === 0 && !may.add ? (
            <li>
              <Empty title={t('list.none')} />
            </li>
          ) : null}
        </ul>
      ) : (
        <Card>
          {roles.error ? (
            <ErrorState title={t('failed')} error={roles.error} onRetry={roles.refetch} />
          ) : (
            <Skeleton rows={6} height={320} />
          )}
        </Card>
      )}
      <DeleteRole role={deleting} onClose={() => setDeleting(null)} />
      <CopyRole
        role={copying}
        onClose={() => setCopying(null)}
        onCopied={(id) => {
          if (may.edit) edit(id);
        }}
      />
      <PowersDrawer
        id={address.open}
        onClose={() => address.show({})}
        onEdit={
          may.edit
            ? (id) => {
                address.show({});
                edit(id);
              }
            : undefined
        }
      />
    </Page>
  );
}
