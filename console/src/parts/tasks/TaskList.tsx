import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { inPreview } from '../../session/index.ts';
import { Icon, type IconName } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { formatBytes } from '../../locales/format-bytes.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { StateMark, type MarkState } from '../state/StateMark.tsx';
import { RelativeTime } from '../time/RelativeTime.tsx';
import { useTime } from '../time/zone.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { fileOf, isOpen, isRepeatable, type Task } from './task.ts';
import type { TaskActs } from './use-tasks.ts';
import styles from './tasks.module.css';

/** Every parameter of every kind of task. */
type AnyParam = Task['params'] extends infer P ? (P extends unknown ? keyof P : never) : never;

const marks: Record<Task['state'], MarkState> = {
  queued: 'unknown',
  running: 'partial',
  done: 'on',
  failed: 'alarm',
  cancelled: 'offline',
};

/** What a task is called: its kind, then what its parameters say of it, each that is known by its name. */
export function useTaskTitle(): (task: Task) => { title: string; of: string } {
  const { t } = useTranslation('tasks');
  const names = useNames();
  const time = useTime();
  const detailOf = (params: Partial<Record<AnyParam, unknown>>): string => {
    const { importId, commandId, family, field, from, to, beginTime, endTime } = params;
    return [
      typeof importId === 'number' ? t('import', { id: importId }) : null,
      typeof commandId === 'number' ? `#${commandId}` : null,
      typeof family === 'string'
        ? family
            .split(',')
            .map((key) => names.family(key))
            .join(', ')
        : null,
      typeof field === 'string' ? names.field(field) : null,
      typeof from === 'string' && typeof to === 'string' ? `${time(from, 'date')} – ${time(to, 'date')}` : null,
      typeof beginTime === 'string' && typeof endTime === 'string' ? `${beginTime} – ${endTime}` : null,
    ]
      .filter((word) => word !== null)
      .join(' · ');
  };
  return ({ kind, params }) => ({ title: t(`kind.${kind}`), of: detailOf(params) });
}

/**
 * Tasks with their progress, file, failure and what can be done with each; `plain` where all are of one kind, whose
 * name then stands above.
 */
export function TaskList({
  tasks,
  acts,
  plain = false,
  label,
}: {
  tasks: readonly Task[];
  acts: TaskActs;
  plain?: boolean;
  label: string;
}) {
  const errorText = useErrorText();
  return (
    <>
      {acts.refusal ? (
        <p className={styles.refusal} role="alert">
          <Icon name="warning" size={14} />
          <span>{errorText(acts.refusal)}</span>
        </p>
      ) : null}
      <ul className={styles.list} aria-label={label}>
        {tasks.map((task) => (
          <TaskItem key={task.id} task={task} acts={acts} plain={plain} />
        ))}
      </ul>
    </>
  );
}

function TaskItem({ task, acts, plain }: { task: Task; acts: TaskActs; plain: boolean }) {
  const { t, i18n } = useTranslation('tasks');
  const { title, of } = useTaskTitle()(task);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const file = task.state === 'done' ? fileOf(task, Date.now()) : null;
  const act = (key: 'download' | 'cancel' | 'repeat' | 'delete', icon: IconName, onClick: () => void) => (
    <Button
      type="text"
      size="small"
      disabled={key !== 'download' && (inPreview() || acts.busy === task.id)}
      aria-label={`${t(key)} ${title} ${of}`}
      title={t(key)}
      icon={<Icon name={icon} size={14} />}
      onClick={onClick}
    />
  );
  return (
    <li>
      <div className={styles.head}>
        <span className={styles.name}>{plain ? of : <b>{title}</b>}</span>
        <StateMark state={marks[task.state]} word={t(`state.${task.state}`)} />
        <span className={styles.acts}>
          {isOpen(task) ? act('cancel', 'close', () => acts.cancel(task)) : null}
          {file ? act('download', 'download', () => acts.save(task)) : null}
          {isRepeatable(task) ? act('repeat', 'retry', () => acts.repeat(task)) : null}
          {isOpen(task) ? null : act('delete', 'trash', () => acts.remove(task))}
        </span>
      </div>
      {plain ? null : <div className={styles.of}>{of}</div>}
      {task.state === 'running' ? (
        <Progress
          task={task}
          label={`${t(`state.${task.state}`)} ${title} ${of}`}
          text={
            task.total === null
              ? t('counting')
              : t('progress', { done: number(task.done), total: number(Math.max(task.done, task.total)) })
          }
        />
      ) : null}
      {task.error === null ? null : <p className={styles.error}>{task.error}</p>}
      <Times task={task} file={file} rows={task.state === 'done' ? t('rows', { n: number(task.done) }) : null} />
    </li>
  );
}

/** When it began or ended, what it made, until when its file is there. */
function Times({ task, file, rows }: { task: Task; file: Task['file']; rows: string | null }) {
  const { t, i18n } = useTranslation('tasks');
  const time = useTime();
  return (
    <p className={styles.times}>
      <span>
        {t(task.endedAt === null ? 'begun' : 'ended')} <RelativeTime at={task.endedAt ?? task.createdAt} />
      </span>
      {rows === null ? null : <span>{rows}</span>}
      {file ? <span>{formatBytes(file.bytes, i18n.language)}</span> : null}
      {file ? <span>{t('until', { time: time(file.until, 'dayTime') })}</span> : null}
      {task.state === 'done' && task.file !== null && file === null ? <span>{t('expired')}</span> : null}
    </p>
  );
}

function Progress({ task, label, text }: { task: Task; label: string; text: string }) {
  const share = task.total ? Math.min(100, Math.floor((task.done / task.total) * 100)) : 0;
  return (
    <div className={styles.progress}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={text}
      >
        <span style={{ width: `${share}%` }} />
      </div>
      <small>{text}</small>
    </div>
  );
}
