import { Button, Input, Select } from 'antd';
import { useId, useRef, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { roleLimits, type RoleDetail } from '../../../../contract/specified/roles.ts';
import { ask } from '../../app/ask.ts';
import { useTab, useUnsaved } from '../../app/index.ts';
import { tied } from '../../fields/face.ts';
import { grantedIds } from '../../parts/check-tree/index.ts';
import { IconPicker } from '../../parts/icon/IconPicker.tsx';
import { Card, ErrorState, Icon, Page, PageBar, RefreshBar, Skeleton, toast, useErrorText } from '../../parts/index.ts';
import { inPreview } from '../../session/index.ts';
import { MenuTree } from './MenuTree.tsx';
import { useMenus } from './use-menus.ts';
import { useParents } from './use-parents.ts';
import { fields, newRole, useRoleForm, valuesOf, type Problem, type RoleForm } from './use-role-form.ts';
import { Versions } from './Versions.tsx';
import styles from './role-form.module.css';

/** The role form (S1 sections 2 to 5 and 8): empty for a new role, `loaded` for one that exists. */
export function RoleFormPage({ title, loaded }: { title: string; loaded: RoleDetail | null }) {
  const { t } = useTranslation('roles');
  const tab = useTab();
  const form = useRoleForm(loaded);
  const menus = useMenus(form.stored, form.values.parentId);
  const element = useRef<HTMLFormElement>(null);
  const before = form.stored ? valuesOf(form.stored) : newRole;
  const changed = menus.changed || fields.some((field) => form.values[field] !== before[field]);
  const obstacle = inPreview() ? 'reason.preview' : loaded && !loaded.manageable ? 'reason.rank' : undefined;
  useUnsaved(changed && !form.busy);
  const toList = (): void => tab.close('role-management');
  const back = (): void => {
    if (!changed) return toList();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => { if (agreed) toList(); });
  };
  const settle = (whose: 'mine' | 'theirs'): void => {
    if (form.theirs) menus.settle(form.theirs.menus, whose);
    form.settle(whose);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit(grantedIds(menus.nodes, menus.leaves ?? new Set()));
    if (outcome.kind === 'saved') {
      toast.done(outcome.message || t('saved'));
      return toList();
    }
    if (outcome.kind === 'taken') toast.failed(outcome.message);
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <Page>
      <PageBar title={title} note={loaded ? t('card.creator', { name: loaded.creatorName }) : undefined} />
      <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate aria-busy={form.busy}>
        {obstacle ? <p className={styles.notice} role="status"><Icon name="lock" size={14} />{t(obstacle)}</p> : null}
        {form.theirs === undefined ? null : <Versions mine={form.values} nodes={menus.nodes} leaves={menus.leaves ?? new Set()} theirs={form.theirs} onSettle={settle} onGone={toList} />}
        <Card title={t('form.role')}><Fields form={form} disabled={obstacle !== undefined} /></Card>
        <Card title={t('form.menus')}>
          {form.problems.menus ? <ProblemText problem={form.problems.menus} /> : null}
          <RefreshBar active={menus.moving} />
          {menus.leaves !== undefined && (menus.ready || menus.moving) ? <MenuTree nodes={menus.nodes} leaves={menus.leaves} onChange={menus.setLeaves} disabled={obstacle !== undefined || menus.moving} label={t('form.menus')} />
            : menus.error ? <ErrorState title={t('failed')} error={menus.error} onRetry={menus.retry} /> : <Skeleton rows={8} height={320} />}
        </Card>
        <Foot form={form} blocked={obstacle !== undefined || !menus.ready} onReset={() => { form.reset(); menus.reset(); }} onBack={back} />
      </form>
    </Page>
  );
}

function ProblemText({ problem, id }: { problem: Problem; id?: string }) {
  const { t } = useTranslation('roles');
  const text = 'message' in problem ? problem.message : problem.rule === 'maxLength' ? t('rule.maxLength', { max: problem.max }) : t('rule.required');
  return <span id={id} className={styles.error}><Icon name="warning" size={12} />{text}</span>;
}

function Field({ id, label, required, problem, children }: { id: string; label: string; required?: boolean; problem: Problem | undefined; children: (tie: ReturnType<typeof tied>) => ReactNode }) {
  return (
    <div className={styles.field}>
      <label id={`${id}-label`} htmlFor={id}>{label}{required ? <span className={styles.required} aria-hidden>*</span> : null}</label>
      {children(tied(id, problem !== undefined, problem ? `${id}-below` : undefined))}
      {problem ? <ProblemText id={`${id}-below`} problem={problem} /> : null}
    </div>
  );
}

function Fields({ form, disabled }: { form: RoleForm; disabled: boolean }) {
  const { t } = useTranslation('roles');
  const base = useId();
  const { values, problems, set } = form;
  const parents = useParents(form.stored?.id);
  const options = [{ value: 0, label: t('parent.none') }, ...parents.options];
  return (
    <div className={styles.grid}>
      <Field id={`${base}-name`} label={t('field.name')} required problem={problems.name}>
        {(tie) => <Input {...tie} value={values.name} disabled={disabled} aria-required maxLength={roleLimits.name.max * 2} onChange={(event) => set('name', event.target.value)} />}
      </Field>
      <Field id={`${base}-extent`} label={t('field.extent')} required problem={problems.roleExtent}>
        {(tie) => <Input {...tie} value={values.roleExtent} disabled={disabled} aria-required maxLength={roleLimits.roleExtent.max * 2} placeholder={t('field.extentHint')} onChange={(event) => set('roleExtent', event.target.value)} />}
      </Field>
      <Field id={`${base}-icon`} label={t('field.icon')} required problem={problems.icon}>
        {(tie) => <IconPicker id={tie.id} value={values.icon === newRole.icon ? 'key' : values.icon} disabled={disabled} labelledBy={`${base}-icon-label`} invalid={problems.icon !== undefined} describedBy={tie['aria-describedby']} onChange={(icon) => set('icon', icon)} />}
      </Field>
      <Field id={`${base}-parent`} label={t('field.parent')} problem={problems.parentId}>
        {(tie) => (
          <Select<number>
            {...tie} value={options.some(({ value }) => value === values.parentId) ? values.parentId : null} disabled={disabled} loading={parents.pending} showSearch={{ optionFilterProp: 'label' }} style={{ width: '100%' }}
            options={options} onChange={(parent) => set('parentId', parent)}
          />
        )}
      </Field>
    </div>
  );
}

/** Stays in sight: what is wrong, what runs, and the three buttons. */
function Foot({ form, blocked, onReset, onBack }: { form: RoleForm; blocked: boolean; onReset: () => void; onBack: () => void }) {
  const { t } = useTranslation('roles');
  const errorText = useErrorText();
  const count = Object.keys(form.problems).length;
  return (
    <div className={styles.foot}>
      <Button type="primary" htmlType="submit" loading={form.busy} disabled={form.busy || blocked || form.theirs !== undefined}>{t('submit')}</Button>
      <Button onClick={onReset} disabled={form.busy}>{t('reset')}</Button>
      <Button type="text" onClick={onBack}>{t('back')}</Button>
      <div className={styles.says}>
        {form.failure === null ? null : <span className={styles.error} role="alert"><Icon name="warning" size={13} />{t('saveFailed')} · {errorText(form.failure)}</span>}
        {form.failure === null && count > 0 ? <span className={styles.error} role="alert"><Icon name="warning" size={13} />{t('problems', { n: count })}</span> : null}
      </div>
    </div>
  );
}
