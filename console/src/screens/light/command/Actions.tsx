import { Button, Checkbox, Dropdown } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { retryStates } from '../../../../../contract/light/commands.ts';
import { usePermission } from '../../../frame/index.ts';
import { formatNumber, Icon, useStateWord } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ActDialog } from '../../../parts/commands/ActDialog.tsx';
import { useTaskActs, type OpenTask, type RetryState } from './use-task.ts';
import styles from './command.module.css';

type Act = 'cancel' | 'retry' | 'verify' | 'resume';
const unsent = ['waiting', 'queued'] as const;
const onTheWay = ['sent', 'acknowledged'] as const;

const sum = (task: OpenTask, states: readonly string[]): number =>
  states.reduce((total, state) => total + (task.states[state] ?? 0), 0);

/** Which acts a task offers now. A read proves itself: nothing of it is read back. */
export function actsOf(task: OpenTask): ReadonlySet<Act> {
  const ended = !['awaitingApproval', 'running', 'halted'].includes(task.state);
  const acts: [Act, boolean][] = [
    ['cancel', !ended && sum(task, unsent) > 0],
    ['resume', task.state === 'halted'],
    ['retry', sum(task, retryStates) > 0],
    [
      'verify',
      task.command !== 'read' && (task.states.timedOut ?? 0) - task.verified.confirmed - task.verified.contradicted > 0,
    ],
  ];
  return new Set(acts.filter(([, possible]) => possible).map(([act]) => act));
}

/** What can be done with a task, each asked about before it is done; the results as a sheet. */
export function Actions({ task }: { task: OpenTask }) {
  const { t } = useTranslation('commands');
  const canControl = usePermission('lamp.control');
  const acts = useTaskActs(task);
  const [asked, setAsked] = useState<Act | null>(null);
  const offered = canControl ? actsOf(task) : new Set<Act>();
  const close = (): void => setAsked(null);
  const button = (act: Act, icon: 'close' | 'retry' | 'eye' | 'right', { primary = false, resting = false } = {}) =>
    offered.has(act) ? (
      <Button
        key={act}
        {...(primary ? { type: 'primary' as const } : {})}
        disabled={inPreview() || resting}
        icon={<Icon name={icon} size={14} />}
        onClick={() => setAsked(act)}
      >
        {t(`act.${act}`)}
      </Button>
    ) : null;
  return (
    <>
      {button('resume', 'right', { primary: true, resting: acts.sending })}
      {button('retry', 'retry', { resting: acts.sending })}
      {button('verify', 'eye')}
      {button('cancel', 'close')}
      <Dropdown
        trigger={['click']}
        disabled={inPreview()}
        menu={{
          items: (['xlsx', 'csv'] as const).map((format) => ({
            key: format,
            label: t(`act.export.${format}`),
            onClick: () => acts.save(format),
          })),
        }}
      >
        <Button loading={acts.saving} icon={<Icon name="download" size={14} />}>
          {t('act.export')}
        </Button>
      </Dropdown>
      {asked === 'cancel' ? <Cancel task={task} onOk={acts.cancel} onClose={close} /> : null}
      {asked === 'resume' ? <Resume task={task} onOk={acts.resume} onClose={close} /> : null}
      {asked === 'retry' ? <Retry task={task} onOk={acts.retry} onClose={close} /> : null}
      {asked === 'verify' ? <Verify task={task} onOk={acts.verify} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  task: OpenTask;
  onOk: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

const useNumber = (): ((n: number) => string) => {
  const { i18n } = useTranslation('commands');
  return (n) => formatNumber(n, i18n.language, 0);
};

function Cancel({ task, onOk, onClose }: DialogProps) {
  const { t } = useTranslation('commands');
  const number = useNumber();
  const moving = sum(task, onTheWay);
  return (
    <ActDialog title={t('cancel.title')} ok={t('cancel.ok')} danger reason="needed" onOk={onOk} onClose={onClose}>
      <p className={styles.about}>
        {t('cancel.unsent', { n: number(sum(task, unsent)) })}
        {moving > 0 ? ` ${t('cancel.moving', { n: number(moving) })}` : ''}
      </p>
    </ActDialog>
  );
}

function Resume({ task, onOk, onClose }: DialogProps) {
  const { t } = useTranslation('commands');
  const number = useNumber();
  return (
    <ActDialog title={t('resume.title')} ok={t('resume.ok')} reason="needed" onOk={onOk} onClose={onClose}>
      <p className={styles.about}>{t('resume.about', { n: number(task.states.waiting ?? 0) })}</p>
    </ActDialog>
  );
}

function Verify({ task, onOk, onClose }: DialogProps) {
  const { t } = useTranslation('commands');
  const number = useNumber();
  return (
    <ActDialog title={t('verify.title')} ok={t('verify.ok')} onOk={onOk} onClose={onClose}>
      <p className={styles.about}>
        {t('verify.about', {
          n: number((task.states.timedOut ?? 0) - task.verified.confirmed - task.verified.contradicted),
        })}
      </p>
    </ActDialog>
  );
}

/** Which of the unsuccessful ones are asked again; cancelled ones only where somebody says so. */
function Retry({
  task,
  onOk,
  onClose,
}: Omit<DialogProps, 'onOk'> & {
  onOk: (states: readonly RetryState[], reason: string, lamps: number) => Promise<unknown>;
}) {
  const { t } = useTranslation('commands');
  const number = useNumber();
  const word = useStateWord();
  const there = retryStates.filter((state) => (task.states[state] ?? 0) > 0);
  const [states, setStates] = useState<readonly RetryState[]>(() =>
    there.some((state) => state !== 'cancelled') ? there.filter((state) => state !== 'cancelled') : there,
  );
  // What reading back showed to be right is not asked again.
  const again = sum(task, states) - (states.includes('timedOut') ? task.verified.confirmed : 0);
  return (
    <ActDialog
      title={t('retry.title')}
      ok={t('retry.ok', { n: number(again) })}
      reason="possible"
      ready={again > 0}
      onOk={(reason) => onOk(states, reason, again)}
      onClose={onClose}
    >
      <p className={styles.about}>{t('retry.about')}</p>
      <Checkbox.Group
        className={styles.checks ?? ''}
        value={[...states]}
        onChange={(next) => setStates(there.filter((state) => next.includes(state)))}
        options={there.map((state) => ({ value: state, label: `${word(state)} ${number(task.states[state] ?? 0)}` }))}
      />
      {task.verified.confirmed > 0 ? (
        <p className={styles.about}>{t('retry.without', { n: number(task.verified.confirmed) })}</p>
      ) : null}
    </ActDialog>
  );
}
