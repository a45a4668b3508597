import { useEffect, useRef, useState } from 'preact/hooks';
import { leaveForSignIn, rememberFlag, storedToken, storedUsername, storeSession } from '../../session/index.ts';
import { sendNewPassword } from '../calls.ts';
import { updateFailureText } from '../failure-text.ts';
import { forgetPendingChange, pendingChange } from '../pending-change.ts';
import { useFields } from '../parts/use-fields.ts';
import { moveToLoading } from '../route.ts';
import { useTexts, type TextKey } from '../texts.ts';

type FieldName = 'account' | 'old' | 'fresh';
const fields: readonly FieldName[] = ['account', 'old', 'fresh'];
const requiredTexts: Readonly<Record<FieldName, TextKey>> = {
  account: 'accountRequired',
  old: 'oldPasswordRequired',
  fresh: 'newPasswordRequired',
};

/** What the password form knows and does: forced after a sign-in with passwordStatus, voluntary with a session. */
export function useUpdateForm(onTyped: (typed: boolean) => void) {
  const t = useTexts();
  const [pending] = useState(pendingChange);
  const signedIn = storedToken() !== undefined;
  const { values, missing, set, leave, firstMissing } = useFields<FieldName>(
    () => ({ account: (signedIn ? undefined : pending?.username) ?? storedUsername(), old: '', fresh: '' }),
    onTyped,
  );
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const inputs = {
    account: useRef<HTMLInputElement>(null),
    old: useRef<HTMLInputElement>(null),
    fresh: useRef<HTMLInputElement>(null),
  };

  useEffect(() => {
    if (signedIn || pending === undefined) return undefined;
    const timer = setTimeout(() => leaveForSignIn('changeOver'), Math.max(0, pending.until - Date.now()));
    return () => clearTimeout(timer);
  }, [signedIn, pending]);

  async function send(): Promise<void> {
    const userName = values.account.trim();
    const outcome = await sendNewPassword({ userName, oldPassword: values.old, newPassword: values.fresh });
    if (outcome.kind === 'done' && outcome.body.token) {
      onTyped(false);
      forgetPendingChange();
      storeSession({ token: outcome.body.token, username: userName, rememberMe: rememberFlag() === 1 });
      moveToLoading('updateSucceeded');
      return;
    }
    setFailure(updateFailureText(t, outcome.kind === 'done' ? { kind: 'done', msg: outcome.body.msg } : outcome));
    setBusy(false);
    setTimeout(() => inputs.old.current?.focus());
  }

  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy) return;
    const empty = firstMissing(fields);
    setFailure(undefined);
    if (empty !== undefined) return inputs[empty].current?.focus();
    setBusy(true);
    void send();
  };

  const cancel = (): void => window.location.assign(signedIn ? '/home' : '/login');
  const errorOf = (field: FieldName): string | undefined => (missing.has(field) ? t(requiredTexts[field]) : undefined);
  return { pending, signedIn, values, set, leave, failure, busy, inputs, submit, cancel, errorOf };
}
