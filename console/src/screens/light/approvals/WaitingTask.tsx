import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { formatNumber, useTime } from '../../../parts/index.ts';
import { DecisionButtons, Remaining } from '../../../parts/commands/ApprovalPanel.tsx';
import { useTaskWords, type Task } from '../../../parts/commands/task-words.ts';
import styles from './approvals.module.css';

/**
 * One task that waits: what, to how many and where, who asks and why, how long there is; then the decision, or why this
 * account has none.
 */
export function WaitingTask({ task }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const { target, title } = useTaskWords();
  const { approval } = task;
  if (approval === null) return null;
  const facts: readonly (readonly [string, string])[] = [
    [t('list.target'), target(task)],
    [t('approvals.asker'), `${task.actorName} · ${time(task.createdAt, 'dateTime')}`],
    [t('reason'), task.reason ?? '—'],
    [t('list.until'), time(task.until, 'dayTime')],
  ];
  return (
    <li className={styles.task} aria-labelledby={`waiting-${task.id}`}>
      <div className={styles.head}>
        <h2 id={`waiting-${task.id}`}>{title(task)}</h2>
        <b>{t('target.lamps', { n: formatNumber(task.total, i18n.language, 0) })}</b>
        <Remaining until={approval.expiresAt} />
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.foot}>
        {approval.hindrance === null ? (
          <DecisionButtons task={task} />
        ) : (
          <p>{t(`approval.hindrance.${approval.hindrance}`)}</p>
        )}
        {exists('lamp/command') ? (
          <Button type="text" onClick={() => open('lamp/command', { params: { id: task.id } })}>
            {t('approvals.look')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
