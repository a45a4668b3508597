import { Input, Modal } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../parts/form/index.ts';
import { Icon } from '../../../parts/index.ts';
import { RuleMark } from '../../../parts/people/user-form/Fields.tsx';
import { passwordFields, usePasswordForm, type PasswordField } from './use-password-form.ts';
import styles from './profile.module.css';

interface Props {
  open: boolean;
  me: { id: number; username: string };
  onClose: () => void;
}

const autoComplete = {
  oldPassword: 'current-password',
  newPassword: 'new-password',
  confirmation: 'new-password',
} as const satisfies Record<PasswordField, string>;

/**
 * The password modal (specified 3.12): hidden while the old password stands as wrong, it opens again, so that nobody
 * believes it was changed; its cancel button gives up.
 */
export function ChangePassword({ open, me, onClose }: Props) {
  const { t } = useTranslation('profile');
  const base = useId();
  const form = usePasswordForm(me, onClose);
  const { values, problems, busy, failure } = form;
  const giveUp = (): void => {
    form.forget();
    onClose();
  };
  return (
    <Modal
      open={open && !form.hidden}
      title={t('changePassword')}
      width={440}
      okText={t('password.submit')}
      cancelText={t('password.cancel')}
      mask={{ closable: !busy }}
      keyboard={!busy}
      closable={!busy}
      okButtonProps={{ htmlType: 'submit', form: `${base}-form`, loading: busy, disabled: busy }}
      cancelButtonProps={{ disabled: busy, onClick: giveUp }}
      onCancel={form.oldIsWrong ? form.hide : giveUp}
      afterOpenChange={(shown) => {
        if (!shown) form.afterHide();
      }}
    >
      <form
        id={`${base}-form`}
        className={styles.modal}
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
        noValidate
        aria-busy={busy}
      >
        {/* A password manager wants to know whose it is. */}
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        {passwordFields.map((field) => (
          <Field
            key={field}
            id={`${base}-${field}`}
            label={t(`password.${field}`)}
            required
            problem={problems[field] === undefined ? undefined : t(problems[field])}
            {...(field === 'newPassword' ? { beside: <RuleMark /> } : {})}
          >
            {(tie) => (
              <Input.Password
                {...tie}
                value={values[field]}
                maxLength={60}
                autoComplete={autoComplete[field]}
                aria-required
                onChange={(event) => form.set(field, event.target.value)}
              />
            )}
          </Field>
        ))}
        {failure === null ? null : (
          <p className={styles.failure} role="alert">
            <Icon name="warning" size={14} />
            <span>
              {t('password.failed')}
              {failure}
            </span>
          </p>
        )}
      </form>
    </Modal>
  );
}
