import { Button, Input, Modal, Select } from 'antd';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getUserDetails } from '../../../../../contract/specified/users.ts';
import { ask } from '../../../frame/ask.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { tied } from '../../../fields/face.ts';
import { FirstFocus } from '../../../parts/form/index.ts';
import { ErrorState, Icon, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import type { Operator } from '../../../parts/people/users/actions.ts';
import { Conflict } from './Conflict.tsx';
import { useLevels } from '../../../parts/people/users/levels.ts';
import type { GivenPassword } from '../../../parts/people/users/PasswordDialog.tsx';
import { RoleSelect, useRoles } from '../../../parts/people/users/RoleSelect.tsx';
import { useUserForm, type FieldError, type UserForm } from './use-user-form.ts';
import type { Detail, UserValues } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

interface Props {
  /** Whom to edit; `new`: nobody yet; null: closed. */
  form: number | 'new' | null;
  operator: Operator;
  onClose: () => void;
  onPassword: (given: GivenPassword) => void;
}

/**
 * New and edited accounts (specified 3.1: 520 px). Closing it forgets what was typed, and asks first when there is
 * something.
 */
export function UserDialog({ form, operator, onClose, onPassword }: Props) {
  const { t } = useTranslation('users');
  const [dirty, setDirty] = useState(false);
  const [name, setName] = useState('');
  useUnsaved(dirty);
  const shown = useLast(form);
  const title = shown === 'new' ? t('dialog.new') : t('dialog.edit', { name });
  const leave = (): void => {
    setDirty(false);
    onClose();
  };
  const close = (): void => {
    if (!dirty) return leave();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) leave();
    });
  };
  const saved = (given: GivenPassword | undefined): void => {
    toast.done(t(form === 'new' ? 'dialog.created' : 'dialog.updated'));
    leave();
    if (given) onPassword(given);
  };
  const inside = { operator, onSaved: saved, onCancel: close, onDirty: setDirty };
  return (
    <Modal
      open={form !== null}
      title={title}
      width={520}
      onCancel={close}
      footer={null}
      mask={{ closable: !dirty }}
      destroyOnHidden
    >
      {shown === null ? null : shown === 'new' ? (
        <Form stored={null} {...inside} />
      ) : (
        <EditForm key={shown} id={shown} onName={setName} {...inside} />
      )}
    </Modal>
  );
}

interface Inside {
  operator: Operator;
  onSaved: (given: GivenPassword | undefined) => void;
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
}

/** Starts from the account as it is now, never from a kept answer: its version would be refused. */
function EditForm({ id, onName, ...inside }: Inside & { id: number; onName: (name: string) => void }) {
  const { t } = useTranslation('users');
  const one = useCall(getUserDetails, { query: { userId: id } }, { staleTime: 0 });
  const [stored, setStored] = useState<Detail | null>(null);
  if (stored === null && one.data && !one.isFetching) setStored(one.data);
  const name = stored?.username ?? '';
  useEffect(() => onName(name), [onName, name]);
  if (stored) return <Form stored={stored} {...inside} />;
  return one.error && !one.isFetching ? (
    <ErrorState title={t('dialog.fetchFailed')} error={one.error} onRetry={one.refetch} />
  ) : (
    <Skeleton rows={6} height={300} />
  );
}

