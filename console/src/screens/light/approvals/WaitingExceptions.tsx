import { useTranslation } from 'react-i18next';
import type { Waiting as Answers } from '../../../parts/approvals/use-waiting.ts';
import { Remaining } from '../../../parts/commands/ApprovalPanel.tsx';
import { ExceptionActions } from '../../../parts/exceptions/ExceptionActions.tsx';
import { darkensOf, useExceptionWords, type Exception } from '../../../parts/exceptions/words.ts';
import { Card, ErrorState, useTime } from '../../../parts/index.ts';
import styles from './approvals.module.css';

/** Exceptions that wait, each with what would happen and the decision. */
export function WaitingExceptions({ answer }: { answer: Answers['exceptions'] }) {
  const { t } = useTranslation('exceptions');
  if (!answer.data)
    return (
      <Card>
        <ErrorState title={t('waiting.failed')} error={answer.error} onRetry={answer.refetch} />
      </Card>
    );
  return answer.data.data.length === 0 ? null : (
    <ul className={styles.tasks} aria-label={t('menu')}>
      {answer.data.data.map((one) => (
        <Waiting key={one.id} of={one} />
      ))}
    </ul>
  );
}

function Waiting({ of }: { of: Exception }) {
  const { t } = useTranslation('exceptions');
  const time = useTime();
  const words = useExceptionWords();
  const { approval } = of;
  if (approval === null) return null;
  const facts: readonly (readonly [string, string])[] = [
    [t('field.effect'), words.effect(of)],
    [t('field.when'), words.when(of)],
    [t('field.scope'), words.scope(of)],
    [t('field.by'), `${of.actorName} · ${time(of.createdAt, 'dateTime')}`],
    [t('field.darkens'), words.number(darkensOf(of))],
    [t('field.floor'), words.floor(of)],
    ...(of.ending
      ? [[t('field.ending'), `${of.ending.by} · ${time(of.ending.at, 'dateTime')} · ${of.ending.reason}`] as const]
      : []),
  ];
  return (
    <li className={styles.task} aria-labelledby={`exception-${of.id}`}>
      <div className={styles.head}>
        <h2 id={`exception-${of.id}`}>{t(of.ending ? 'waiting.ending' : 'waiting.title', { reason: of.reason })}</h2>
        <b>{words.lampsInWords(of)}</b>
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
        {approval.hindrance === null ? null : <p>{t(`hindrance.${approval.hindrance}`)}</p>}
        <ExceptionActions row={of} large />
      </div>
    </li>
  );
}
