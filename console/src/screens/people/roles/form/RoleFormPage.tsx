import { Input, Select } from 'antd';
import { useId, useRef, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errors } from '../../../../../../contract/errors.ts';
import { roleLimits, type RoleDetail } from '../../../../../../contract/specified/roles.ts';
import { ask } from '../../../../frame/ask.ts';
import { useTab, useUnsaved } from '../../../../frame/index.ts';
import { grantedIds } from '../../../../parts/check-tree/index.ts';
import { Field, FormFoot, formStyles, showFirstProblem, useLeaveByTab } from '../../../../parts/form/index.ts';
import { IconPicker } from '../../../../parts/icons/IconPicker.tsx';
import {
  Card,
  ErrorState,
  Icon,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  toast,
  useErrorText,
} from '../../../../parts/index.ts';
import { inPreview } from '../../../../session/index.ts';
import { MenuTree } from './MenuTree.tsx';
import { useMenus } from './use-menus.ts';
import { useParents } from './use-parents.ts';
import { fields, newRole, useRoleForm, type Problem, type RoleForm } from './use-role-form.ts';
import { Versions, type Chosen } from './Versions.tsx';

/** The role form (specified 4.2): empty for a new role, `loaded` for one that exists. */
export function RoleFormPage({ title, loaded }: { title: string; loaded: RoleDetail | null }) {
  const { t } = useTranslation('roles');
  const tab = useTab();
  const form = useRoleForm(loaded);
  const menus = useMenus(form.stored, form.values.parentId);
  const element = useRef<HTMLFormElement>(null);
  const changed = menus.changed || fields.some((field) => form.values[field] !== form.before[field]);
  const obstacle = inPreview() ? 'reason.preview' : loaded && !loaded.manageable ? 'reason.rank' : undefined;
  const menuProblem = useProblemText()(form.problems.menus);
  useUnsaved(changed && !form.busy);
  const toList = (): void => tab.close('role-management');
  const back = (): void => {
    if (!changed) return toList();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) toList();
    });
  };
  const settle = (keepMine: readonly Chosen[]): void => {
    if (form.theirs) menus.settle(form.theirs.menus, keepMine.includes('menus'));
    form.settle(keepMine.filter((field) => field !== 'menus'));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit(grantedIds(menus.nodes, menus.leaves ?? new Set()));
    if (outcome.kind === 'saved') {
      toast.done(outcome.message || t('saved'));
      return toList();
    }
    if (outcome.kind === 'taken') toast.failed(outcome.message);
    showFirstProblem(element.current);
  };
  return (
    <Page>
      <PageBar title={title} note={loaded ? t('card.creator', { name: loaded.creatorName }) : undefined} />
      <form
        ref={element}
        className={formStyles.form}
        onSubmit={(event) => void submit(event)}
        noValidate
        aria-busy={form.busy}
      >
        {obstacle ? (
          <p className={formStyles.notice} role="status">
            <Icon name="lock" size={14} />
            {t(obstacle)}
          </p>
        ) : null}
        {form.theirs === undefined ? null : (
          <Versions
            mine={form.values}
            before={form.before}
            menus={{ ...menus, leaves: menus.leaves ?? new Set() }}
            theirs={form.theirs}
            onSettle={settle}
          />
        )}
        <Card title={t('form.role')}>
          <Fields form={form} disabled={obstacle !== undefined} />
        </Card>
        <Card title={t('form.menus')}>
          {menuProblem === undefined ? null : (
            <p className={formStyles.error} role="alert">
              <Icon name="warning" size={12} />
              {menuProblem}
            </p>
          )}
          <RefreshBar active={menus.moving} />
          {menus.leaves !== undefined && (menus.ready || menus.moving) ? (
            <MenuTree
              nodes={menus.nodes}
              leaves={menus.leaves}
              onChange={menus.setLeaves}
              disabled={obstacle !== undefined || menus.moving}
              label={t('form.menus')}
            />
          ) : menus.error ? (
            <ErrorState title={t('failed')} error={menus.error} onRetry={menus.retry} />
          ) : (
            <Skeleton rows={8} height={320} />
          )}
        </Card>
        <Foot
          form={form}
          blocked={obstacle !== undefined || !menus.ready}
          onReset={() => {
            form.reset();
            menus.reset();
          }}
          onBack={back}
        />
      </form>
    </Page>
  );
}

