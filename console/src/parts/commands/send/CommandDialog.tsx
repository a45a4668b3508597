import { Input, Modal, Segmented, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { commandBounds, createCommand } from '../../../../../contract/light/commands.ts';
import { usePermission } from '../../../frame/index.ts';
import { Affects } from '../../dry-run/Affects.tsx';
import { Field } from '../../form/index.ts';
import { Alert, formatNumber, Icon } from '../../index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Ask, CommandBody } from '../commands.ts';
import { DimSlider } from '../DimSlider.tsx';
import { EndPicker, longestMinutes } from '../EndPicker.tsx';
import { useCommandWords } from '../words.ts';
import { Advanced } from './Advanced.tsx';
import { ScopeFields, StandingNote } from './ScopeFields.tsx';
import { mayBeEmergency } from './send-rules.ts';
import { useSendForm, type Action, type SendForm, type Target } from './use-send-form.ts';
import styles from './send.module.css';

interface CommandDialogProps {
  target: Target;
  /** What was clicked; null lets choose. */
  action: Action | null;
  /** What is chosen at first where `action` is null. */
  start?: Ask;
  pending: boolean;
  onSend: (body: CommandBody) => Promise<void>;
  onClose: () => void;
}

const actions = ['on', 'dim', 'off', 'auto'] as const;

/**
 * Says what will happen to how many lamps and until when, who of them will not answer and who else has to agree, before
 * anything is sent.
 */
export function CommandDialog({ target, action, start, pending, onSend, onClose }: CommandDialogProps) {
  const { t, i18n } = useTranslation('lamp');
  const { t: tasks } = useTranslation('commands');
  const words = useCommandWords();
  const form = useSendForm(target, action, onSend, onClose, start);
  const { ask, count, needs } = form;
  const n = formatNumber(count, i18n.language, 0);
  const title = words.title(ask.command, ask.command === 'dim' ? { level: ask.level } : {});
  const ok =
    count === 0
      ? t('control.send')
      : needs.approval
        ? tasks('send.submit', { n })
        : form.emergency
          ? tasks('send.emergencyNow', { n })
          : t('dialog.send', { count: n });
  return (
    <Modal
      open
      title={target.kind === 'lamps' ? t('dialog.title', { what: title, count: n }) : t('dialog.scopeTitle')}
      okText={ok}
      okButtonProps={{ disabled: !form.ready || inPreview(), loading: pending || form.busy, danger: form.emergency }}
      cancelText={t('dialog.cancel')}
      onOk={() => void form.send()}
      onCancel={onClose}
      width={500}
      destroyOnHidden
    >
      <div className={styles.dialog}>
        {target.kind === 'scope' ? <ScopeFields scope={form.scope} onChange={form.setScope} /> : null}
        {form.standing === null ? null : <StandingNote standing={form.standing} />}
        {action === null ? (
          <Segmented<Action>
            value={form.chosen}
            onChange={form.setChosen}
            aria-label={t('dialog.action')}
            options={actions.map((value) => ({
              value,
              label: value === 'dim' ? t('batch.dim') : t(`command.${value}`),
            }))}
          />
        ) : null}
        {form.chosen === 'dim' ? <DimSlider value={form.level} reported={null} onChange={form.setLevel} /> : null}
        <Emergency form={form} />
        {form.chosen === 'auto' ? (
          <p>{t('dialog.autoText')}</p>
        ) : (
          <EndPicker
            end={form.end}
            longest={form.emergency ? commandBounds.emergency / 60 : longestMinutes}
            onChange={form.setEnd}
          />
        )}
        <Reason form={form} />
        {needs.approval ? (
          <Alert kind="note" title={tasks('send.approvalTitle')}>
            {tasks('send.approval', {
              limit: formatNumber(form.policy?.approvalAbove ?? 0, i18n.language, 0),
              minutes: form.policy?.approvalMinutes ?? 0,
              within: form.policy?.withinMinutes ?? 0,
            })}
          </Alert>
        ) : null}
        <Advanced conditions={form.conditions} lamps={count} onChange={form.setConditions} />
        {form.failure === null ? (
          <Affects route={createCommand} input={form.trial} things={['commandTargets']} shown={count} />
        ) : (
          <p className={styles.failure} role="alert">
            {form.failure}
          </p>
        )}
      </div>
    </Modal>
  );
}

/** The emergency lane, for who holds its right and where light is raised; while it is on it cannot be overlooked. */
function Emergency({ form }: { form: SendForm }) {
  const { t } = useTranslation('commands');
  const id = useId();
  const may = usePermission('lamp.emergency');
  if (!may || !mayBeEmergency(form.ask.command)) return null;
  return (
    <div className={styles.emergency} data-on={form.emergency || undefined}>
      <div className={styles.line}>
        <span id={id}>
          <Icon name="warning" size={15} />
          {t('send.emergency')}
        </span>
        <Switch checked={form.emergency} aria-labelledby={id} onChange={form.setEmergency} />
      </div>
      {form.emergency ? <p>{t('send.emergencyAbout', { hours: commandBounds.emergency / 3600 })}</p> : null}
    </div>
  );
}

function Reason({ form }: { form: SendForm }) {
  const { t, i18n } = useTranslation('commands');
  const id = useId();
  const { needs, policy, emergency } = form;
  const why = !needs.reason
    ? undefined
    : emergency
      ? t('send.reasonEmergency')
      : t('send.reasonAbove', { limit: formatNumber(policy?.reasonAbove ?? 0, i18n.language, 0) });
  return (
    <Field
      id={id}
      label={t(needs.reason ? 'reason' : 'reason.optional')}
      required={needs.reason}
      hint={why}
      problem={form.reasonProblem ? t('reason.needed') : undefined}
      wide
    >
      {(tie) => (
        <Input
          {...tie}
          maxLength={commandBounds.reason}
          value={form.reason}
          aria-required={needs.reason}
          onChange={(event) => form.setReason(event.target.value)}
        />
      )}
    </Field>
  );
}
