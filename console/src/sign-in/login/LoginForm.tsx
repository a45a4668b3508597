/** @jsxImportSource preact */
import { Alert } from '../parts/Alert.tsx';
import { PasswordField, TextField } from '../parts/TextField.tsx';
import { useTexts } from '../texts.ts';
import { CaptchaField } from './CaptchaField.tsx';
import { prepare } from '../prepare.ts';
import { useLoginForm } from './use-login-form.ts';

/** Account, password, captcha. The console's files begin to load with the first key typed. */
export function LoginForm({
  onTyped,
  linkFailure,
}: {
  onTyped: (typed: boolean) => void;
  linkFailure: string | undefined;
}) {
  const t = useTexts();
  const form = useLoginForm(onTyped);
  return (
    <form noValidate aria-busy={form.busy} onSubmit={form.submit} onInput={prepare}>
      <h1>{t('heading')}</h1>
      <p class="sub">{t('sub')}</p>
      <fieldset disabled={form.busy}>
        <TextField
          label={t('account')}
          icon="user"
          name="username"
          value={form.values.username}
          error={form.errorOf('username')}
          required
          onValue={form.set('username')}
          onLeave={form.leave('username')}
          inputRef={form.inputs.username}
          autocomplete="username"
          autocapitalize="off"
          autocorrect="off"
          spellcheck={false}
          maxLength={100}
        />
        <PasswordField
          label={t('password')}
          name="password"
          value={form.values.password}
          error={form.errorOf('password')}
          required
          onValue={form.set('password')}
          onLeave={form.leave('password')}
          inputRef={form.inputs.password}
          autocomplete="current-password"
        />
        {form.captcha.kind !== 'none' && (
          <CaptchaField
            captcha={form.captcha}
            next={form.nextCaptcha}
            code={form.values.code}
            error={form.errorOf('code')}
            onCode={form.set('code')}
            inputRef={form.inputs.code}
          />
        )}
        <label class="remember">
          <input
            type="checkbox"
            checked={form.remember}
            onChange={(event) => form.setRemember(event.currentTarget.checked)}
          />
          {t('remember')}
        </label>
        <Alert text={form.failure ?? linkFailure} />
        <button type="submit" class="go">
          {t(form.busy ? 'signingIn' : 'signIn')}
        </button>
      </fieldset>
      <p class="hint">{t('forgotten')}</p>
    </form>
  );
}
