import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Empty, ErrorState, Skeleton } from '../../parts/index.ts';
import { TaskList, useTaskActs, useTasks } from '../../parts/tasks/index.ts';

/** The task centre: the account's latest tasks with their progress, files and failures. */
export default function TaskPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('tasks');
  const { t: shell } = useTranslation('shell');
  const { data, error, refetch } = useTasks();
  const acts = useTaskActs();
  const content = () => {
    if (data === undefined)
      return error ? <ErrorState title={t('failed')} error={error} onRetry={refetch} /> : <Skeleton rows={5} />;
    if (data.data.length === 0) return <Empty title={t('empty')} text={t('empty.text')} />;
    return <TaskList tasks={data.data} acts={acts} label={t('title')} />;
  };
  return (
    <Drawer open title={t('title')} onClose={onClose} size={440} closable={{ 'aria-label': shell('close') }}>
      {content()}
    </Drawer>
  );
}
