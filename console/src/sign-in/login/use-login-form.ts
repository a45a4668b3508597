import { useEffect, useRef, useState } from 'preact/hooks';
import { rememberFlag, storeSession, storedUsername } from '../../session/index.ts';
import { signIn } from '../calls.ts';
import { loginFailureText } from '../failure-text.ts';
import { rememberPendingChange } from '../pending-change.ts';
import { useFields } from '../parts/use-fields.ts';
import { moveToLoading, moveToUpdatePassword } from '../route.ts';
import { useTexts } from '../texts.ts';
import { useCaptcha } from './use-captcha.ts';

type FieldName = 'username' | 'password' | 'code';

/** The field whose content a refusal is about: where the cursor goes next. */
const fieldOfStatus: Readonly<Record<number, FieldName>> = { 400: 'username', 401: 'password', 500: 'code' };

/** What the sign-in form knows and does (specified 1.5, 1.7). */
export function useLoginForm(onTyped: (typed: boolean) => void) {
  const t = useTexts();
  const { values, missing, put, set, leave, firstMissing } = useFields<FieldName>(
    () => ({ username: storedUsername(), password: '', code: '' }),
    onTyped,
  );
  const [remember, setRemember] = useState(rememberFlag() === 1);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { captcha, next, settled } = useCaptcha(values.code === '');
  const usernameRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const codeRef = useRef<HTMLInputElement>(null);
  const inputs = { username: usernameRef, password: passwordRef, code: codeRef };

  useEffect(() => {
    // A phone would raise its keyboard over the page before anybody has seen it.
    if (window.matchMedia('(pointer: fine)').matches)
      (storedUsername() === '' ? usernameRef : passwordRef).current?.focus();
  }, []);

  const nextCaptcha = (): void => {
    put('code', '');
    next();
  };
  const focusSoon = (field: FieldName): void => {
    // After the fieldset is enabled again.
    setTimeout(() => {
      inputs[field].current?.focus();
      inputs[field].current?.select();
    });
  };

  async function send(): Promise<void> {
    // Whoever is faster than the picture: whether a code is wanted is known with its answer.
    const captcha = await settled();
    if (captcha.kind === 'ready' && firstMissing(['code']) !== undefined) {
      setBusy(false);
      return focusSoon('code');
    }
    const username = values.username.trim();
    const outcome = await signIn({
      username,
      password: values.password,
      rememberMe: remember,
      code: values.code.trim(),
      captcha: captcha.kind === 'ready' ? captcha : undefined,
    });
    if (outcome.kind === 'done') return accept(username, outcome.body);
    setFailure(loginFailureText(t, outcome));
    setBusy(false);
    nextCaptcha();
    focusSoon((outcome.kind === 'refused' && fieldOfStatus[outcome.status]) || 'password');
  }

  function accept(username: string, { token, passwordStatus }: { token: string; passwordStatus: number }): void {
    onTyped(false);
    if (passwordStatus) {
      rememberPendingChange(username, passwordStatus);
      moveToUpdatePassword();
      return;
    }
    storeSession({ token, username, rememberMe: remember });
    moveToLoading('loginSucceeded');
  }

  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy) return;
    const needed: FieldName[] = captcha.kind === 'ready' ? ['username', 'password', 'code'] : ['username', 'password'];
    const empty = firstMissing(needed);
    setFailure(undefined);
    if (empty !== undefined) return inputs[empty].current?.focus();
    setBusy(true);
    void send();
  };

  const errorOf = (field: FieldName): string | undefined =>
    missing.has(field) ? t(field === 'username' ? 'accountRequired' : 'required') : undefined;
  return { values, set, leave, remember, setRemember, failure, busy, captcha, nextCaptcha, inputs, submit, errorOf };
}
