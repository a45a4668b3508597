import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteDevice } from '../../../../contract/register/devices.ts';
import { deleteRecord } from '../../../../contract/register/records.ts';
import { inPreview } from '../../session/index.ts';
import { Affects } from '../dry-run/Affects.tsx';
import { ErrorState, Skeleton } from '../notices/Notices.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { toast } from '../../frame/toast-store.ts';
import type { Row, Source, Use } from './source.ts';
import { useRemove, useUses } from './use-source.ts';
import { useLast } from './use-last.ts';
import styles from './declared.module.css';

interface Props {
  source: Source;
  row: Row | null;
  onClose: () => void;
  onDeleted: () => void;
}

const List = ({ uses }: { uses: readonly Use[] }) => (
  <ul className={styles.uses}>
    {uses.map((use) => (
      <li key={use.what}>
        {use.name} · {use.count}
      </li>
    ))}
  </ul>
);

/** What goes with a row beyond what belongs to it alone. */
const AlsoLost = ({ source, id }: { source: Source; id: number }) =>
  source.kind === 'device' ? (
    <Affects
      route={deleteDevice}
      input={{ params: { id } }}
      things={['devices', 'assignments', 'positions', 'deviceAccounts']}
      shown={1}
    />
  ) : (
    <Affects route={deleteRecord} input={{ params: { record: source.key, id } }} things={['records']} shown={1} />
  );

/** Asks before a row is deleted: names what would be lost, or what hangs on it and keeps it. */
export function DeleteDialog({ source, row, onClose, onDeleted }: Props) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const code = String(useLast(row)?.[source.codeField] ?? '');
  const uses = useUses(source, row?.id ?? null);
  const { remove, isPending } = useRemove(source);
  const [failure, setFailure] = useState<unknown>(null);
  const blocked = (uses.data?.blocking.length ?? 0) > 0;
  const lost = uses.data?.lost ?? [];
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const run = async (): Promise<void> => {
    if (!row) return;
    try {
      await remove(row.id);
      toast.done(t('delete.done'));
      setFailure(null);
      onDeleted();
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <Modal
      open={row !== null}
      onCancel={leave}
      onOk={() => void run()}
      title={t('delete.title', { code })}
      destroyOnHidden
      okText={t('list.delete')}
      cancelText={t('form.cancel')}
      okButtonProps={{
        danger: true,
        disabled: inPreview() || blocked || uses.isFetching || uses.error !== null,
        loading: isPending,
      }}
    >
      {uses.isFetching ? (
        <Skeleton rows={2} />
      ) : uses.error ? (
        <ErrorState error={uses.error} onRetry={uses.refetch} />
      ) : blocked ? (
        <>
          <p>{t('delete.blocked')}</p>
          <List uses={uses.data?.blocking ?? []} />
        </>
      ) : (
        <>
          {lost.length > 0 ? (
            <>
              <p>{t('delete.lost')}</p>
              <List uses={lost} />
            </>
          ) : null}
          <p>{t('delete.final')}</p>
          {row !== null && failure === null ? <AlsoLost source={source} id={row.id} /> : null}
        </>
      )}
      {failure === null ? null : (
        <p className={styles.note} role="alert">
          {errorText(failure)}
        </p>
      )}
    </Modal>
  );
}
