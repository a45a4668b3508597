import { Input, Modal } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { Field, FirstFocus } from '../form/index.ts';
import { Alert } from '../notices/Alert.tsx';
import { useErrorText } from '../notices/error-text.ts';

/** Freezes a draft into the next version, with a note that says why. */
export function FreezeDialog({
  number,
  effect,
  onClose,
  onFreeze,
}: {
  /** The number the version gets. */
  number: number;
  /** What it would do. */
  effect: ReactNode;
  onClose: () => void;
  onFreeze: (note: string | null) => Promise<void>;
}) {
  const { t } = useTranslation('versioned');
  const errorText = useErrorText();
  const id = useId();
  const [note, setNote] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const freeze = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onFreeze(note.trim() === '' ? null : note.trim());
    } catch (cause) {
      setFailure(cause);
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={t('freeze.title', { n: number })}
      width={480}
      onCancel={onClose}
      onOk={() => void freeze()}
      okText={t('freeze.ok')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: busy }}
    >
      <p>{t('freeze.text')}</p>
      <FirstFocus>
        <Field id={id} label={t('freeze.note')} problem={undefined} hint={t('freeze.note.hint')}>
          {({ status: _, ...tie }) => (
            <Input.TextArea
              {...tie}
              value={note}
              rows={3}
              maxLength={planLimits.versionNote.max}
              showCount
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
      </FirstFocus>
      {failure === null ? effect : <Alert title={errorText(failure)} />}
    </Modal>
  );
}
