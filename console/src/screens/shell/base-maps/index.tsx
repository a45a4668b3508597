import { Button, Dropdown, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { systemCodes } from '../../../../../catalogue/coordinates.ts';
import { deleteBaseMap, listBaseMapSettings, orderBaseMaps } from '../../../../../contract/shell/base-maps.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { ask } from '../../../frame/ask.ts';
import { useOpen, usePageExists, useUnsaved } from '../../../frame/index.ts';
import { useBaseMapName } from '../../../parts/map/base-maps/use-base-map.ts';
import {
  Card,
  ErrorState,
  Icon,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  toast,
  useErrorText,
} from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { MapEditor } from './MapEditor.tsx';
import { isNewKind, newKinds, type BaseMapSetting } from './map-values.ts';
import { Thumb } from './Thumb.tsx';
import { refreshed } from './use-map-form.ts';
import styles from './base-maps.module.css';

/** Base maps of the site: which there are, in which order they are offered, which one is the default. */
export default function BaseMaps() {
  const { t } = useTranslation('base-maps');
  const { t: menu } = useTranslation('menu');
  const [query, setQuery] = useSearchParams();
  const [dirty, setDirty] = useState(false);
  // What is being changed, as it was when the typing began: whatever somebody else saves meanwhile, the form stays and
  // sends this version.
  const [held, setHeld] = useState<BaseMapSetting | null>(null);
  // Rises when the editor is to begin anew with what is stored.
  const [round, setRound] = useState(0);
  const [removed, setRemoved] = useState<BaseMapSetting | null>(null);
  const open = useOpen();
  const pageExists = usePageExists();
  const errorText = useErrorText();
  useUnsaved(dirty);
  const list = useCall(listBaseMapSettings, {});
  const all = list.data?.data ?? [];
  const wanted = query.get('new');
  const making = isNewKind(wanted) ? wanted : null;
  const asked = query.get('id');
  const isHeld = held !== null && (asked === null || asked === String(held.id));
  const shown = making
    ? null
    : isHeld
      ? held
      : (all.find(({ id }) => String(id) === asked) ?? all.find(({ isDefault }) => isDefault) ?? null);
  const title = menu('system/base-maps');
  const note = (changed: boolean): void => {
    setDirty(changed);
    setHeld(changed ? shown : null);
  };
  const anew = (): void => {
    note(false);
    setRound((before) => before + 1);
  };
  const go = (to: Record<string, string>): void => {
    anew();
    setQuery(to, { replace: true });
  };
  const reload = async (): Promise<void> => {
    const { error } = await list.refetch();
    if (error) toast.failed(errorText(error));
    else anew();
  };
  const leaveTo = (to: Record<string, string>): void => {
    if (!dirty) return go(to);
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) go(to);
    });
  };
  const kind = making ?? shown?.kind;
  return (
    <Page>
      <PageBar
        title={title}
        note={t('note')}
        actions={
          <>
            {pageExists('maptest') ? (
              <Button icon={<Icon name="target" size={14} />} onClick={() => open('/maptest')}>
                {menu('maptest')}
              </Button>
            ) : null}
            <Dropdown
              trigger={['click']}
              disabled={inPreview() || list.isPending}
              menu={{
                items: newKinds.map((one) => ({
                  key: one,
                  label: t(`kind.${one}`),
                  onClick: () => leaveTo({ new: one }),
                })),
              }}
            >
              <Button type="primary" icon={<Icon name="plus" size={14} />}>
                {t('new')}
              </Button>
            </Dropdown>
          </>
        }
      />
      {list.error && !list.data ? (
        <Card>
          <ErrorState title={t('fetch.failed')} error={list.error} onRetry={list.refetch} />
        </Card>
      ) : list.isPending || !kind ? (
        <Card>
          <Skeleton rows={8} height={420} />
        </Card>
      ) : (
        <div className={styles.columns}>
          <nav className={styles.list} aria-label={t('list')}>
            <RefreshBar active={list.isFetching} />
            <MapList all={all} current={shown?.id ?? null} onChoose={(id) => leaveTo({ id: String(id) })} />
            {making ? (
              <span className={styles.choice} data-current="">
                <span>
                  <b>{t('new.title', { kind: t(`kind.${making}`) })}</b>
                </span>
              </span>
            ) : null}
          </nav>
          <MapEditor
            key={`${shown?.id ?? making}-${round}`}
            kind={kind}
            stored={shown}
            place={list.data?.place ?? null}
            onDirty={note}
            onRemove={setRemoved}
            onCancelNew={() => leaveTo({})}
            onSaved={(saved) => go({ id: String(saved.id) })}
            onReload={() => void reload()}
          />
        </div>
      )}
      <RemoveDialog one={removed} onClose={() => setRemoved(null)} onRemoved={() => go({})} />
    </Page>
  );
}

/** In the order in which they are offered; moved by buttons. */
function MapList({
  all,
  current,
  onChoose,
}: {
  all: readonly BaseMapSetting[];
  current: number | null;
  onChoose: (id: number) => void;
}) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const errorText = useErrorText();
  const order = useSend(orderBaseMaps, refreshed, { quiet: true });
  const move = (from: number, to: number): void => {
    const ids = all.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    order.mutateAsync({ body: { ids } }).catch((error: unknown) => toast.failed(errorText(error)));
  };
  return all.map((one, index) => (
    <div key={one.id} className={styles.row} data-current={one.id === current || undefined}>
      <button
        type="button"
        className={styles.choice}
        aria-current={one.id === current || undefined}
        onClick={() => {
          if (one.id !== current) onChoose(one.id);
        }}
      >
        <Thumb kind={one.kind} />
        <span>
          <b>{nameOf(one)}</b>
          {one.layers > 0 ? (
            <small>
              {t(`kind.${one.kind}`)}
              {one.system === 'WGS84' ? '' : ` · ${systemCodes[one.system]}`}
            </small>
          ) : null}
          {one.isDefault ? <em>{t('default')}</em> : one.isEnabled ? null : <i>{t('off')}</i>}
        </span>
      </button>
      <span className={styles.moves}>
        <button
          type="button"
          disabled={index === 0 || order.isPending || inPreview()}
          aria-label={t('up', { name: nameOf(one) })}
          title={t('up', { name: nameOf(one) })}
          onClick={() => move(index, index - 1)}
        >
          <Icon name="up" size={13} />
        </button>
        <button
          type="button"
          disabled={index === all.length - 1 || order.isPending || inPreview()}
          aria-label={t('down', { name: nameOf(one) })}
          title={t('down', { name: nameOf(one) })}
          onClick={() => move(index, index + 1)}
        >
          <Icon name="down" size={13} />
        </button>
      </span>
    </div>
  ));
}

function RemoveDialog({
  one,
  onClose,
  onRemoved,
}: {
  one: BaseMapSetting | null;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const errorText = useErrorText();
  const remove = useSend(deleteBaseMap, refreshed, { quiet: true });
  const confirm = async (): Promise<void> => {
    if (one === null) return;
    try {
      await remove.mutateAsync({ params: { id: one.id } });
      toast.done(t('deleted'));
      onRemoved();
    } catch (cause) {
      toast.failed(errorText(cause));
    }
    onClose();
  };
  return (
    <Modal
      open={one !== null}
      title={one ? t('delete.title', { name: nameOf(one) }) : ''}
      width={440}
      onCancel={onClose}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: remove.isPending }}
    >
      <p>{t(one?.file ? 'delete.file' : 'delete.text')}</p>
    </Modal>
  );
}
