import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../../parts/index.ts';
import { TaskList, type Task, type TaskActs } from '../../../parts/tasks/index.ts';
import styles from './logs.module.css';

/** The operator's latest exports of this log, as the task centre shows them. */
export function ExportTasks({
  list,
  tasks,
  acts,
}: {
  list: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  tasks: readonly Task[];
  acts: TaskActs;
}) {
  const { t } = useTranslation('logs');
  if (list.data === undefined)
    return list.error ? <ErrorState title={t('tasks.failed')} error={list.error} onRetry={list.refetch} /> : null;
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3 className={styles.tasksTitle}>{t('tasks.title')}</h3>
      <p className={`${styles.hint} ${styles.tasksHint}`}>{t('tasks.hint')}</p>
      <TaskList tasks={tasks} acts={acts} plain label={t('tasks.title')} />
    </section>
  );
}
