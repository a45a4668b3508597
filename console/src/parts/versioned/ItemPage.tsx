import { Button, Dropdown, Modal, Segmented } from 'antd';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists, usePageKeys, usePermission, useTabTitle, useUnsaved } from '../../frame/index.ts';
import { toast } from '../../frame/toast-store.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { inPreview } from '../../session/index.ts';
import { showFirstProblem } from '../form/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { Alert } from '../notices/Alert.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { Page, PageBar } from '../page/PageBar.tsx';
import { useTime } from '../time/zone.ts';
import { useAddress } from '../page/use-address.ts';
import { ActAffects } from './ActAffects.tsx';
import { Conflict } from './Conflict.tsx';
import { FreezeDialog } from './FreezeDialog.tsx';
import { ItemStateMark, publishOptions } from './ItemList.tsx';
import type { Item, Kind, PathWords } from './kind.ts';
import { NameDialog } from './NameDialog.tsx';
import { useDraft, useRefresh, type Draft } from './use-draft.ts';
import styles from './versioned.module.css';

interface Props<C extends object, T extends string> {
  kind: Kind<C>;
  item: Item<C>;
  words: PathWords<C>;
  /** `holds`: the paths whose fields stand in it. */
  tabs: readonly { readonly key: T; readonly label: string; readonly holds?: (path: string) => boolean }[];
  mayEdit: boolean;
  /** The list this page came from. */
  list: string;
  /** What has to be known before the tabs. */
  notice?: ReactNode;
  /** What the page that publishes begins with besides the item. */
  publishing?: { readonly search: string; readonly handOver: object } | undefined;
  renderTab: (tab: T, draft: Draft<C>, readOnly: boolean) => ReactNode;
}

