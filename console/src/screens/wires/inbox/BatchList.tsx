import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Names } from '../../../../../catalogue/names.ts';
import {
  deleteBatch,
  listBatches,
  listNewcomers,
  renewBatchSecret,
  updateBatch,
} from '../../../../../contract/wires/provisioning.ts';
import { useSend } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import {
  formatNumber,
  Icon,
  RelativeTime,
  StateMark,
  toast,
  useErrorText,
  useTime,
  type IconName,
} from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame, type ListAnswer } from '../../../parts/lists/ListFrame.tsx';
import { Confirm } from '../../../parts/notices/Confirm.tsx';
import { inPreview } from '../../../session/index.ts';
import { BatchForm } from './BatchForm.tsx';
import { BatchSecret, type Secret } from './BatchSecret.tsx';
import { deniedWord, standings, type Batch } from './newcomer.ts';
import styles from './inbox.module.css';

const none: readonly never[] = [];
type Times = ReturnType<typeof useTime>;

const columnsOf = (t: TFunction<'provisioning'>, names: Names, time: Times, language: string): ListColumn<Batch>[] => [
  {
    key: 'name',
    name: t('batch.name'),
    always: true,
    cell: (one) => (
      <span className={styles.batchName}>
        {one.name}
        <span className="code">{one.username}</span>
      </span>
    ),
  },
  { key: 'standing', state: true, name: t('list.state'), cell: (one) => <Standing one={one} /> },
  {
    key: 'families',
    name: t('batch.families'),
    cell: (one) =>
      one.families.length === 0 ? t('batch.allFamilies') : one.families.map((key) => names.family(key)).join(' · '),
  },
  { key: 'work', name: t('list.work'), cell: (one) => one.workName },
  { key: 'counts', name: t('batch.counts'), cell: (one) => <Counts one={one} language={language} /> },
  {
    key: 'expiresAt',
    name: t('batch.expiresAt'),
    cell: (one) => (one.expiresAt === null ? t('batch.never') : time(one.expiresAt, 'date')),
  },
  {
    key: 'lastUsedAt',
    name: t('batch.lastUsedAt'),
    cell: (one) => (one.lastUsedAt === null ? '—' : <RelativeTime at={one.lastUsedAt} />),
  },
  { key: 'createdBy', name: t('batch.createdBy'), further: true, cell: (one) => one.createdBy },
];

/** Whether members get in, and the last one that did not. */
function Standing({ one }: { one: Batch }) {
  const { t } = useTranslation('provisioning');
  return (
    <span className={styles.standing}>
      <StateMark state={standings[one.standing]} word={t(`standing.${one.standing}`)} />
      {one.lastDenied === null ? null : (
        <span className={styles.denied} title={one.lastDenied.serial}>
          <Icon name="warning" size={12} />
          {t(deniedWord(one.lastDenied.reason))} <RelativeTime at={one.lastDenied.at} />
        </span>
      )}
    </span>
  );
}

function Counts({ one, language }: { one: Batch; language: string }) {
  const { t } = useTranslation('provisioning');
  const number = (n: number): string => formatNumber(n, language, 0);
  const { waiting, claimed, blocked } = one.counts;
  return (
    <span className={styles.counts}>
      <span>
        {t('state.waiting')} <b className="num">{number(waiting)}</b>
      </span>
      <span>
        {t('state.claimed')} <b className="num">{number(claimed)}</b>
      </span>
      {blocked > 0 ? (
        <span>
          {t('state.blocked')} <b className="num">{number(blocked)}</b>
        </span>
      ) : null}
      <span>/ {number(one.maxDevices)}</span>
    </span>
  );
}

