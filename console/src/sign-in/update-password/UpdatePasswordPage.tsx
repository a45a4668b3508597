/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { fetchRule } from '../calls.ts';
import { Alert } from '../parts/Alert.tsx';
import { Icon } from '../parts/icons.tsx';
import { PasswordField, TextField } from '../parts/TextField.tsx';
import { prepare } from '../prepare.ts';
import { useTexts } from '../texts.ts';
import { useUpdateForm } from './use-update-form.ts';

/** The server's rule as a tooltip of the new password: on hover, on focus and, on a phone, always. */
function Rule() {
  const t = useTexts();
  const [rule, setRule] = useState<string>();
  useEffect(() => {
    void fetchRule().then((outcome) =>
      setRule(outcome.kind === 'done' && typeof outcome.body === 'string' ? outcome.body : t('ruleFailed')),
    );
  }, [t]);
  return (
    <p class="rule" role="tooltip" id="password-rule">
      <b>{t('passwordRule')}</b>
      {rule ?? '…'}
    </p>
  );
}

/** /update-password */
export function UpdatePasswordPage({ onTyped }: { onTyped: (typed: boolean) => void }) {
  const t = useTexts();
  const form = useUpdateForm(onTyped);
  const { pending, signedIn } = form;
  return (
    <form noValidate aria-busy={form.busy} onSubmit={form.submit} onInput={prepare}>
      <h1>{t('changeHeading')}</h1>
      <p class="sub">{t(signedIn ? 'changeOwn' : 'changeRisk')}</p>
      {!signedIn && pending !== undefined && (
        <Alert tone="warning" text={t(pending.status === 1 ? 'weakInitial' : 'passwordOld')} />
      )}
      <fieldset disabled={form.busy}>
        <TextField
          label={t('account')}
          icon="user"
          name="username"
          value={form.values.account}
          error={form.errorOf('account')}
          readOnly={signedIn}
          required
          onValue={form.set('account')}
          onLeave={form.leave('account')}
          inputRef={form.inputs.account}
          autocomplete="username"
          autocapitalize="off"
          spellcheck={false}
          maxLength={100}
        />
        <PasswordField
          label={t('oldPassword')}
          name="old"
          value={form.values.old}
          error={form.errorOf('old')}
          required
          onValue={form.set('old')}
          onLeave={form.leave('old')}
          inputRef={form.inputs.old}
          autocomplete="current-password"
        />
        <div class="with-rule">
          <PasswordField
            label={t('newPassword')}
            name="fresh"
            value={form.values.fresh}
            error={form.errorOf('fresh')}
            required
            describedBy="password-rule"
            onValue={form.set('fresh')}
            onLeave={form.leave('fresh')}
            inputRef={form.inputs.fresh}
            autocomplete="new-password"
            beside={
              <span class="rule-mark" aria-hidden="true">
                <Icon name="info" />
              </span>
            }
          />
          <Rule />
        </div>
        <Alert text={form.failure} />
        <div class="buttons">
          <button type="submit" class="go">
            {t(form.busy ? 'updating' : 'update')}
          </button>
          <button type="button" class="plain" onClick={form.cancel}>
            {t('cancel')}
          </button>
        </div>
      </fieldset>
    </form>
  );
}
