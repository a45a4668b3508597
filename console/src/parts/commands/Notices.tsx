import { useTranslation } from 'react-i18next';
import { Alert, formatNumber, useTime } from '../index.ts';
import { useTaskWords, type Task } from './task-words.ts';

/** What has to be known about a task before its figures: why it stands still, what it waits for, who ended it. */
export function Notices({ task }: { task: Task }) {
  return (
    <>
      <Halted task={task} />
      <Canary task={task} />
      <Ended task={task} />
    </>
  );
}

function Halted({ task: { halted, state, canary, stopAt, states } }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const { percent } = useTaskWords();
  if (state !== 'halted' || halted === null) return null;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { finished, failed } = halted;
  const failedShare = percent(finished === 0 ? 0 : failed / finished);
  const text =
    halted.why === 'canary'
      ? t('halted.canary', {
          n: number(finished),
          done: number(finished - failed),
          share: percent(finished === 0 ? 0 : (finished - failed) / finished),
          wanted: percent((canary?.minSuccessPercent ?? 0) / 100),
        })
      : t('halted.failures', {
          n: number(finished),
          failed: number(failed),
          share: failedShare,
          limit: percent((stopAt?.failurePercent ?? 0) / 100),
        });
  return (
    <Alert title={t(halted.why === 'canary' ? 'halted.canaryTitle' : 'halted.failuresTitle')}>
      {text} {t('halted.rest', { n: number(states.waiting ?? 0) })}
    </Alert>
  );
}

/** A canary that is out: the rest waits for its verdict. */
function Canary({ task: { canary, state } }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const { percent } = useTaskWords();
  if (canary?.state !== 'pending' || state !== 'running') return null;
  return (
    <Alert kind="note" title={t('canary.pendingTitle')}>
      {t('canary.pending', {
        n: formatNumber(canary.count, i18n.language, 0),
        share: percent(canary.minSuccessPercent / 100),
        seconds: formatNumber(canary.waitSeconds, i18n.language, 0),
      })}
    </Alert>
  );
}

/** Who ended it before its time, when and why. */
function Ended({ task: { cancelled, state, approval } }: { task: Task }) {
  const { t } = useTranslation('commands');
  const time = useTime();
  if (state === 'cancelled' && cancelled !== null)
    return (
      <Alert kind="note" title={t('cancelled.by', { name: cancelled.by, time: time(cancelled.at, 'dayTime') })}>
        {cancelled.reason === null ? null : t('because', { reason: cancelled.reason })}
      </Alert>
    );
  const decision = approval?.decision ?? null;
  if (state === 'refused' && decision !== null)
    return (
      <Alert kind="note" title={t('refused.by', { name: decision.by, time: time(decision.at, 'dayTime') })}>
        {decision.reason === null ? null : t('because', { reason: decision.reason })}
      </Alert>
    );
  if (state === 'lapsed' && approval !== null)
    return (
      <Alert kind="note" title={t('lapsed.title', { time: time(approval.expiresAt, 'dayTime') })}>
        {t('lapsed.text')}
      </Alert>
    );
  return null;
}
