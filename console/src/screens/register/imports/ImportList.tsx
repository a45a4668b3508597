import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Names } from '../../../../../catalogue/names.ts';
import { exportFailedRows } from '../../../../../contract/desk/exports.ts';
import { deleteImport, listImports } from '../../../../../contract/register/imports.ts';
import { useCall, useLive, useSend } from '../../../api/index.ts';
import { useTabTitle } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import {
  formatNumber,
  Icon,
  Page,
  PageBar,
  RelativeTime,
  StateMark,
  toast,
  type MarkState,
} from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { RowActions, type RowAction } from '../../../parts/lists/RowActions.tsx';
import { Confirm } from '../../../parts/notices/Confirm.tsx';
import { useExport } from '../../../parts/tasks/use-export.ts';
import { inPreview } from '../../../session/index.ts';
import { isBusy, type ListedImport } from './plan.ts';
import { UndoDialog } from './UndoDialog.tsx';
import type { ImportAddress } from './use-import.ts';
import styles from './imports.module.css';

const none: readonly string[] = [];
const marks: Record<ListedImport['state'], MarkState> = {
  uploaded: 'off',
  checked: 'partial',
  applied: 'on',
  undone: 'offline',
};

function State({ one }: { one: ListedImport }) {
  const { t } = useTranslation('imports');
  return isBusy(one) ? (
    <StateMark state="partial" word={t('state.busy')} />
  ) : (
    <StateMark state={marks[one.state]} word={t(`state.${one.state}`)} />
  );
}

/** What an import did or would do, in four numbers; an error is the only one that stands out. */
function Counts({ counts }: { counts: ListedImport['counts'] }) {
  const { t, i18n } = useTranslation('imports');
  if (counts === null) return <>—</>;
  return (
    <span className={styles.counts}>
      {(['new', 'update', 'unchanged', 'error'] as const)
        .filter((key) => counts[key] > 0)
        .map((key) => (
          <span key={key} data-outcome={key}>
            {t(`outcome.${key}`)} <b className="num">{formatNumber(counts[key], i18n.language, 0)}</b>
          </span>
        ))}
    </span>
  );
}

const columnsOf = (
  t: TFunction<'imports'>,
  names: Names,
  onOpen: (one: ListedImport) => void,
): ListColumn<ListedImport>[] => [
  {
    key: 'file',
    name: t('list.file'),
    always: true,
    className: styles.file,
    cell: (one) => (
      <button type="button" className={styles.link} onClick={() => onOpen(one)}>
        {one.fileName}
      </button>
    ),
  },
  { key: 'family', name: t('list.family'), cell: (one) => names.family(one.family) },
  { key: 'state', state: true, name: t('list.state'), cell: (one) => <State one={one} /> },
  { key: 'counts', name: t('list.counts'), cell: (one) => <Counts counts={one.counts} /> },
  { key: 'account', name: t('list.account'), cell: (one) => one.accountName ?? '—' },
  { key: 'createdAt', name: t('list.createdAt'), cell: (one) => <RelativeTime at={one.createdAt} /> },
];

