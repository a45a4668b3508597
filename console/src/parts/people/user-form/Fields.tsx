import { Button, Input, Select, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getPasswordRule } from '../../../../../contract/specified/sign-in.ts';
import { useCall } from '../../../api/index.ts';
import { AvatarField } from '../../avatar/AvatarField.tsx';
import { formStyles } from '../../form/index.ts';
import type { PictureKind } from '../../avatar/picture.ts';
import { Card, Icon, useTime } from '../../index.ts';
import type { Operator } from '../users/actions.ts';
import { useLevels } from '../users/levels.ts';
import { RoleSelect, type useRoles } from '../users/RoleSelect.tsx';
import { Field, useProblemText } from './Field.tsx';
import type { UserForm } from './use-user-form.ts';
import type { Field as FieldName, Problem, Stored, Values } from './values.ts';
import styles from './user-fields.module.css';

export interface FieldsProps {
  base: string;
  form: UserForm;
  loaded: Stored | null;
  operator: Operator;
  roles: ReturnType<typeof useRoles>;
}
type TextName = { [F in FieldName]: Values[F] extends string ? F : never }[FieldName];

/**
 * Longer texts than any rule allows may be typed, so that the rule can say so; a password keeps to what fits its
 * encryption.
 */
const most = { text: 200, password: 60 };

export function Fields(props: FieldsProps) {
  return (
    <div className={styles.columns}>
      <AvatarCard {...props} />
      <div className={styles.cards}>
        <AccountCard {...props} />
        <PersonCards {...props} />
        {props.form.mode === 'edit' ? <PasswordCard {...props} /> : null}
      </div>
    </div>
  );
}

