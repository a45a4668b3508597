import { Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmPassword } from '../../../../contract/people/me.ts';
import { getPublicKey } from '../../../../contract/specified/sign-in.ts';
import { ApiError, call } from '../../api/index.ts';
import { encryptPassword } from '../../crypto/index.ts';
import { Field, FirstFocus } from '../../parts/form/index.ts';
import { useErrorText } from '../../parts/index.ts';
import type { Asked } from './needs.ts';

/** The dialog of one need. */
export default function NeedDialog({ need, answer }: Asked) {
  return need.kind === 'password' ? (
    <PasswordDialog onAnswer={answer} />
  ) : (
    <CountDialog count={need.count} text={need.text} onAnswer={answer} />
  );
}

function PasswordDialog({ onAnswer }: { onAnswer: (given: Record<string, never> | undefined) => void }) {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const id = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    if (password === '' || busy) return;
    setBusy(true);
    try {
      const { publicKey } = await call(getPublicKey, {}, { quiet: true });
      await call(confirmPassword, { body: { password: encryptPassword(publicKey, password) } }, { quiet: true });
      onAnswer({});
    } catch (error) {
      const left = error instanceof ApiError ? error.problem?.['attempts'] : undefined;
      setProblem(typeof left === 'number' && left > 0 ? t('confirm.wrong', { n: left }) : errorText(error));
      setPassword('');
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={t('confirm.title')}
      width={440}
      okText={t('confirm.ok')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: password === '', loading: busy }}
      onOk={() => void send()}
      onCancel={() => onAnswer(undefined)}
      mask={{ closable: false }}
    >
      <p>{t('confirm.text')}</p>
      <Field id={id} label={t('confirm.password')} problem={problem} wide required>
        {(tie) => (
          <FirstFocus>
            <Input.Password
              {...tie}
              autoComplete="current-password"
              maxLength={100}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              onPressEnter={() => void send()}
            />
          </FirstFocus>
        )}
      </Field>
    </Modal>
  );
}

function CountDialog({
  count,
  text,
  onAnswer,
}: {
  count: number;
  text: string;
  onAnswer: (given: { confirmCount: number } | undefined) => void;
}) {
  const { t } = useTranslation('shell');
  const id = useId();
  const [typed, setTyped] = useState('');
  const digits = typed.trim().normalize('NFKC');
  const right = digits === String(count);
  const send = (): void => {
    if (right) onAnswer({ confirmCount: count });
  };
  return (
    <Modal
      open
      title={t('count.title')}
      width={440}
      okText={t('count.ok')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !right, danger: true }}
      onOk={send}
      onCancel={() => onAnswer(undefined)}
      mask={{ closable: false }}
    >
      <p>{text}</p>
      <Field
        id={id}
        label={t('count.label')}
        problem={String(count).startsWith(digits) ? undefined : t('count.wrong', { n: count })}
        wide
        required
      >
        {(tie) => (
          <FirstFocus>
            <Input
              {...tie}
              inputMode="numeric"
              autoComplete="off"
              maxLength={10}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onPressEnter={send}
            />
          </FirstFocus>
        )}
      </Field>
    </Modal>
  );
}
