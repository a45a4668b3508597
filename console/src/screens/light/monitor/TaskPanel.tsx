import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getCommand } from '../../../../../contract/light/commands.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { ErrorState, formatNumber, Icon, Skeleton, StateShape, useTime } from '../../../parts/index.ts';
import { ApprovalPanel } from '../../../parts/commands/ApprovalPanel.tsx';
import { Notices } from '../../../parts/commands/Notices.tsx';
import { TaskState } from '../../../parts/commands/TaskState.tsx';
import { byUrgency, funnel, funnelSteps, isMissed, type Item } from '../../../parts/commands/commands.ts';
import { StepBar, StepDot } from '../../../parts/commands/StepBar.tsx';
import { Ticks } from '../../../parts/commands/Ticks.tsx';
import { durationClock, useNow } from '../../../parts/time/use-now.ts';
import { holdingOf, useIsHeld } from '../../../parts/commands/use-hold.ts';
import { useCommandWords } from '../../../parts/commands/words.ts';
import styles from './task.module.css';

/** How many devices the panel lists; failures come first, so what matters is among them. */
const listed = 200;

export interface TaskPanelProps {
  id: number;
  canRetry: boolean;
  retrying: boolean;
  /** Asks so many lamps again. */
  onRetry: (about: ReturnType<typeof holdingOf>) => void;
  onOpenLamp: (id: number) => void;
  onClose: () => void;
}

/** A command to many lamps as it proceeds: how many stand at which step, failures first and in full words. */
export function TaskPanel({ id, canRetry, retrying, onRetry, onOpenLamp, onClose }: TaskPanelProps) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  const words = useCommandWords();
  const task = useCall(getCommand, { params: { id }, query: { size: listed } }, { keepPrevious: true, staleTime: 0 });
  const again = useAgain(task);
  useLive(`command:${id}`, (message) => {
    if (message.type === 'command' || message.type === 'stale') again();
  });
  const openPage = useOpen();
  const hasPage = usePageExists()('lamp/command');
  const open = task.data?.state === 'running';
  const held = useIsHeld(id);
  const now = useNow(open);
  const data = task.data;
  const counts = data ? funnel(data.states) : null;
  return (
    <aside className={styles.panel} aria-label={t('task.title')}>
      <header>
        <h2>{t('task.title')}</h2>
        {data ? (
          <span>
            <TaskState task={data} />
          </span>
        ) : null}
        <button type="button" aria-label={t('task.close')} title={t('task.close')} onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </header>
      {task.error && !data ? <ErrorState error={task.error} onRetry={task.refetch} /> : null}
      {task.isPending ? (
        <div className={styles.head}>
          <Skeleton rows={4} />
        </div>
      ) : null}
      {data && counts ? (
        <>
          <div className={styles.head}>
            <h3>
              {t('task.head', {
                what: words.title(data.command, data.args),
                count: formatNumber(data.total, i18n.language, 0),
              })}
              <span>{open ? durationClock(now - new Date(data.createdAt).getTime()) : ''}</span>
            </h3>
            <p>{t('task.by', { name: data.actorName, time: time(data.createdAt, 'time') })}</p>
            <div className={styles.bar}>
              <StepBar states={data.states} />
            </div>
            <dl className={styles.steps}>
              {funnelSteps
                .filter((step) => step !== 'waiting' || counts.waiting > 0)
                .map((step) => (
                  <div key={step} data-step={step} data-any={counts[step] > 0 || undefined}>
                    <dd>{formatNumber(counts[step], i18n.language, 0)}</dd>
                    <dt>
                      <StepDot state={step} />
                      {step === 'failed' ? t('task.failed') : words.standing(step, data.command === 'read')}
                    </dt>
                  </div>
                ))}
            </dl>
            {counts.cancelled > 0 ? (
              <p>{t('task.cancelled', { count: formatNumber(counts.cancelled, i18n.language, 0) })}</p>
            ) : null}
            {counts.superseded > 0 ? (
              <p>{t('task.superseded', { count: formatNumber(counts.superseded, i18n.language, 0) })}</p>
            ) : null}
          </div>
          {data.state === 'running' || data.state === 'finished' ? null : (
            <div className={styles.notices}>
              <Notices task={data} />
              <ApprovalPanel task={data} />
            </div>
          )}
          <div className={styles.caption}>
            <span>{t('task.each')}</span>
            <span>{t('task.failuresFirst')}</span>
          </div>
          <ul className={styles.items}>
            {byUrgency(data.items).map((item) => (
              <TaskItem
                key={item.deviceId}
                item={item}
                read={data.command === 'read'}
                onOpen={() => onOpenLamp(item.deviceId)}
              />
            ))}
          </ul>
          {data.total > data.items.length ? (
            <p className={styles.more}>
              {t('task.more', { count: formatNumber(data.total - data.items.length, i18n.language, 0) })}
            </p>
          ) : null}
          {hasPage || (canRetry && counts.failed > 0) ? (
            <footer>
              {canRetry && counts.failed > 0 ? (
                <Button
                  size="small"
                  loading={retrying}
                  disabled={held}
                  icon={<Icon name="retry" size={13} />}
                  onClick={() => onRetry(holdingOf(data, words.title(data.command, data.args), counts.failed))}
                >
                  {t('task.retry', { count: formatNumber(counts.failed, i18n.language, 0) })}
                </Button>
              ) : null}
              {hasPage ? (
                <Button
                  size="small"
                  type="text"
                  icon={<Icon name="expand" size={13} />}
                  onClick={() => openPage('lamp/command', { params: { id } })}
                >
                  {t('task.page')}
                </Button>
              ) : null}
            </footer>
          ) : null}
        </>
      ) : null}
    </aside>
  );
}

function TaskItem({ item, read, onOpen }: { item: Item; read: boolean; onOpen: () => void }) {
  const words = useCommandWords();
  const failed = isMissed(item.state);
  const mark = failed ? (
    <StateShape state="alarm" />
  ) : item.state === 'confirmed' ? (
    <Icon name="check" size={14} />
  ) : (
    <i className={styles.dot} />
  );
  return (
    <li data-failed={failed || undefined}>
      <span className={styles.mark}>{mark}</span>
      <button type="button" onClick={onOpen}>
        {item.code}
      </button>
      <span className={styles.outcome}>{words.outcome(item, read)}</span>
      <Ticks item={item} read={read} />
    </li>
  );
}
