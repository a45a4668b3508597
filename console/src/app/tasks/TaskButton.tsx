import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpen } from '../../parts/tasks/task.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { IconButton } from '../shell/HeaderMenus.tsx';
import { useTaskNews } from './use-task-news.ts';
import styles from './tasks.module.css';

const TaskPanel = lazy(() => loadChunk('tasks', () => import('./TaskPanel.tsx')));

/**
 * The header's way to the long work of the account: how much of it runs, and the panel with all of it. Mounted once: it
 * also tells what ended.
 */
export const TaskButton = () => (
  <Suspense fallback={<span className={styles.blank} />}>
    <Tasks />
  </Suspense>
);

function Tasks() {
  const { t } = useTranslation('tasks');
  const list = useTaskNews();
  const [shown, setShown] = useState(false);
  const running = list.data?.data.filter(isOpen).length ?? 0;
  return (
    <>
      <span className={styles.button}>
        <IconButton
          icon="list"
          label={running > 0 ? t('button.running', { n: running }) : t('title')}
          active={shown}
          onClick={() => setShown(true)}
        />
        {running > 0 ? (
          <i className={styles.count} aria-hidden>
            {running}
          </i>
        ) : null}
      </span>
      <PartHost onFailed={() => setShown(false)}>
        {shown ? <TaskPanel onClose={() => setShown(false)} /> : null}
      </PartHost>
    </>
  );
}
