import { useCallback, useEffect, useMemo, useRef, useState, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../api/load-chunk.ts';
import { useKept } from '../../../frame/tabs/tab-context.ts';
import { usePageExists, usePermission } from '../../../frame/menu/menu-context.ts';
import { useIsShown, useOpen } from '../../../frame/tabs/tab-context.ts';
import { call } from '../../../api/index.ts';
import { lampIds } from '../../../../../contract/light/lamps.ts';
import { formatNumber, toast, useErrorText } from '../../../parts/index.ts';
import { useWebGl } from '../../../parts/map/webgl.ts';
import { Skeleton } from '../../../parts/notices/Notices.tsx';
import { useCommands, type Ask } from '../../../parts/commands/commands.ts';
import { useHold } from '../../../parts/commands/use-hold.ts';
import { BatchBar } from './BatchBar.tsx';
import { CommandDialog } from '../../../parts/commands/send/CommandDialog.tsx';
import type { Target } from '../../../parts/commands/send/use-send-form.ts';
import { toQuery } from './filters.ts';
import { LampDrawer } from './LampDrawer.tsx';
import { LampNews } from './lamp-news.ts';
import { ListView } from './ListView.tsx';
import styles from './monitor.module.css';
import { TaskPanel } from './TaskPanel.tsx';
import { useLampField } from './use-lamps.ts';
import { useMatchingCount } from './use-counts.ts';
import { standingOf, useSelection } from './use-selection.ts';
import { useView } from './view-state.ts';

const MapPane = lazy(() => loadChunk('map', () => import('./MapPane.tsx')));

/** Lamp monitor: every lamp live on a map and in a list, and what can be asked of one, of many, of a road. */
export default function LampMonitor() {
  const { t, i18n } = useTranslation('lamp');
  const { t: tasks } = useTranslation('commands');
  const textOf = useErrorText();
  const [hasMap, tryMap] = useWebGl();
  const { view, put, setFilters } = useView(hasMap);
  const canControl = usePermission('lamp.control');
  const open = useOpen();
  const exists = usePageExists();
  const mayPublish = usePermission('plan.publish') && exists('lamp/publish');
  const maySchedule = usePermission('plan.publish') && exists('lamp/schedule');
  const news = useKept(
    () => new LampNews(),
    (kept) => kept.dispose(),
  );
  const lamps = useLampField(view.filters, news);
  const selection = useSelection(lamps.field);
  const matching = useMatchingCount(view.filters);
  const [dialog, setDialog] = useState<{ target: Target; action: Ask['command'] | null } | null>(null);
  const [selectingAll, setSelectingAll] = useState(false);

  const isShown = useIsShown();
  const hold = useHold();
  const commands = useCommands((sent) => {
    if (!isShown()) {
      // What waits for a second person has said so, and nothing was sent.
      if (exists('lamp/command') && sent.state !== 'awaitingApproval')
        toast.done(tasks('hold.sent', { n: formatNumber(sent.total, i18n.language, 0) }), {
          text: tasks('hold.open'),
          onClick: () => open('lamp/command', { params: { id: sent.id } }),
        });
      return;
    }
    // One lamp's command is followed in its drawer.
    if (sent.total > 1 || view.lampId === null) put({ task: sent.id });
  });
  const selectAll = async () => {
    setSelectingAll(true);
    try {
      const { ids, truncated } = await call(lampIds, { query: toQuery(view.filters) });
      selection.replace(ids);
      if (truncated) toast.warning(t('batch.truncated', { count: ids.length }), 6000);
    } catch (error) {
      toast.failed(textOf(error));
    } finally {
      setSelectingAll(false);
    }
  };
  const openLamp = useCallback((id: number | null) => put({ lamp: id }), [put]);
  const drawer = useRef<HTMLDivElement>(null);
  const enterLamp = useCallback(() => drawer.current?.querySelector('button')?.focus(), []);
  const ask = (what: Ask | 'dim') =>
    setDialog({
      target: { kind: 'lamps', ids: [...selection.ids], standing: standingOf(lamps.field, selection.ids) },
      action: what === 'dim' ? 'dim' : what.command,
    });
  const read = () =>
    commands
      .send({ deviceIds: [...selection.ids], command: 'read' })
      .catch((error: unknown) => toast.failed(textOf(error)));
  const retry = (id: number, about: Parameters<typeof hold>[0]) =>
    hold(about, commands.retry(id)).catch((error: unknown) => toast.failed(textOf(error)));
  const shared = useMemo(
    () => ({
      view,
      put,
      setFilters,
      lamps,
      news,
      selection,
      matching,
      canControl,
      hasMap,
      tryMap,
      openLamp,
      enterLamp,
      onScope: () => setDialog({ target: { kind: 'scope' }, action: null }),
    }),
    [view, put, setFilters, lamps, news, selection, matching, canControl, hasMap, tryMap, openLamp, enterLamp],
  );
  useEffect(() => {
    if (!canControl && selection.ids.size > 0) selection.clear();
  }, [canControl, selection]);

  return (
    <div className={styles.monitor} data-shown={view.shown}>
      {view.shown === 'map' ? <h1 className={styles.hiddenTitle}>{t('title')}</h1> : null}
      <div className={styles.main}>
        {view.shown === 'map' ? (
          <Suspense fallback={<Skeleton rows={6} />}>
            <MapPane {...shared} />
          </Suspense>
        ) : (
          <ListView {...shared} />
        )}
        {canControl && selection.ids.size > 0 ? (
          <BatchBar
            count={selection.ids.size}
            matching={matching.data?.total ?? null}
            selectingAll={selectingAll}
            onSelectAll={() => void selectAll()}
            onAsk={ask}
            onRead={() => void read()}
            onPublish={mayPublish ? () => open('lamp/publish', { handOver: { deviceIds: [...selection.ids] } }) : null}
            onSchedule={
              maySchedule ? () => open('lamp/schedule', { handOver: { deviceIds: [...selection.ids] } }) : null
            }
            onClose={selection.clear}
          />
        ) : null}
      </div>
      {view.lampId === null ? null : (
        <div ref={drawer} className={styles.around}>
          <LampDrawer
            key={view.lampId}
            id={view.lampId}
            canControl={canControl}
            pending={commands.pending}
            onSend={commands.sendNext}
            onClose={() => openLamp(null)}
          />
        </div>
      )}
      {view.taskId === null ? null : (
        <TaskPanel
          id={view.taskId}
          canRetry={canControl}
          retrying={commands.pending}
          onRetry={(about) => void (view.taskId !== null && retry(view.taskId, about))}
          onOpenLamp={openLamp}
          onClose={() => put({ task: null })}
        />
      )}
      {dialog === null ? null : (
        <CommandDialog
          target={dialog.target}
          action={dialog.action}
          pending={commands.pending}
          onSend={commands.send}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
