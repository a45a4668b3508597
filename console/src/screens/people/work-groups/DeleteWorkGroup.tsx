import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteWorkGroup,
  listWorkGroupOptions,
  listWorkGroups,
} from '../../../../../contract/specified/work-groups.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import { Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import type { Row } from './WorkGroupList.tsx';
import styles from './work-groups.module.css';

/** Asks before a group is deleted; names what is lost with it; a failure stays in the dialog. */
export function DeleteWorkGroup({ row, onClose }: { row: Row | null; onClose: () => void }) {
  const { t } = useTranslation('work-groups');
  const errorText = useErrorText();
  const remove = useSend(deleteWorkGroup, [listWorkGroups, listWorkGroupOptions], { quiet: true });
  const shown = useLast(row);
  const [failure, setFailure] = useState<unknown>(null);
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (row === null) return;
    setFailure(null);
    try {
      await remove.mutateAsync({ params: { id: row.id } });
      toast.done(t('delete.done'));
      leave();
    } catch (cause) {
      setFailure(cause);
    }
  };
  const said = failure instanceof ApiError && failure.problem?.title ? failure.problem.title : errorText(failure);
  return (
    <Modal
      open={row !== null}
      title={t('delete.title')}
      width={440}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t('action.delete')}
      cancelText={t('delete.cancel')}
      okButtonProps={{ danger: true, loading: remove.isPending, disabled: remove.isPending }}
    >
      {shown === null ? null : (
        <p>{t('delete.lost', { name: shown.groupName, area: shown.workName, n: shown.members })}</p>
      )}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t('delete.failed')} · {said}
          </span>
        </p>
      )}
    </Modal>
  );
}
