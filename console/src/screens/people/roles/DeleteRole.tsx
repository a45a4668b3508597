import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  countRoleUsers,
  deleteRole,
  listRoleOptions,
  listRoles,
  type RoleDetail,
} from '../../../../../contract/specified/roles.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { ErrorState, Icon, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { inPreview } from '../../../session/index.ts';
import styles from './roles.module.css';

/** Counts the accounts of a role first: with any it cannot be deleted (specified 4.4), without it asks. */
export function DeleteRole({ role, onClose }: { role: RoleDetail | null; onClose: () => void }) {
  const { t } = useTranslation('roles');
  const errorText = useErrorText();
  const shown = useLast(role);
  const count = useCall(countRoleUsers, { params: { id: shown?.id ?? 1 } }, { enabled: role !== null, staleTime: 0 });
  const remove = useSend(deleteRole, [listRoles, listRoleOptions], { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const counted = count.data !== undefined && !count.isFetching;
  const used = counted ? (count.data ?? 0) : 0;
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (role === null) return;
    setFailure(null);
    try {
      await remove.mutateAsync({ params: { id: role.id } });
      toast.done(t('delete.done', { name: role.name }));
      onClose();
    } catch (cause) {
      setFailure(cause);
    }
  };
  if (shown === null) return null;
  const mayDelete = counted && used === 0 && !inPreview();
  return (
    <Modal
      open={role !== null}
      title={t('delete.title', { name: shown.name })}
      width={440}
      onCancel={leave}
      onOk={() => (mayDelete ? void confirm() : leave())}
      destroyOnHidden
      okText={t(used > 0 ? 'delete.understood' : 'delete.ok')}
      cancelText={t('cancel')}
      cancelButtonProps={used > 0 ? { style: { display: 'none' } } : {}}
      okButtonProps={{
        danger: used === 0,
        disabled: (used === 0 && !mayDelete) || remove.isPending,
        loading: remove.isPending,
      }}
    >
      {count.error ? (
        <ErrorState title={t('failed')} error={count.error} onRetry={count.refetch} />
      ) : !counted ? (
        <Skeleton rows={2} />
      ) : used > 0 ? (
        <p className={styles.blocked} role="status">
          <Icon name="warning" size={14} />
          <span>{t('delete.inUse', { total: used })}</span>
        </p>
      ) : (
        <p>{t('delete.text')}</p>
      )}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t('failed')} · {errorText(failure)}
          </span>
        </p>
      )}
    </Modal>
  );
}
