import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import type { Waiting as Answers } from '../../../parts/approvals/use-waiting.ts';
import { Remaining } from '../../../parts/commands/ApprovalPanel.tsx';
import { Card, ErrorState, useTime } from '../../../parts/index.ts';
import { AcceptedFindings, acceptedOf } from '../../../parts/publishing/Findings.tsx';
import { PublicationDecision } from '../../../parts/publishing/PublicationDecision.tsx';
import { usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import styles from './approvals.module.css';

/** Publications that wait, each with what would happen and the decision. */
export function WaitingPublications({ answer }: { answer: Answers['publications'] }) {
  const { t } = useTranslation('publishing');
  if (!answer.data)
    return (
      <Card>
        <ErrorState title={t('decision.failed')} error={answer.error} onRetry={answer.refetch} />
      </Card>
    );
  return answer.data.data.length === 0 ? null : (
    <ul className={styles.tasks} aria-label={t('title')}>
      {answer.data.data.map((one) => (
        <Waiting key={one.id} of={one} />
      ))}
    </ul>
  );
}

function Waiting({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const open = useOpen();
  const exists = usePageExists();
  const time = useTime();
  const words = usePublicationWords();
  const { approval } = of;
  if (approval === null) return null;
  const facts: readonly (readonly [string, string])[] = [
    [t('facts.scope'), words.scope(of)],
    [t('facts.from'), t('facts.fromText', { day: of.effectiveFrom })],
    [t('facts.actor'), `${of.actorName} · ${time(of.createdAt, 'dateTime')}`],
    [t('facts.reason'), of.reason ?? '—'],
    [t('facts.darkens'), t('lamps', { n: words.number(of.darkens) })],
    [
      t('facts.canary'),
      of.canary === null ? t('facts.atOnce') : t('facts.canaryText', { n: words.number(of.canary.count) }),
    ],
  ];
  return (
    <li className={styles.task} aria-labelledby={`publication-${of.id}`}>
      <div className={styles.head}>
        <h2 id={`publication-${of.id}`}>{t('decision.title', { what: words.title(of) })}</h2>
        <b>{t('lamps', { n: words.number(of.total) })}</b>
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
      {acceptedOf(of.findings).length === 0 ? null : <AcceptedFindings findings={of.findings} />}
      <div className={styles.foot}>
        {approval.hindrance === null ? (
          <PublicationDecision of={of} />
        ) : (
          <p>{t(`approval.hindrance.${approval.hindrance}`)}</p>
        )}
        {exists('lamp/publication') ? (
          <Button type="text" onClick={() => open('lamp/publication', { params: { id: of.id } })}>
            {t('decision.look')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
