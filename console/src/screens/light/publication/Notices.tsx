import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../frame/index.ts';
import { Remaining } from '../../../parts/commands/ApprovalPanel.tsx';
import { Alert, useTime } from '../../../parts/index.ts';
import { PublicationDecision } from '../../../parts/publishing/PublicationDecision.tsx';
import { usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import { actsOf } from './Actions.tsx';
import { PublicationLink } from './Facts.tsx';

/** What has to be known before the figures: what it waits for, why it stands still, who ended it. */
export function Notices({ of }: { of: Publication }) {
  return (
    <>
      <OnlyPart of={of} />
      <Approval of={of} />
      <Passed of={of} />
      <Halted of={of} />
      <Returned of={of} />
      <Ended of={of} />
    </>
  );
}

/** Acts are offered to who sees all of its lamps: says so to who could do them otherwise. */
function OnlyPart({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const may = usePermission('plan.publish');
  return may && !of.whole && actsOf(of).size > 0 ? (
    <Alert kind="note" title={t('part.title')}>
      {t('part.text')}
    </Alert>
  ) : null;
}

function Approval({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const time = useTime();
  const { approval, phase } = of;
  if (phase !== 'awaitingApproval' || approval === null) return null;
  return (
    <Alert
      kind="note"
      title={
        <>
          {t('approval.waiting')} <Remaining until={approval.expiresAt} />
        </>
      }
      action={approval.hindrance === null ? <PublicationDecision of={of} /> : null}
    >
      {t('approval.asked', { name: of.actorName, time: time(of.createdAt, 'dayTime') })}{' '}
      {approval.hindrance === null ? t('approval.mine') : t(`approval.hindrance.${approval.hindrance}`)}
    </Alert>
  );
}

/** The first part is right: the rest waits for a person. */
function Passed({ of: { phase, judged, states } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  if (phase !== 'judging' || judged?.passed !== true) return null;
  return (
    <Alert kind="done" title={t('passed.title')}>
      {t('passed.text', {
        proven: judged.provenPercent === null ? '—' : words.percent(judged.provenPercent),
        rest: words.number(states['waiting'] ?? 0),
      })}
    </Alert>
  );
}

function Halted({ of: { phase, halted, judged, criteria, states } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const time = useTime();
  const words = usePublicationWords();
  if (phase !== 'halted' || halted === null) return null;
  const rest = t('halted.rest', { n: words.number((states['waiting'] ?? 0) + (states['pending'] ?? 0)) });
  return halted.why === 'canary' ? (
    <Alert title={t('halted.canary', { time: time(halted.at, 'dayTime') })}>
      {judged === null ? null : <Judged judged={judged} criteria={criteria} />} {rest}
    </Alert>
  ) : (
    <Alert title={t('halted.person', { name: halted.by ?? '—', time: time(halted.at, 'dayTime') })}>
      {halted.reason === null ? '' : `${t('because', { reason: halted.reason })} `}
      {rest}
    </Alert>
  );
}

/** What the first part showed, beside what was wanted. */
function Judged({
  judged,
  criteria,
}: {
  judged: NonNullable<Publication['judged']>;
  criteria: Publication['criteria'];
}) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const share = (value: number | null): string => (value === null ? '—' : words.percent(value));
  return (
    <>
      {t('judged.text', {
        reported: share(judged.reportedPercent),
        reportedWanted: share(criteria.reportedPercent),
        proven: share(judged.provenPercent),
        provenWanted: share(criteria.provenPercent),
        lit: share(judged.litPercent),
        litBefore: share(judged.litBeforePercent),
        alarms: words.number(judged.newAlarms),
      })}
    </>
  );
}

/** It is taken back, or was: by the program after its first part, or by a person. */
function Returned({ of: { phase, judged, criteria, revertedBy, autoRevert, halted } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  if ((phase !== 'reverting' && phase !== 'reverted') || revertedBy === null) return null;
  const byProgram = autoRevert && judged?.passed === false && halted?.why === 'canary';
  return (
    <Alert kind="note" title={t(byProgram ? 'returned.byProgram' : 'returned.byPerson')}>
      {byProgram && judged !== null ? <Judged judged={judged} criteria={criteria} /> : null} {t('returned.follow')}{' '}
      <PublicationLink id={revertedBy} />
    </Alert>
  );
}

/** Who ended it before its time, when and why. */
function Ended({ of: { phase, approval } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const time = useTime();
  const decision = approval?.decision ?? null;
  if (phase === 'refused' && decision !== null)
    return (
      <Alert kind="note" title={t('refused.by', { name: decision.by, time: time(decision.at, 'dayTime') })}>
        {decision.reason === null ? null : t('because', { reason: decision.reason })}
      </Alert>
    );
  if (phase === 'lapsed' && approval !== null)
    return (
      <Alert kind="note" title={t('lapsed.title', { time: time(approval.expiresAt, 'dayTime') })}>
        {t('lapsed.text')}
      </Alert>
    );
  return null;
}
