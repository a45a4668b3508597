import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ErrorState, formatNumber, Icon, RelativeTime, StateMark, type MarkState } from '../../parts/index.ts';
import { inPreview } from '../../session/index.ts';
import { isOpen, type Task } from './use-exports.ts';
import styles from './logs.module.css';

const marks: Record<Task['state'], MarkState> = { queued: 'unknown', running: 'dimmed', done: 'on', failed: 'alarm', cancelled: 'offline' };

interface Props {
  tasks: readonly Task[] | undefined;
  error: unknown;
  retry: () => unknown;
  repeat: (task: Task) => void;
  cancel: (task: Task) => void;
  remove: (task: Task) => void;
  save: (task: Task) => void;
}

/** The operator's latest exports of this log: how far each is, its file, its failure; each can be stopped, taken, begun again, removed. */
export function ExportTasks({ tasks, error, retry, ...acts }: Props) {
  const { t } = useTranslation('logs');
  if (tasks === undefined) return error ? <ErrorState title={t('tasks.failed')} error={error} onRetry={retry} /> : null;
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3 className={styles.tasksTitle}>{t('tasks.title')}</h3>
      <p className={styles.hint}>{t('tasks.hint')}</p>
      <ul className={styles.tasks}>{tasks.map((task) => <TaskItem key={task.id} task={task} {...acts} />)}</ul>
    </section>
  );
}

function TaskItem({ task, repeat, cancel, remove, save }: { task: Task } & Omit<Props, 'tasks' | 'error' | 'retry'>) {
  const { t, i18n } = useTranslation('logs');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const days = `${task.params.beginTime} – ${task.params.endTime}`;
  const act = (key: 'download' | 'cancel' | 'repeat' | 'delete', icon: 'download' | 'close' | 'retry' | 'trash', onClick: (task: Task) => void) => (
    <Button
      type="text" size="small" disabled={key !== 'download' && inPreview()} aria-label={`${t(`task.${key}`)} ${days}`} title={t(`task.${key}`)} icon={<Icon name={icon} size={14} />} onClick={() => onClick(task)}
    />
  );
  return (
    <li>
      <div className={styles.taskHead}>
        <span className={styles.taskDays}>{days}</span>
        <StateMark state={marks[task.state]} word={t(`task.${task.state}`)} />
        <small>{isOpen(task) || task.state === 'failed' ? null : `${t('task.rows', { n: number(task.done) })} · `}<RelativeTime at={task.endedAt ?? task.createdAt} /></small>
        <span className={styles.taskActs}>
          {isOpen(task) ? act('cancel', 'close', cancel) : null}
          {task.state === 'done' && task.file ? act('download', 'download', save) : null}
          {task.state === 'failed' || task.state === 'cancelled' ? act('repeat', 'retry', repeat) : null}
          {isOpen(task) ? null : act('delete', 'trash', remove)}
        </span>
      </div>
      {isOpen(task) ? <Progress task={task} label={`${t(`task.${task.state}`)} ${days}`} text={task.total === null ? t('task.counting') : t('task.progress', { done: number(task.done), total: number(task.total) })} /> : null}
      {task.error === null ? null : <p className={styles.taskError}>{task.error}</p>}
    </li>
  );
}

function Progress({ task, label, text }: { task: Task; label: string; text: string }) {
  const share = task.total ? Math.min(100, Math.floor((task.done / task.total) * 100)) : 0;
  return (
    <div className={styles.progress}>
      <div className={styles.progressBar} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={share} aria-valuetext={text}><span style={{ width: `${share}%` }} /></div>
      <small>{text}</small>
    </div>
  );
}