function Form({ stored, operator, onSaved, onCancel, onDirty }: Inside & { stored: Detail | null }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const base = useId();
  const element = useRef<HTMLFormElement>(null);
  const form = useUserForm(stored, onDirty);
  const roles = useRoles();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { saved, given } = await form.submit();
    if (saved) return onSaved(given);
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const problems = Object.keys(form.errors).length;
  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {form.conflict ? (
        <Conflict mine={form.values} theirs={form.conflict.theirs} roleNames={roles.namesOf} onSettle={form.settle} />
      ) : null}
      <Fields {...{ base, form, stored, operator, roles }} />
      {form.failure ? (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>
            {t(stored ? 'dialog.updateFailed' : 'dialog.createFailed')} · {errorText(form.failure)}
          </span>
        </p>
      ) : null}
      <div className={styles.foot}>
        {problems > 0 ? (
          <span className={styles.error} role="alert">
            <Icon name="warning" size={13} />
            {t('dialog.problems', { n: problems })}
          </span>
        ) : null}
        <Button onClick={onCancel}>{t('dialog.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={form.saving}
          disabled={form.saving || operator.readOnly || form.conflict !== undefined}
          title={operator.readOnly ? t('reason.preview') : undefined}
        >
          {t('dialog.save')}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  base: string;
  form: UserForm;
  stored: Detail | null;
  operator: Operator;
  roles: ReturnType<typeof useRoles>;
}

/** A new account begins with its name; of a stored one it is locked. */
const FirstField = ({ is, children }: { is: boolean; children: ReactNode }) =>
  is ? <FirstFocus>{children}</FirstFocus> : children;

function Fields({ base, form, stored, operator, roles }: FieldsProps) {
  const { t } = useTranslation('users');
  const levels = useLevels();
  // Nobody but an administrator gives his own level or a higher one (specified 3.8); what the account has stays on
  // offer.
  const offered = levels.options.filter(
    ({ value }) =>
      operator.level === 0 || operator.level === undefined || value > operator.level || value === stored?.treeLevel,
  );
  const field = (
    key: keyof UserValues,
    control: (tie: ReturnType<typeof tied>) => ReactNode,
    options: { required?: boolean; hint?: string } = {},
  ) => (
    <Field key={key} id={`${base}-${key}`} label={t(`field.${key}`)} error={form.errors[key]} {...options}>
      {control}
    </Field>
  );
  return (
    <>
      {field(
        'username',
        (tie) => (
          <FirstField is={stored === null}>
            <Input
              {...tie}
              value={form.values.username}
              disabled={stored !== null}
              autoComplete="off"
              maxLength={100}
              aria-required
              onChange={(event) => form.set('username', event.target.value)}
            />
          </FirstField>
        ),
        { required: true, hint: t(stored ? 'dialog.username.locked' : 'dialog.username.hint') },
      )}
      {field(
        'nickname',
        (tie) => (
          <Input
            {...tie}
            value={form.values.nickname}
            autoComplete="off"
            maxLength={100}
            onChange={(event) => form.set('nickname', event.target.value)}
          />
        ),
        { hint: t('dialog.nickname.hint') },
      )}
      {field(
        'treeLevel',
        (tie) => (
          <Select
            {...tie}
            style={{ width: '100%' }}
            placeholder={t('dialog.level.choose')}
            loading={levels.isPending}
            aria-required
            value={form.values.treeLevel}
            options={offered}
            onChange={(level: number) => form.set('treeLevel', level)}
          />
        ),
        { required: true },
      )}
      {field(
        'roles',
        (tie) => (
          <>
            <RoleSelect
              id={tie.id}
              invalid={tie.status === 'error'}
              describedBy={tie['aria-describedby']}
              value={form.values.roles}
              onChange={(ids) => form.set('roles', ids)}
              roles={roles}
            />
            {roles.failed ? (
              <span className={styles.error} role="alert">
                {t('dialog.roles.failed')}
                <Button size="small" onClick={() => void roles.refetch()}>
                  {t('dialog.retry')}
                </Button>
              </span>
            ) : null}
          </>
        ),
        { required: true },
      )}
    </>
  );
}

interface FieldProps {
  id: string;
  label: string;
  required?: boolean;
  hint?: string;
  error: FieldError | undefined;
  children: (tie: ReturnType<typeof tied>) => ReactNode;
}

/** A label, its control, and below it the problem or else the hint, both read out with it. */
function Field({ id, label, required = false, hint, error, children }: FieldProps) {
  const { t } = useTranslation('users');
  const below = error !== undefined || hint !== undefined ? `${id}-below` : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {required ? (
          <span className={styles.required} title={t('dialog.required')} aria-hidden>
            *
          </span>
        ) : null}
      </label>
      {children(tied(id, error !== undefined, below))}
      {error !== undefined ? (
        <span id={below} className={styles.error}>
          <Icon name="warning" size={12} />
          {'rule' in error ? t(error.rule) : error.message}
        </span>
      ) : hint === undefined ? null : (
        <span id={below} className={styles.hint}>
          {hint}
        </span>
      )}
    </div>
  );
}
