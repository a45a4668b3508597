import { Input, Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { organisationLimits } from '../../../../../contract/specified/organisations.ts';
import { listWorkGroupOptions } from '../../../../../contract/specified/work-groups.ts';
import { useCall } from '../../../api/index.ts';
import type { tied } from '../../../fields/face.ts';
import { Field, useLeaveByTab, type Problem } from '../../../parts/form/index.ts';
import { ErrorState } from '../../../parts/index.ts';
import { PeopleSelect, withUsername } from '../../../parts/people/index.ts';
import type { Rule } from './organisation.ts';
import type { OrganisationForm } from './use-organisation-form.ts';
import styles from './organisations.module.css';

/** Name, description, work groups and people (specified 7.2). */
export function OrganisationFields({ form, disabled }: { form: OrganisationForm; disabled: boolean }) {
  const { t } = useTranslation('organisations');
  const { t: parts } = useTranslation('parts');
  const base = useId();
  const { values, problems, set } = form;
  const wordsOf = (problem: Problem<Rule> | undefined, field: 'orgName' | 'description'): string | undefined => {
    if (problem === undefined || 'message' in problem) return problem?.message;
    return problem.rule === 'length'
      ? t(`rule.${field}.length`, { min: problem.min, max: problem.max })
      : t('rule.orgName.required');
  };
  const messageOf = (problem: Problem<Rule> | undefined): string | undefined =>
    problem && 'message' in problem ? problem.message : undefined;
  const line = (field: 'orgName' | 'description', required: boolean) => (
    <Field
      id={`${base}-${field}`}
      label={t(`field.${field}`)}
      required={required}
      problem={wordsOf(problems[field], field)}
      hint={t('rule.length', organisationLimits[field])}
    >
      {(tie) => (
        <Input
          {...tie}
          value={values[field]}
          disabled={disabled}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          aria-required={required}
          onChange={(event) => set(field, event.target.value)}
        />
      )}
    </Field>
  );
  return (
    <div className={styles.fields}>
      {line('orgName', true)}
      {line('description', false)}
      <Field id={`${base}-groups`} label={t('field.groups')} problem={messageOf(problems.groups)}>
        {(tie) => (
          <GroupsSelect tie={tie} value={values.groups} disabled={disabled} onChange={(ids) => set('groups', ids)} />
        )}
      </Field>
      <Field
        id={`${base}-people`}
        label={t('field.people')}
        problem={messageOf(problems.people)}
        hint={parts('people.hint')}
      >
        {(tie) => (
          <PeopleSelect
            tie={tie}
            value={values.people}
            disabled={disabled}
            labelOf={withUsername}
            onChange={(ids) => set('people', ids)}
          />
        )}
      </Field>
    </div>
  );
}

/** The names of all work groups that the caller sees. */
export const useGroups = () => useCall(listWorkGroupOptions, {}, { staleTime: 60_000 });

function GroupsSelect({
  tie,
  value,
  disabled,
  onChange,
}: {
  tie: ReturnType<typeof tied>;
  value: readonly number[];
  disabled: boolean;
  onChange: (ids: number[]) => void;
}) {
  const { t } = useTranslation('organisations');
  const { list, around } = useLeaveByTab();
  const groups = useGroups();
  const nothing =
    groups.isError && !groups.data ? (
      <ErrorState title={t('fetch.failed')} error={groups.error} onRetry={groups.refetch} />
    ) : groups.isPending ? (
      t('groups.loading')
    ) : (
      t('groups.none')
    );
  const options = (groups.data?.data ?? []).map(({ id, groupName }) => ({ value: id, label: groupName }));
  return (
    <div {...around}>
      <Select<number[]>
        {...tie}
        {...list}
        mode="multiple"
        style={{ width: '100%' }}
        placeholder={t('groups.choose')}
        disabled={disabled}
        loading={groups.isPending}
        notFoundContent={nothing}
        showSearch={{ optionFilterProp: 'label', autoClearSearchValue: false }}
        value={[...value]}
        onChange={onChange}
        options={options}
        labelRender={({ label, value: id }) => label ?? `#${id}`}
      />
    </div>
  );
}
