import { useState } from 'react';
import { Button, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../index.ts';
import { useUnsaved } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import type { Lamp } from '../lamp/lamp.ts';
import { needsOf } from './send/send-rules.ts';
import { usePolicy } from './send/use-send-form.ts';
import { commandBody, type Ask, type CommandBody } from './commands.ts';
import styles from './control.module.css';
import { DimSlider } from './DimSlider.tsx';
import { defaultEnd, endInstant, EndPicker, presets, type End } from './EndPicker.tsx';

/** Switches and dims one lamp. What was chosen stays until it was sent; nothing here says that it worked. */
export function LampControl({
  lamp,
  nextSwitch,
  pending,
  onSend,
}: {
  lamp: Lamp;
  nextSwitch: string | null;
  pending: boolean;
  onSend: (body: CommandBody) => Promise<void>;
}) {
  const { t } = useTranslation('lamp');
  const { t: tasks } = useTranslation('commands');
  const textOf = useErrorText();
  const policy = usePolicy();
  const reported = lamp.level === null ? null : Math.round(lamp.level);
  const [chosen, setChosen] = useState<number | null>(null);
  const [end, setEnd] = useState<End>(defaultEnd);
  const [reason, setReason] = useState('');
  const [sent, setSent] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  useUnsaved(reason !== sent);
  const value = chosen ?? reported ?? 0;
  // A lamp taken out of use: the server sends it nothing.
  const disabled = lamp.state === 'maintenance';
  const resting = pending || disabled || inPreview();
  const send = async (ask: Ask, until: End = end) => {
    const reasonMissing = needsOf(policy, ask, 1, false).reason && reason.trim() === '';
    setFailure(reasonMissing ? tasks('reason.needed') : null);
    if (reasonMissing) return;
    try {
      await onSend(commandBody(ask, { deviceIds: [lamp.id] }, endInstant(until, Date.now()), reason));
      setChosen(null);
      setSent(reason);
    } catch (error) {
      setFailure(textOf(error));
    }
  };
  const act = (ask: Ask) => () => void send(ask);
  return (
    <div className={styles.control}>
      {disabled ? <p className={styles.note}>{t('control.disabled')}</p> : null}
      <DimSlider value={value} reported={reported} onChange={setChosen} disabled={resting} />
      <div className={styles.row}>
        <Button size="small" disabled={resting} onClick={act({ command: 'off' })}>
          {t('command.off')}
        </Button>
        <Button size="small" disabled={resting} onClick={act({ command: 'on' })}>
          {t('command.on')}
        </Button>
        <Button
          size="small"
          disabled={resting}
          onClick={() => void send({ command: 'on' }, { kind: 'after', minutes: presets[0] })}
        >
          {t('control.onFor', { n: presets[0] })}
        </Button>
        <Button size="small" disabled={resting} onClick={act({ command: 'auto' })}>
          {t('command.auto')}
        </Button>
        <Button
          size="small"
          type="primary"
          className={styles.send ?? ''}
          loading={pending}
          disabled={chosen === null || resting}
          onClick={act(value === 0 ? { command: 'off' } : { command: 'dim', level: value })}
        >
          {t('control.send')}
        </Button>
      </div>
      <div className={styles.row}>
        <EndPicker end={end} nextSwitch={nextSwitch} onChange={setEnd} />
        <Input
          size="small"
          className={styles.reason ?? ''}
          maxLength={200}
          value={reason}
          placeholder={t('control.reason')}
          aria-label={t('control.reason')}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
