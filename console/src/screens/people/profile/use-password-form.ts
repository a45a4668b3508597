import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePassword, getPublicKey } from '../../../../../contract/specified/sign-in.ts';
import { ApiError, call } from '../../../api/index.ts';
import { encryptPassword } from '../../../crypto/index.ts';
import { useSubmit } from '../../../parts/form/index.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import { dismissToast } from '../../../frame/toast-store.ts';
import { storeToken } from '../../../session/index.ts';

/** In the order of the dialog. */
export const passwordFields = ['oldPassword', 'newPassword', 'confirmation'] as const;
export type PasswordField = (typeof passwordFields)[number];
type Values = Record<PasswordField, string>;
type Problem = 'password.oldRequired' | 'password.newRequired' | 'password.confirmationRequired' | 'password.differ';
type Problems = Partial<Record<PasswordField, Problem>>;

const empty: Values = { oldPassword: '', newPassword: '', confirmation: '' };

/** What is refused before the server is asked (specified 3.12); how a new password must look the server knows. */
function problemsOf({ oldPassword, newPassword, confirmation }: Values): Problems {
  const differ =
    confirmation === ''
      ? 'password.confirmationRequired'
      : confirmation === newPassword
        ? undefined
        : 'password.differ';
  return {
    ...(oldPassword === '' ? { oldPassword: 'password.oldRequired' } : {}),
    ...(newPassword === '' ? { newPassword: 'password.newRequired' } : {}),
    ...(differ === undefined ? {} : { confirmation: differ }),
  };
}

type Outcome = { kind: 'saved' } | { kind: 'refused' };

/**
 * The state of the password modal. A failure is a reply without a token (specified 3.12); a call that got no reply pops
 * nothing up.
 */
export function usePasswordForm(me: { id: number; username: string }, onDone: () => void) {
  const { t } = useTranslation('profile');
  const errorText = useErrorText();
  const [values, setValues] = useState(empty);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  const [hidden, setHidden] = useState(false);
  const [told, setTold] = useState<number>();
  const forget = (): void => {
    setValues(empty);
    setProblems({});
    setFailure(null);
    setRefused(false);
  };
  const tell = (message: string): Outcome => {
    setTold(toast.mustRead(t('password.failed') + message));
    setFailure(message);
    return { kind: 'refused' };
  };
  async function attempt(): Promise<Outcome> {
    if (told !== undefined) dismissToast(told);
    setFailure(null);
    setRefused(false);
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length > 0) return { kind: 'refused' };
    try {
      const { publicKey } = await call(getPublicKey, {}, { quiet: true });
      const [oldPassword, newPassword] = [
        encryptPassword(publicKey, values.oldPassword),
        encryptPassword(publicKey, values.newPassword),
      ];
      const reply = await call(
        changePassword,
        { body: { userId: me.id, userName: me.username, oldPassword, newPassword } },
        { quiet: true },
      );
      if (!reply.token) {
        setRefused(true);
        return tell(reply.msg);
      }
      storeToken(reply.token);
      toast.done(t('password.done'));
      forget();
      onDone();
      // The dialog may be opened again: it is not a page that closes.
      return { kind: 'refused' };
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (cause.kind === 'problem') return tell(errorText(cause));
      setFailure(errorText(cause));
      return { kind: 'refused' };
    }
  }
  const { busy, submit } = useSubmit(attempt);
  return {
    values,
    problems,
    failure,
    busy,
    submit,
    forget,
    hidden,
    oldIsWrong: refused || problems.oldPassword !== undefined,
    hide: () => setHidden(true),
    /** Hidden without having given up: back again. */
    afterHide: () => setHidden(false),
    set(field: PasswordField, value: string): void {
      setValues((now) => ({ ...now, [field]: value }));
      setProblems(({ [field]: _, ...rest }) => rest);
      setFailure(null);
      if (field === 'oldPassword') setRefused(false);
    },
  };
}
