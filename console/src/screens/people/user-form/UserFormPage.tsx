import { useId, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errors } from '../../../../../contract/errors.ts';
import { ask } from '../../../frame/ask.ts';
import { useTab, useUnsaved } from '../../../frame/index.ts';
import { FormFoot, formStyles, showFirstProblem } from '../../../parts/form/index.ts';
import { Icon, Page, PageBar, toast, useErrorText } from '../../../parts/index.ts';
import { dismissToast } from '../../../frame/toast-store.ts';
import { useOperator, type Operator } from '../../../parts/people/users/actions.ts';
import { PasswordDialog, type GivenPassword } from '../../../parts/people/users/PasswordDialog.tsx';
import { useRoles } from '../../../parts/people/users/RoleSelect.tsx';
import { Fields } from '../../../parts/people/user-form/Fields.tsx';
import { useUserForm, type UserForm } from '../../../parts/people/user-form/use-user-form.ts';
import type { Detail, Mode } from '../../../parts/people/user-form/values.ts';
import { Versions } from './Versions.tsx';

/** Why this operator cannot save this account, whatever is typed; the server refuses the same. */
function obstacleOf(operator: Operator, loaded: Detail | null, mode: Mode): 'edit.preview' | 'edit.rank' | undefined {
  if (operator.readOnly) return 'edit.preview';
  const higher =
    mode === 'edit' &&
    loaded !== null &&
    operator.level !== undefined &&
    operator.level !== 0 &&
    loaded.treeLevel <= operator.level;
  return higher ? 'edit.rank' : undefined;
}

/** The full screen of an account (specified 3.3): empty for a new one, `loaded` for one that exists. */
export function UserFormPage({ title, loaded, mode }: { title: string; loaded: Detail | null; mode: Mode }) {
  const { t } = useTranslation('user-form');
  const tab = useTab();
  const element = useRef<HTMLFormElement>(null);
  const base = useId();
  const operator = useOperator();
  const roles = useRoles();
  const form = useUserForm(loaded, mode);
  const [given, setGiven] = useState<GivenPassword | null>(null);
  const obstacle = obstacleOf(operator, loaded, mode);
  useUnsaved(form.changed && given === null);
  // The inline flag stays; the toast has said it once the operator does something about it.
  const told = useRef<number>(undefined);
  const forgetTold = (): void => {
    if (told.current !== undefined) dismissToast(told.current);
    told.current = undefined;
  };
  const toList = (): void => tab.close('user-management');
  const back = (): void => {
    if (!form.changed) return toList();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) toList();
    });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    forgetTold();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') {
      toast.done(t(mode === 'create' ? 'done.created' : 'done.updated'));
      return outcome.once === undefined
        ? toList()
        : setGiven({ username: form.values.username.trim(), password: outcome.once });
    }
    if (outcome.kind === 'wrongPassword') told.current = toast.failed(t('failed.password'));
    showFirstProblem(element.current);
  };
  return (
    <Page>
      <PageBar title={title} {...(mode === 'own' ? { note: t('edit.own') } : {})} />
      <form
        ref={element}
        className={formStyles.form}
        onSubmit={(event) => void submit(event)}
        onInput={forgetTold}
        noValidate
        aria-busy={form.busy}
      >
        {obstacle === undefined ? null : (
          <p className={formStyles.notice} role="status">
            <Icon name="lock" size={14} />
            {t(obstacle)}
          </p>
        )}
        {form.theirs === undefined ? null : (
          <Versions
            mine={form.values}
            before={form.before}
            theirs={form.theirs}
            roleNames={roles.namesOf}
            onSettle={form.settle}
          />
        )}
        <Fields {...{ base, form, loaded, operator, roles }} />
        <Foot form={form} blocked={obstacle !== undefined} onBack={back} />
      </form>
      <PasswordDialog given={given} onClose={toList} />
    </Page>
  );
}

/** What is wrong, what runs, and the three buttons. */
function Foot({ form, blocked, onBack }: { form: UserForm; blocked: boolean; onBack: () => void }) {
  const { t } = useTranslation('user-form');
  const errorText = useErrorText();
  const { mode, busy, failure } = form;
  const count = Object.keys(form.problems).length;
  const failed =
    failure === null
      ? undefined
      : `${t(mode === 'create' ? 'failed.created' : 'failed.updated')}${count > 0 && failure.code === errors.invalidInput.code ? '' : ` · ${errorText(failure)}`}`;
  return (
    <FormFoot
      labels={{ submit: t('submit'), reset: t('reset'), back: t('back') }}
      busy={busy}
      blocked={blocked || form.theirs !== undefined}
      doing={t(mode === 'create' ? 'progress.creating' : 'progress.updating')}
      failures={[failed, count > 0 ? t('problems', { n: count }) : undefined]}
      onReset={form.reset}
      onBack={onBack}
    />
  );
}
