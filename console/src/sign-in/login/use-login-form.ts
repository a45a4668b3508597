import { useRef, useState } from 'preact/hooks';
import { rememberFlag, storeSession, storedUsername } from '../../session/index.ts';
import { signIn } from '../calls.ts';
import { loginFailureText } from '../failure-text.ts';
import { rememberPendingChange } from '../pending-change.ts';
import { moveToLoading, moveToUpdatePassword } from '../route.ts';
import { useTexts } from '../texts.ts';
import { useCaptcha } from './use-captcha.ts';

type FieldName = 'username' | 'password' | 'code';
type Values = Readonly<Record<FieldName, string>>;

/** The field whose content a refusal is about: where the cursor goes next. */
const fieldOfStatus: Readonly<Record<number, FieldName>> = { 400: 'username', 401: 'password', 500: 'code' };

/** What the sign-in form knows and does: S1 sections 4, 5 and 8. */
export function useLoginForm(onTyped: (typed: boolean) => void) {
  const t = useTexts();
  const [values, setValues] = useState<Values>(() => ({ username: storedUsername(), password: '', code: '' }));
  const [remember, setRemember] = useState(rememberFlag() === 1);
  const [missing, setMissing] = useState<ReadonlySet<FieldName>>(new Set());
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { captcha, next, settled } = useCaptcha(values.code === '');
  const inputs = { username: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null), code: useRef<HTMLInputElement>(null) };

  const set = (field: FieldName) => (value: string): void => {
    setValues((before) => ({ ...before, [field]: value }));
    setMissing((before) => new Set([...before].filter((name) => name !== field)));
    onTyped(true);
  };
  const leave = (field: FieldName) => (): void => {
    if (values[field].trim() === '') setMissing((before) => new Set([...before, field]));
  };
  const nextCaptcha = (): void => {
    setValues((before) => ({ ...before, code: '' }));
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
    if (captcha.kind === 'ready' && values.code.trim() === '') {
      setBusy(false);
      setMissing(new Set(['code']));
      return focusSoon('code');
    }
    const username = values.username.trim();
    const outcome = await signIn({ username, password: values.password, rememberMe: remember, code: values.code.trim(), captcha: captcha.kind === 'ready' ? captcha : undefined });
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
    const empty = needed.filter((field) => values[field].trim() === '');
    setMissing(new Set(empty));
    setFailure(undefined);
    if (empty[0] !== undefined) return inputs[empty[0]].current?.focus();
    setBusy(true);
    void send();
  };

  const errorOf = (field: FieldName): string | undefined => (missing.has(field) ? t(field === 'username' ? 'accountRequired' : 'required') : undefined);
  return { values, set, leave, remember, setRemember, failure, busy, captcha, nextCaptcha, inputs, submit, errorOf };
}
