import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import type { Import } from './plan.ts';
import styles from './imports.module.css';

interface Props {
  label: string;
  share: number | null;
  text: string;
  hint?: string;
  onStop?: () => void;
}

/** Work under way, and how to stop it; `share` null: how much there is to do is not known yet. */
export function Progress({ label, share, text, hint, onStop }: Props) {
  const { t } = useTranslation('imports');
  const percent = share === null ? undefined : Math.min(100, Math.floor(share * 100));
  return (
    <div className={styles.progress}>
      <div className={styles.progressHead}>
        <strong>{label}</strong>
        <span className="num" role="status">
          {text}
        </span>
        {onStop ? (
          <Button size="small" onClick={onStop}>
            {t('stop')}
          </Button>
        ) : null}
      </div>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        data-open={percent === undefined || undefined}
      >
        <span style={{ width: `${percent ?? 30}%` }} />
      </div>
      {hint ? <p className={styles.hint}>{hint}</p> : null}
    </div>
  );
}

/** A step of an import at work. */
export function TaskProgress({ one, onStop }: { one: Import; onStop: (taskId: number) => void }) {
  const { t, i18n } = useTranslation('imports');
  const { task } = one;
  if (task === null || (task.kind !== 'import.check' && task.kind !== 'import.apply' && task.kind !== 'import.undo'))
    return null;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const text =
    task.state === 'queued'
      ? t('task.queued')
      : task.total === null
        ? t('task.rows', { n: number(task.done) })
        : t('task.rowsOf', { n: number(task.done), total: number(task.total) });
  return (
    <Progress
      label={t(`task.${task.kind}`)}
      share={task.total ? task.done / task.total : null}
      text={text}
      hint={t('task.leave')}
      onStop={() => onStop(task.id)}
    />
  );
}
