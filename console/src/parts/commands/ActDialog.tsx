import { Input, Modal } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { commandBounds } from '../../../../contract/light/commands.ts';
import { Field } from '../form/index.ts';
import { Refusal } from '../index.ts';
import { inPreview } from '../../session/index.ts';
import styles from './approval.module.css';

interface Props {
  title: string;
  ok: string;
  danger?: boolean;
  /** Whether a reason is asked for, and has to be given. */
  reason?: 'needed' | 'possible';
  /** False: something must be chosen first. */
  ready?: boolean;
  onOk: (reason: string) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Asks before something is done with a task, with what follows from it and, where it is wanted, the reason; what was
 * refused is said in it and nothing typed is lost.
 */
export function ActDialog({ title, ok, danger = false, reason, ready = true, onOk, onClose, children }: Props) {
  const { t } = useTranslation('commands');
  const id = useId();
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const missing = reason === 'needed' && text.trim() === '';
  const run = async (): Promise<void> => {
    setTried(true);
    if (missing || busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      await onOk(text.trim());
      onClose();
    } catch (error) {
      setRefusal(error);
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={title}
      okText={ok}
      cancelText={t('dialog.back')}
      okButtonProps={{ danger, disabled: !ready || inPreview(), loading: busy }}
      onOk={() => void run()}
      onCancel={onClose}
      width={480}
      destroyOnHidden
    >
      {children}
      {reason === undefined ? null : (
        <Field
          id={id}
          label={t(reason === 'needed' ? 'reason' : 'reason.optional')}
          required={reason === 'needed'}
          problem={tried && missing ? t('reason.needed') : undefined}
          wide
        >
          {(tie) => (
            <Input.TextArea
              {...tie}
              autoSize={{ minRows: 2, maxRows: 5 }}
              maxLength={commandBounds.reason}
              value={text}
              aria-required={reason === 'needed'}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      {refusal === null ? null : (
        <div className={styles.refusal}>
          <Refusal error={refusal} />
        </div>
      )}
    </Modal>
  );
}
