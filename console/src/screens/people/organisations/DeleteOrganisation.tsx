import { useQueryClient } from '@tanstack/react-query';
import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findOrganisations, getOrganisationContents } from '../../../../../contract/people/organisations.ts';
import { deleteOrganisations } from '../../../../../contract/specified/organisations.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { ErrorState, formatNumber, Icon, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { forgetBranch } from '../../../parts/tree/index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Node } from './organisation.ts';
import { organisationLevels } from './use-organisation-tree.ts';
import styles from './organisations.module.css';

/**
 * Asks before a node goes with everything below it, and names what is lost (specified 7.6); a failure stays in the
 * dialog.
 */
export function DeleteOrganisation({ node, onClose }: { node: Node | null; onClose: () => void }) {
  const { t, i18n } = useTranslation('organisations');
  const errorText = useErrorText();
  const shown = useLast(node);
  const contents = useCall(
    getOrganisationContents,
    { params: { id: shown?.id ?? 1 } },
    { enabled: node !== null, staleTime: 0 },
  );
  const client = useQueryClient();
  const remove = useSend(deleteOrganisations, [findOrganisations], { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (node === null) return;
    setFailure(null);
    try {
      await remove.mutateAsync({ body: { cscpOrgDTOs: [{ id: node.id }] } });
      forgetBranch(client, organisationLevels, node);
      void client.invalidateQueries({ queryKey: organisationLevels.all });
      toast.done(t('delete.done'));
      leave();
    } catch (cause) {
      setFailure(cause);
    }
  };
  const waits = contents.data === undefined || contents.isFetching;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const lost = contents.data;
  return (
    <Modal
      open={node !== null}
      title={t('delete.title')}
      width={460}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: remove.isPending, disabled: remove.isPending || waits || inPreview() }}
    >
      <p>
        <b>{t('delete.sure')}</b>
      </p>
      {contents.error && !contents.isFetching ? (
        <ErrorState title={t('fetch.failed')} error={contents.error} onRetry={contents.refetch} />
      ) : waits || !lost ? (
        <Skeleton rows={2} />
      ) : (
        <>
          <p className={styles.lost}>
            {t(lost.descendants === 0 ? 'delete.one' : 'delete.many', { name: lost.name, n: number(lost.descendants) })}
          </p>
          {lost.people + lost.groups === 0 ? null : (
            <p className={styles.lost}>
              {t('delete.links', { people: number(lost.people), groups: number(lost.groups) })}
            </p>
          )}
          <p className={styles.lost}>{t('delete.final')}</p>
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
