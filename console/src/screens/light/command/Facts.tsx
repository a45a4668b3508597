import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen } from '../../../frame/index.ts';
import { formatNumber, useTime } from '../../../parts/index.ts';
import { useTaskWords, type Task } from '../../../parts/commands/task-words.ts';
import styles from './command.module.css';

/** What was asked, by whom, why and under which conditions. */
export function Facts({ task }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const time = useTime();
  const words = useTaskWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const decision = task.approval?.decision ?? null;
  const facts: readonly (readonly [string, ReactNode] | null)[] = [
    [t('list.target'), words.target(task)],
    [t('list.actor'), `${task.actorName} · ${time(task.createdAt, 'dateTime')}`],
    [t('reason'), task.reason ?? '—'],
    [t('list.lane'), words.lane(task.lane)],
    task.until === null ? null : [t('list.until'), time(task.until, 'dayTime')],
    task.expiresAt === null ? null : [t('fact.expires'), time(task.expiresAt, 'dateTime')],
    task.canary === null
      ? null
      : [t('fact.canary'), <Canary key="canary" canary={task.canary} confirmed={task.states.confirmed ?? 0} />],
    task.stopAt === null
      ? null
      : [
          t('fact.stopAt'),
          t('fact.stopAtText', {
            share: words.percent(task.stopAt.failurePercent / 100),
            n: number(task.stopAt.afterAtLeast),
          }),
        ],
    decision?.approved === true
      ? [
          t('fact.approved'),
          `${decision.by} · ${time(decision.at, 'dateTime')}${decision.reason === null ? '' : ` · ${decision.reason}`}`,
        ]
      : null,
    task.retryOf === null ? null : [t('fact.retryOf'), <TaskLink key="retryOf" id={task.retryOf} />],
    task.verifies === null ? null : [t('fact.verifies'), <TaskLink key="verifies" id={task.verifies} />],
    task.verified.confirmed + task.verified.contradicted === 0
      ? null
      : [
          t('fact.verified'),
          t('fact.verifiedText', {
            confirmed: number(task.verified.confirmed),
            contradicted: number(task.verified.contradicted),
          }),
        ],
    [
      t('fact.limits'),
      t('fact.limitsText', { acknowledge: task.limits.acknowledgeSeconds, confirm: task.limits.confirmSeconds }),
    ],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** While its verdict is awaited, what is confirmed of the task is of the canary: nothing else was sent. */
function Canary({ canary, confirmed }: { canary: NonNullable<Task['canary']>; confirmed: number }) {
  const { t, i18n } = useTranslation('commands');
  const { percent } = useTaskWords();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  return (
    <>
      {t('fact.canaryText', { n: number(canary.count), share: percent(canary.minSuccessPercent / 100) })}
      <br />
      {t(`fact.canary.${canary.state}`, { done: number(canary.confirmed ?? confirmed) })}
    </>
  );
}

/** The way to another task. */
export function TaskLink({ id }: { id: number }) {
  const open = useOpen();
  return (
    <button type="button" className={styles.link} onClick={() => open('lamp/command', { params: { id } })}>
      #{id}
    </button>
  );
}