/** One scheme or template: its draft as it is edited, and what may be done with it. */
export function ItemPage<C extends object, T extends string>({
  kind,
  item,
  words,
  tabs,
  mayEdit,
  list,
  notice,
  publishing,
  renderTab,
}: Props<C, T>) {
  const { t, i18n } = useTranslation('versioned');
  const { t: permission } = useTranslation('permissions');
  const errorText = useErrorText();
  const time = useTime();
  const open = useOpen();
  const refresh = useRefresh(kind);
  const draft = useDraft(kind, item);
  const element = useRef<HTMLFormElement>(null);
  const [params, setAddress] = useAddress();
  const [dialog, setDialog] = useState<'freeze' | 'rename' | 'discard' | 'withdraw' | 'remove' | null>(null);
  const { item: now, problems, failure, difference } = draft;
  const gone = now.state === 'withdrawn' || now.state === 'retired';
  const readOnly = !mayEdit || !now.editable || gone || inPreview();
  const tab = tabs.find(({ key }) => key === params.get('tab'))?.key ?? tabs[0]?.key;
  const count = Object.keys(problems).length;
  useTabTitle(now.name);
  useUnsaved(draft.changed && !draft.busy);
  const show = (key: T): void => setAddress({ tab: key === tabs[0]?.key ? null : key });
  /** True: nothing is wrong; else the first field that is wrong gets the focus, in whatever tab it stands. */
  const check = (): boolean => {
    const wrong = draft.check();
    if (wrong.length === 0) return true;
    const holds = (key: T | undefined): boolean =>
      wrong.some((path) => tabs.find((one) => one.key === key)?.holds?.(path) === true);
    const other = tabs.find((one) => holds(one.key))?.key;
    if (!holds(tab) && other !== undefined) show(other);
    showFirstProblem(element.current);
    return false;
  };
  const save = async (): Promise<boolean> => {
    if (!check()) return false;
    const saved = await draft.save();
    if (saved === null) showFirstProblem(element.current);
    else toast.done(t('saved'));
    return saved !== null;
  };
  const freeze = async (): Promise<void> => {
    if (!check() || (draft.changed && !(await save()))) return;
    setDialog('freeze');
  };
  const act = (change: () => Promise<Item<C>>, done: string): void => {
    setDialog(null);
    void draft.run(change).then((next) => {
      if (next !== null) toast.done(done);
    });
  };
  const exists = usePageExists();
  const mayPublish = usePermission('plan.publish') && exists('lamp/publish') && !gone;
  const isPublishable = now.newest !== null && !inPreview();
  const publish = (): void => {
    const { search, handOver } = publishOptions(kind, now.id);
    open('lamp/publish', {
      search: search + (publishing?.search ?? ''),
      handOver: { ...handOver, ...publishing?.handOver },
    });
  };
  const versions = tabs.find(({ key }) => key === 'versions')?.key;
  usePageKeys({
    P: () => (mayPublish && isPublishable ? publish() : false),
    // The list of versions compares those with the focus itself.
    D: () => (versions === undefined || tab === versions ? false : show(versions)),
  });
  const { following, unreported, diverged } = now.lamps;
  const next = (now.newest?.number ?? 0) + 1;
  const newest = now.newest?.number;
  const files = newest === undefined ? [] : kind.files;
  const saveFile = (key: string): boolean => {
    const file = files.find((one) => one.key === key);
    if (file === undefined || newest === undefined) return false;
    file
      .save(now.id, newest, `${now.code}-${newest}.${file.extension}`)
      .catch((error: unknown) => toast.failed(`${t('file.failed')} · ${errorText(error)}`));
    return true;
  };
  const saves = files.map(({ key }) => ({ key, label: t(`file.${key}`), title: t('file.saveTitle', { n: newest }) }));
  const more = [
    ...saves,
    { key: 'rename', label: t('rename.title'), disabled: draft.changed },
    ...(now.draft !== null && now.newest !== null
      ? [{ key: 'discard', label: t('discard.title'), disabled: draft.changed }]
      : []),
    ...(now.deletable
      ? [{ key: 'remove', label: t('remove.title'), danger: true, disabled: draft.changed }]
      : [{ key: 'withdraw', label: t(`withdraw.${kind.name}`), danger: true, disabled: draft.changed }]),
  ] as const;
  const menu = (items: typeof more | typeof saves): ReactNode => (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [...items],
        onClick: ({ key }) => saveFile(key) || setDialog(key as typeof dialog),
      }}
    >
      <Button icon={<Icon name="more" size={16} />} aria-label={t('more')} title={t('more')} />
    </Dropdown>
  );
  return (
    <Page>
      <PageBar
        title={now.name}
        note={
          <span className={styles.head}>
            <span className="code">{now.code}</span>
            <ItemStateMark state={now.state} />
            <span>{now.workAreaName ?? t('area.all')}</span>
            {now.newest === null ? null : (
              <span>
                {t('newest', { n: formatNumber(now.newest.number, i18n.language, 0) })} {t('hash')}{' '}
                <code className="code">{now.newest.hash}</code>
              </span>
            )}
            {following === 0 ? null : (
              <span>{t('lamps.following', { n: formatNumber(following, i18n.language, 0) })}</span>
            )}
            {unreported === 0 ? null : (
              <span>{t('lamps.unreported', { n: formatNumber(unreported, i18n.language, 0) })}</span>
            )}
            {diverged === 0 ? null : (
              <span className={styles.bad}>{t('lamps.diverged', { n: formatNumber(diverged, i18n.language, 0) })}</span>
            )}
            {now.draft === null ? null : (
              <span>{t('draft.at', { by: now.draft.by, at: time(now.draft.at, 'dayTime') })}</span>
            )}
          </span>
        }
        actions={
          <>
            <Segmented<T>
              aria-label={t('tabs')}
              value={tab as T}
              options={tabs.map(({ key, label }) => ({ value: key, label }))}
              onChange={show}
            />
            {mayPublish ? (
              <Button
                disabled={!isPublishable}
                icon={<Icon name="upload" size={14} />}
                title={t(now.newest === null ? 'publish.none' : 'publish.key')}
                onClick={publish}
              >
                {t('publish')}
              </Button>
            ) : null}
            {gone && mayEdit && now.editable ? (
              <Button
                disabled={inPreview()}
                onClick={() => act(() => kind.restore(now.id, now.version), t('restored'))}
              >
                {t('restore')}
              </Button>
            ) : null}
            {readOnly ? (saves.length === 0 ? null : menu(saves)) : menu(more)}
          </>
        }
      />
      {gone ? (
        <Alert kind="note" title={t(`gone.${kind.name}`)} />
      ) : readOnly ? (
        <Alert
          kind="note"
          title={
            inPreview()
              ? t('readOnly.preview')
              : mayEdit
                ? t('readOnly.area')
                : t('readOnly.permission', { permission: permission(kind.permission) })
          }
        />
      ) : null}
      {notice}
      {difference === null ? null : <Conflict {...{ kind, difference, words }} onSettle={draft.settle} />}
      <form
        ref={element}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {tab === undefined ? null : renderTab(tab, draft, readOnly)}
        {readOnly || !(draft.changed || tabs.find(({ key }) => key === tab)?.holds) ? null : (
          <div className={styles.foot}>
            <Button
              type="primary"
              htmlType="submit"
              loading={draft.busy}
              disabled={!draft.changed || draft.busy || difference !== null}
            >
              {t('save')}
            </Button>
            <Button
              disabled={draft.busy || difference !== null || (now.draft === null && !draft.changed)}
              onClick={() => void freeze()}
            >
              {t('freeze')}
            </Button>
            <Button type="text" disabled={!draft.changed || draft.busy} onClick={draft.undo}>
              {t('undo')}
            </Button>
            <span className={styles.says} data-bad={count > 0 || failure !== null || undefined} role="status">
              {count > 0
                ? t('problems', { n: count })
                : failure === null
                  ? draft.changed
                    ? t('changed')
                    : ''
                  : errorText(failure)}
            </span>
          </div>
        )}
      </form>
      {dialog === 'freeze' ? (
        <FreezeDialog
          number={next}
          effect={<ActAffects kind={kind.name} act="freeze" item={now} />}
          onClose={() => setDialog(null)}
          onFreeze={async (note) => {
            await kind.freeze(now.id, { version: now.version, note });
            setDialog(null);
            // The next step stands at the head, which may be out of sight.
            toast.done(t('frozen', { n: next }), mayPublish ? { text: t('publish'), onClick: publish } : undefined);
            await draft.run(() => kind.read(now.id));
          }}
        />
      ) : null}
      {dialog === 'rename' ? (
        <NameDialog
          title={t('rename.title')}
          ok={t('rename.ok')}
          value={{ code: now.code, name: now.name, workAreaId: now.workAreaId }}
          withArea={false}
          onClose={() => setDialog(null)}
          onSubmit={async ({ code, name }) => {
            const renamed = await kind.rename(now.id, { version: now.version, code, name });
            setDialog(null);
            await draft.run(() => Promise.resolve(renamed));
          }}
        />
      ) : null}
      <Modal
        open={dialog === 'discard' || dialog === 'withdraw' || dialog === 'remove'}
        title={
          dialog === 'withdraw'
            ? t(`withdraw.${kind.name}`)
            : dialog === 'remove'
              ? t('remove.title')
              : t('discard.title')
        }
        width={440}
        onCancel={() => setDialog(null)}
        okText={
          dialog === 'withdraw'
            ? t(`withdraw.${kind.name}`)
            : dialog === 'remove'
              ? t('remove.title')
              : t('discard.title')
        }
        cancelText={t('cancel')}
        okButtonProps={{ danger: true }}
        onOk={() => {
          if (dialog === 'withdraw') act(() => kind.withdraw(now.id, now.version), t(`withdrawn.${kind.name}`));
          else if (dialog === 'discard') act(() => kind.discard(now.id, now.version), t('discarded'));
          else
            void kind.remove(now.id).then(
              () => {
                refresh();
                toast.done(t('removed', { name: now.name }));
                open(list);
              },
              (error: unknown) => toast.failed(errorText(error)),
            );
        }}
      >
        <p>
          {dialog === 'withdraw'
            ? t('withdraw.text', { n: formatNumber(now.lamps.following, i18n.language, 0) })
            : dialog === 'remove'
              ? t('remove.text', { name: now.name })
              : t('discard.text', { n: now.newest?.number ?? 0 })}
        </p>
        {dialog === 'withdraw' ? <ActAffects kind={kind.name} act="withdraw" item={now} /> : null}
      </Modal>
    </Page>
  );
}
