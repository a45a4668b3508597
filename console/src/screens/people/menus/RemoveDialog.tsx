import { Modal } from 'antd';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteMenuNode } from '../../../../../contract/specified/menu-configuration.ts';
import { useSend } from '../../../api/index.ts';
import { ErrorState, Icon, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { forgetBranch } from '../../../parts/tree/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { inPreview } from '../../../session/index.ts';
import type { Node } from './node.ts';
import { countBelow, menuLevels, useOwnMenu } from './use-menu-tree.ts';
import styles from './menus.module.css';

/** Asks before a node goes with everything below it: names it and says how many; a failure stays in the dialog. */
export function RemoveDialog({
  node,
  nameOf,
  onClose,
}: {
  node: Node | null;
  nameOf: (node: Node) => string;
  onClose: () => void;
}) {
  const { t } = useTranslation('menus');
  const errorText = useErrorText();
  const client = useQueryClient();
  const shown = useLast(node);
  const count = useQuery({
    queryKey: ['menu-nodes-below', shown?.id],
    queryFn: () => (shown ? countBelow(client, shown) : 0),
    enabled: node !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const remove = useSend(deleteMenuNode, useOwnMenu(), { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (node === null) return;
    setFailure(null);
    try {
      await remove.mutateAsync({ params: { id: node.id } });
      forgetBranch(client, menuLevels, node);
      void client.invalidateQueries({ queryKey: menuLevels.all });
      toast.done(t('delete.done'));
      leave();
    } catch (cause) {
      setFailure(cause);
    }
  };
  const waits = count.data === undefined || count.isFetching;
  return (
    <Modal
      open={node !== null}
      title={t('delete.title')}
      width={440}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: remove.isPending, disabled: remove.isPending || waits || inPreview() }}
    >
      {shown === null ? null : count.error && !count.isFetching ? (
        <ErrorState title={t('fetch.failed')} error={count.error} onRetry={count.refetch} />
      ) : waits ? (
        <Skeleton rows={2} />
      ) : (
        <>
          <p className={styles.lost}>
            {t(count.data === 0 ? 'delete.one' : 'delete.many', { name: nameOf(shown), n: count.data })}
          </p>
          <p>{t('delete.roles')}</p>
        </>
      )}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t('delete.failed')} · {errorText(failure)}
          </span>
        </p>
      )}
    </Modal>
  );
}