function useProblemText(): (problem: Problem | undefined) => string | undefined {
  const { t } = useTranslation('roles');
  return (problem) =>
    problem === undefined
      ? undefined
      : 'message' in problem
        ? problem.message
        : problem.rule === 'maxLength'
          ? t('rule.maxLength', { max: problem.max })
          : t('rule.required');
}

function Fields({ form, disabled }: { form: RoleForm; disabled: boolean }) {
  const { t } = useTranslation('roles');
  const base = useId();
  const { values, problems, set } = form;
  const textOf = useProblemText();
  const leave = useLeaveByTab();
  const parents = useParents(form.stored?.id);
  const options = [{ value: 0, label: t('parent.none') }, ...parents.options];
  return (
    <div className={formStyles.grid}>
      <Field id={`${base}-name`} label={t('field.name')} required problem={textOf(problems.name)}>
        {(tie) => (
          <Input
            {...tie}
            value={values.name}
            disabled={disabled}
            aria-required
            maxLength={roleLimits.name.max * 2}
            onChange={(event) => set('name', event.target.value)}
          />
        )}
      </Field>
      <Field id={`${base}-extent`} label={t('field.extent')} required problem={textOf(problems.roleExtent)}>
        {(tie) => (
          <Input
            {...tie}
            value={values.roleExtent}
            disabled={disabled}
            aria-required
            maxLength={roleLimits.roleExtent.max * 2}
            placeholder={t('field.extentHint')}
            onChange={(event) => set('roleExtent', event.target.value)}
          />
        )}
      </Field>
      <Field id={`${base}-icon`} label={t('field.icon')} required problem={textOf(problems.icon)}>
        {(tie) => (
          <IconPicker
            id={tie.id}
            value={values.icon === newRole.icon ? 'key' : values.icon}
            disabled={disabled}
            labelledBy={`${base}-icon-label`}
            invalid={problems.icon !== undefined}
            describedBy={tie['aria-describedby']}
            onChange={(icon) => set('icon', icon)}
          />
        )}
      </Field>
      <Field id={`${base}-parent`} label={t('field.parent')} problem={textOf(problems.parentId)}>
        {(tie) => (
          <div {...leave.around}>
            <Select<number>
              {...tie}
              {...leave.list}
              value={options.some(({ value }) => value === values.parentId) ? values.parentId : null}
              disabled={disabled}
              loading={parents.pending}
              showSearch={{ optionFilterProp: 'label' }}
              style={{ width: '100%' }}
              options={options}
              onChange={(parent) => set('parentId', parent)}
            />
          </div>
        )}
      </Field>
    </div>
  );
}

/** What is wrong, what runs, and the three buttons. */
function Foot({
  form,
  blocked,
  onReset,
  onBack,
}: {
  form: RoleForm;
  blocked: boolean;
  onReset: () => void;
  onBack: () => void;
}) {
  const { t } = useTranslation('roles');
  const errorText = useErrorText();
  const count = Object.keys(form.problems).length;
  const failed =
    form.failure === null
      ? undefined
      : `${t('saveFailed')}${count > 0 && form.failure.code === errors.invalidInput.code ? '' : ` · ${errorText(form.failure)}`}`;
  return (
    <FormFoot
      labels={{ submit: t('submit'), reset: t('reset'), back: t('back') }}
      busy={form.busy}
      blocked={blocked || form.theirs !== undefined}
      doing={t('saving')}
      failures={[failed, count > 0 ? t('problems', { n: count }) : undefined]}
      onReset={onReset}
      onBack={onBack}
    />
  );
}