/** The batches: their secret is shown once, their door can be shut at any time. */
export function BatchList({ list }: { list: ListAnswer<Batch> }) {
  const { t, i18n } = useTranslation('provisioning');
  const names = useNames();
  const time = useTime();
  const address = useListAddress(none);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [asked, setAsked] = useState<{ what: 'secret' | 'delete'; one: Batch } | null>(null);
  const update = useSend(updateBatch, [listBatches], { quiet: true });
  const errorText = useErrorText();
  const from = (address.page - 1) * address.size;
  const page = list.data
    ? { ...list, data: { ...list.data, data: list.data.data.slice(from, from + address.size) } }
    : list;
  const add = (): void => address.show({ form: 'new' });
  const act = (one: Batch, word: string, icon: IconName, onClick: () => void) => (
    <Button
      type="text"
      size="small"
      title={word}
      aria-label={`${word} ${one.name}`}
      icon={<Icon name={icon} size={14} />}
      onClick={onClick}
    />
  );
  const turn = (one: Batch): void => {
    update
      .mutateAsync({ params: { id: one.id }, body: { enabled: !one.enabled, version: one.version } })
      .catch((error: unknown) => toast.failed(errorText(error)));
  };
  const actions = (one: Batch): ReactNode =>
    inPreview() ? null : (
      <span className={styles.actions}>
        {act(one, t('batch.edit'), 'edit', () => address.show({ form: one.id }))}
        {act(one, t(one.enabled ? 'batch.disable' : 'batch.enable'), one.enabled ? 'lock' : 'check', () => turn(one))}
        {act(one, t('batch.renew'), 'key', () => setAsked({ what: 'secret', one }))}
        {act(one, t('batch.delete'), 'trash', () => setAsked({ what: 'delete', one }))}
      </span>
    );
  return (
    <>
      <ListFrame<Batch>
        name="batches"
        list={page}
        address={address}
        columns={columnsOf(t, names, time, i18n.language)}
        {...(inPreview() ? {} : { first: { text: t('batch.new'), onClick: add } })}
        texts={{
          count: (n) => t('batch.count', { n }),
          noMatch: t('batch.empty'),
          empty: t('batch.empty'),
          emptyText: t('batch.emptyText'),
        }}
        tools={
          inPreview() ? null : (
            <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={add}>
              {t('batch.new')}
            </Button>
          )
        }
        renderActions={actions}
        renderCards={(rows) => (
          <ul className={styles.cards}>
            {rows.map((one) => (
              <li key={one.id} className={styles.card}>
                <b>{one.name}</b>
                <Standing one={one} />
                <span className={styles.cardLine}>
                  {one.workName} · {one.username}
                </span>
                <span className={styles.cardLine}>
                  <Counts one={one} language={i18n.language} />
                </span>
                <span className={styles.cardActions}>{actions(one)}</span>
              </li>
            ))}
          </ul>
        )}
      />
      <BatchForm
        id={address.form}
        batches={list.data?.data ?? none}
        onClose={() => address.show({})}
        onCreated={(made) => {
          address.show({});
          setSecret(made);
        }}
      />
      <BatchSecret secret={secret} onClose={() => setSecret(null)} />
      <Ask asked={asked} onClose={() => setAsked(null)} onSecret={setSecret} />
    </>
  );
}

/** What ends connections is asked about first. */
function Ask({
  asked,
  onClose,
  onSecret,
}: {
  asked: { what: 'secret' | 'delete'; one: Batch } | null;
  onClose: () => void;
  onSecret: (secret: Secret) => void;
}) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const renew = useSend(renewBatchSecret, [listBatches], { quiet: true });
  const remove = useSend(deleteBatch, [listBatches, listNewcomers], { quiet: true });
  const close = (): void => {
    renew.reset();
    remove.reset();
    onClose();
  };
  const params = { id: asked?.one.id ?? 0 };
  const name = asked?.one.name ?? '';
  return (
    <>
      <Confirm
        open={asked?.what === 'secret'}
        title={t('batch.renew.title', { name })}
        ok={t('batch.renew')}
        cancel={words('form.cancel')}
        error={renew.error}
        pending={renew.isPending}
        onCancel={close}
        onOk={() =>
          renew.mutate(
            { params },
            {
              onSuccess: (credentials) => {
                close();
                onSecret({ batchId: params.id, name, credentials });
              },
            },
          )
        }
      >
        <p>{t('batch.renew.about')}</p>
      </Confirm>
      <Confirm
        open={asked?.what === 'delete'}
        title={t('batch.delete.title', { name })}
        ok={t('batch.delete')}
        cancel={words('form.cancel')}
        error={remove.error}
        pending={remove.isPending}
        onCancel={close}
        onOk={() =>
          remove.mutate(
            { params },
            {
              onSuccess: () => {
                close();
                toast.done(t('batch.deleted'));
              },
            },
          )
        }
      >
        <p>{t('batch.delete.about', { n: asked?.one.counts.waiting ?? 0 })}</p>
      </Confirm>
    </>
  );
}
