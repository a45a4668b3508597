import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideCommand, getCommand, listCommands } from '../../../../contract/light/commands.ts';
import { useSend } from '../../api/index.ts';
import { Alert, formatNumber, Icon, toast, useTime } from '../index.ts';
import { inPreview } from '../../session/index.ts';
import { useTaskWords, type Task } from './task-words.ts';
import { durationClock, useNow } from '../time/use-now.ts';
import { ActDialog } from './ActDialog.tsx';
import { holdingOf, useHold, useIsHeld } from './use-hold.ts';
import styles from './approval.module.css';

/**
 * A task that waits for a second person: how long it still does, and either the decision or why this account cannot
 * take it.
 */
export function ApprovalPanel({ task }: { task: Task }) {
  const { t } = useTranslation('commands');
  const time = useTime();
  const { approval, state } = task;
  if (state !== 'awaitingApproval' || approval === null) return null;
  return (
    <Alert
      kind="note"
      title={
        <>
          {t('approval.waiting')} <Remaining until={approval.expiresAt} />
        </>
      }
      action={approval.hindrance === null ? <DecisionButtons task={task} /> : null}
    >
      {t('approval.asked', { name: task.actorName, time: time(task.createdAt, 'dayTime') })}{' '}
      {approval.hindrance === null ? t('approval.mine') : t(`approval.hindrance.${approval.hindrance}`)}
    </Alert>
  );
}

/** What is left of the time in which somebody may decide. */
export function Remaining({ until }: { until: string }) {
  const { t } = useTranslation('commands');
  const now = useNow(true);
  const left = new Date(until).getTime() - now;
  return (
    <span className={styles.clock}>
      {left > 0 ? t('approval.left', { clock: durationClock(left) }) : t('approval.over')}
    </span>
  );
}

/** Agree or refuse, each asked about once more with what would happen; refusing needs a reason. */
export function DecisionButtons({ task }: { task: Task }) {
  const { t, i18n } = useTranslation('commands');
  const { target, title } = useTaskWords();
  const decide = useSend(decideCommand, [getCommand, listCommands], { quiet: true });
  const [asked, setAsked] = useState<'approve' | 'refuse' | null>(null);
  const what = title(task);
  const close = (): void => setAsked(null);
  const hold = useHold();
  const held = useIsHeld(task.id);
  const resting = inPreview() || held || decide.isPending;
  const send = async (approved: boolean, reason: string): Promise<void> => {
    const decided = async (): Promise<void> => {
      await decide.mutateAsync({
        params: { id: task.id },
        body: { approved, digest: task.approval?.digest ?? '', ...(reason === '' ? {} : { reason }) },
      });
      toast.done(t(approved ? 'approval.approved' : 'approval.refused', { what }));
    };
    // Agreeing sends.
    await (approved ? hold(holdingOf(task, what, task.total), decided) : decided());
  };
  const about = (
    <p className={styles.about}>
      {t('approval.about', { what, target: target(task), name: task.actorName })}
      {task.reason === null ? '' : ` ${t('because', { reason: task.reason })}`}
    </p>
  );
  return (
    <>
      <Button
        type="primary"
        disabled={resting}
        icon={<Icon name="check" size={14} />}
        onClick={() => setAsked('approve')}
      >
        {t('approval.approve')}
      </Button>
      <Button danger disabled={resting} icon={<Icon name="close" size={14} />} onClick={() => setAsked('refuse')}>
        {t('approval.refuse')}
      </Button>
      {asked === 'approve' ? (
        <ActDialog
          title={t('approval.approveTitle')}
          ok={t('approval.approveOk', { n: formatNumber(task.total, i18n.language, 0) })}
          reason="possible"
          onOk={(reason) => send(true, reason)}
          onClose={close}
        >
          {about}
        </ActDialog>
      ) : null}
      {asked === 'refuse' ? (
        <ActDialog
          title={t('approval.refuseTitle')}
          ok={t('approval.refuse')}
          danger
          reason="needed"
          onOk={(reason) => send(false, reason)}
          onClose={close}
        >
          {about}
        </ActDialog>
      ) : null}
    </>
  );
}