/** The avatar, and since when the account exists; the profile takes no gif (specified 3.10). */
export function AvatarCard({
  base,
  form,
  loaded,
  accept,
  disabled = false,
}: Pick<FieldsProps, 'base' | 'form' | 'loaded'> & { accept?: readonly PictureKind[]; disabled?: boolean }) {
  const { t } = useTranslation('user-form');
  const time = useTime();
  const textOf = useProblemText();
  const {
    values,
    problems: { imgPath: problem },
  } = form;
  const below = `${base}-imgPath-below`;
  return (
    <Card title={t('section.avatar')}>
      <div className={styles.center}>
        <AvatarField
          {...(accept ? { accept } : {})}
          disabled={disabled}
          id={`${base}-imgPath`}
          value={values.imgPath}
          name={`${values.familyName}${values.name}` || values.username}
          describedBy={problem === undefined ? undefined : below}
          onChange={(address) => form.set('imgPath', address)}
        />
        {problem === undefined ? null : (
          <span id={below} className={formStyles.error} role="alert">
            <Icon name="warning" size={12} />
            {textOf(problem)}
          </span>
        )}
      </div>
      {loaded === null ? null : (
        <dl className={styles.times}>
          <div>
            <dt>{t('field.registerTime')}</dt>
            <dd>{time(loaded.registerTime, 'dateTime')}</dd>
          </div>
          <div>
            <dt>{t('field.lastLogin')}</dt>
            <dd>{loaded.lastLogin === null ? t('never') : time(loaded.lastLogin, 'dateTime')}</dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

/** What the uniqueness check knows of the name, as the problem it is; free and checking are hints. */
function nameProblem({ problems, nameCheck }: UserForm): Problem | undefined {
  if (problems.username) return problems.username;
  if (nameCheck.state === 'taken') return { rule: 'taken' };
  return nameCheck.state === 'failed' ? { rule: 'checkFailed' } : undefined;
}

function AccountCard({ base, form, loaded, operator, roles }: FieldsProps) {
  const { t } = useTranslation('user-form');
  const levels = useLevels();
  const { values, problems, mode, nameCheck } = form;
  // Nobody but an administrator gives his own level or a higher one (specified 3.8); what the account has stays on
  // offer.
  const offered = levels.options.filter(
    ({ value }) =>
      operator.level === 0 || operator.level === undefined || value > operator.level || value === loaded?.treeLevel,
  );
  const checked = nameCheck.state === 'checking' || nameCheck.state === 'free' ? nameCheck.state : undefined;
  const own = mode === 'own' ? { hint: t('hint.levelOwn') } : {};
  return (
    <Card title={t('section.account')}>
      <div className={formStyles.grid}>
        <Field
          id={`${base}-username`}
          label={t('field.username')}
          required
          problem={nameProblem(form)}
          hint={
            <span role="status">
              {checked ? t(`hint.${checked}`) : t(mode === 'create' ? 'hint.username' : 'hint.usernameLocked')}
            </span>
          }
        >
          {(tie) => (
            <Input
              {...tie}
              value={values.username}
              disabled={mode !== 'create'}
              maxLength={most.text}
              autoComplete="off"
              spellCheck={false}
              aria-required
              onChange={(event) => form.set('username', event.target.value)}
              onBlur={() => form.leave('username')}
            />
          )}
        </Field>
        <Field id={`${base}-treeLevel`} label={t('field.treeLevel')} required problem={problems.treeLevel} {...own}>
          {(tie) => (
            <Select
              {...tie}
              style={{ width: '100%' }}
              placeholder={t('level.choose')}
              loading={levels.isPending}
              disabled={mode === 'own'}
              aria-required
              value={levels.isPending ? null : values.treeLevel}
              options={offered}
              onChange={(level: number) => form.set('treeLevel', level)}
            />
          )}
        </Field>
        <Field
          id={`${base}-roles`}
          label={t('field.roles')}
          required={mode !== 'own'}
          problem={problems.roles}
          wide
          {...own}
        >
          {(tie) => (
            <>
              {mode === 'own' ? (
                <Input {...tie} disabled value={roles.isPending ? '…' : roles.namesOf(values.roles)} />
              ) : (
                <RoleSelect
                  id={tie.id}
                  invalid={tie.status === 'error'}
                  describedBy={tie['aria-describedby']}
                  value={values.roles}
                  onChange={(ids) => form.set('roles', ids)}
                  roles={roles}
                />
              )}
              {roles.failed ? (
                <span className={formStyles.error} role="alert">
                  {t('roles.failed')}
                  <Button size="small" onClick={() => void roles.refetch()}>
                    {t('roles.retry')}
                  </Button>
                </span>
              ) : null}
            </>
          )}
        </Field>
      </div>
    </Card>
  );
}

/** Names, ways to reach the person, description. */
export function PersonCards({
  base,
  form,
  disabled = false,
}: Pick<FieldsProps, 'base' | 'form'> & { disabled?: boolean }) {
  const { t } = useTranslation('user-form');
  const line = (field: TextName, options: { hint?: string; required?: boolean; mode?: 'tel' | 'email' } = {}) => (
    <Field
      key={field}
      id={`${base}-${field}`}
      label={t(`field.${field}`)}
      problem={form.problems[field]}
      required={options.required ?? false}
      {...(options.hint === undefined ? {} : { hint: options.hint })}
    >
      {(tie) => (
        <Input
          {...tie}
          value={form.values[field]}
          disabled={disabled}
          maxLength={most.text}
          autoComplete="off"
          spellCheck={false}
          inputMode={options.mode}
          aria-required={options.required ?? false}
          onChange={(event) => form.set(field, event.target.value)}
          onBlur={() => form.leave(field)}
        />
      )}
    </Field>
  );
  return (
    <>
      <Card title={t('section.person')}>
        <div className={formStyles.grid}>
          {line('familyName', { required: true, hint: t('hint.familyName') })}
          {line('name', { required: true, hint: t('hint.name') })}
          {line('mobile', { required: true, mode: 'tel' })}
          {line('email', { required: true, mode: 'email' })}
        </div>
      </Card>
      <Card title={t('section.description')}>
        <div className={formStyles.grid}>
          {line('discTitle', { hint: t('hint.discTitle') })}
          {line('discDetail', { hint: t('hint.discDetail') })}
        </div>
      </Card>
    </>
  );
}

function PasswordCard({ base, form }: FieldsProps) {
  const { t } = useTranslation('user-form');
  return (
    <Card title={t('section.password')}>
      <div className={formStyles.grid}>
        <Field
          id={`${base}-currentUserPwd`}
          label={t('field.currentUserPwd')}
          required
          problem={form.problems.currentUserPwd}
          hint={t('hint.currentUserPwd')}
        >
          {(tie) => (
            <Input.Password
              {...tie}
              value={form.values.currentUserPwd}
              maxLength={most.password}
              autoComplete="off"
              aria-required
              onChange={(event) => form.set('currentUserPwd', event.target.value)}
            />
          )}
        </Field>
        <Field
          id={`${base}-newPassword`}
          label={t('field.newPassword')}
          problem={form.problems.newPassword}
          hint={t('hint.newPassword')}
          beside={<RuleMark />}
        >
          {(tie) => (
            <Input.Password
              {...tie}
              value={form.values.newPassword}
              maxLength={most.password}
              autoComplete="new-password"
              onChange={(event) => form.set('newPassword', event.target.value)}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

/** The server's password rule as a tooltip: under the pointer, with the focus, at a tap. */
export function RuleMark() {
  const { t } = useTranslation('user-form');
  const [open, setOpen] = useState(false);
  const rule = useCall(getPasswordRule, {}, { staleTime: 300_000 });
  const text = rule.data ?? (rule.isError ? t('passwordRule.failed') : '…');
  return (
    <Tooltip
      title={text}
      open={open}
      onOpenChange={setOpen}
      trigger={['hover', 'focus', 'click']}
      styles={{ root: { maxWidth: 'min(420px, 90vw)' } }}
    >
      <button type="button" className={styles.mark} aria-label={t('passwordRule.label')}>
        ?
      </button>
    </Tooltip>
  );
}