/** The imports of the account, newest first; an administrator's list has everybody's. */
export function ImportList({ address: wizard }: { address: ImportAddress }) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const address = useListAddress(none);
  const failed = useExport(exportFailedRows);
  const [forgetting, setForgetting] = useState<ListedImport | null>(null);
  const [undoing, setUndoing] = useState<ListedImport | null>(null);
  useTabTitle(t('title'));
  const list = useCall(
    listImports,
    { query: { page: address.page - 1, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  useLive('tasks', () => void list.refetch());
  const start = (): void => wizard.start();
  const columns = columnsOf(t, names, (one) => wizard.show(one.id));
  const actionsOf = (one: ListedImport): RowAction[] => {
    const ended = one.state === 'applied' || one.state === 'undone';
    return [
      {
        key: 'open',
        label: ended ? t('list.look') : t('list.continue'),
        icon: ended ? 'eye' : 'right',
        onClick: () => wizard.show(one.id),
      },
      ...(one.counts && one.counts.error > 0 && one.rowsRemovedAt === undefined && !inPreview()
        ? [
            {
              key: 'failed',
              label: t('failed'),
              icon: 'download',
              onClick: () => failed.begin({ importId: one.id }),
            } as const,
          ]
        : []),
      ...(one.state === 'applied' && one.rowsRemovedAt === undefined && !isBusy(one) && !inPreview()
        ? [{ key: 'undo', label: t('undo'), icon: 'back', onClick: () => setUndoing(one) } as const]
        : []),
      ...(isBusy(one) || inPreview()
        ? []
        : [
            {
              key: 'forget',
              label: t('forget'),
              icon: 'trash',
              danger: true,
              onClick: () => setForgetting(one),
            } as const,
          ]),
    ];
  };
  const renderActions = (one: ListedImport): ReactNode => <RowActions of={one.fileName} actions={actionsOf(one)} />;
  return (
    <Page list>
      <PageBar title={t('title')} note={t('note')} />
      <ListFrame<ListedImport>
        name="imports"
        ofProjects
        list={list}
        address={address}
        columns={columns}
        onOpen={({ id }) => wizard.show(id)}
        {...(inPreview() ? {} : { first: { text: t('new'), onClick: start } })}
        texts={{
          count: (n) => t('list.count', { n }),
          noMatch: t('list.empty'),
          empty: t('list.empty'),
          emptyText: t('list.emptyText'),
        }}
        tools={
          inPreview() ? null : (
            <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={start}>
              {t('new')}
            </Button>
          )
        }
        renderActions={renderActions}
        renderCards={(rows) => (
          <ul className={styles.cards}>
            {rows.map((one) => (
              <ImportCard key={one.id} one={one} actions={renderActions(one)} onOpen={() => wizard.show(one.id)} />
            ))}
          </ul>
        )}
      />
      {undoing ? (
        <UndoDialog
          key={undoing.id}
          one={undoing}
          open
          onClose={() => setUndoing(null)}
          onBegun={() => wizard.show(undoing.id)}
        />
      ) : null}
      <Forget one={forgetting} onClose={() => setForgetting(null)} />
    </Page>
  );
}

/** A row of the list on a phone. */
function ImportCard({ one, actions, onOpen }: { one: ListedImport; actions: ReactNode; onOpen: () => void }) {
  const names = useNames();
  return (
    <li className={styles.card}>
      <button type="button" className={styles.link} onClick={onOpen}>
        {one.fileName}
      </button>
      <State one={one} />
      <span className={styles.cardLine}>
        {names.family(one.family)} · <RelativeTime at={one.createdAt} />
      </span>
      {one.counts ? (
        <span className={styles.cardLine}>
          <Counts counts={one.counts} />
        </span>
      ) : null}
      <span className={styles.cardActions}>{actions}</span>
    </li>
  );
}

function Forget({ one, onClose }: { one: ListedImport | null; onClose: () => void }) {
  const { t } = useTranslation('imports');
  const send = useSend(deleteImport, [listImports], { quiet: true });
  const close = (): void => {
    send.reset();
    onClose();
  };
  return (
    <Confirm
      open={one !== null}
      title={t('forget.title', { name: one?.fileName ?? '' })}
      ok={t('forget')}
      cancel={t('cancel')}
      error={send.error}
      pending={send.isPending}
      onCancel={close}
      onOk={() =>
        one &&
        send.mutate(
          { params: { id: one.id } },
          {
            onSuccess: () => {
              close();
              toast.done(t('forget.done'));
            },
          },
        )
      }
    >
      <p>{t('forget.file')}</p>
      <p>{one?.state === 'applied' ? t('forget.applied') : t('forget.stays')}</p>
    </Confirm>
  );
}
