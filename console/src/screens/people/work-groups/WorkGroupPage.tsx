import { Button, Input, Select } from 'antd';
import { useEffect, useId, useRef, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { ask } from '../../../frame/ask.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { useCall, type ApiError } from '../../../api/index.ts';
import {
  ChooseVersions,
  Field,
  FormFoot,
  formStyles,
  GoneVersion,
  showFirstProblem,
  type Problem,
} from '../../../parts/form/index.ts';
import { Card, Icon, Page, PageBar, toast, useErrorText } from '../../../parts/index.ts';
import { PeopleSelect, usePeople, withMobile } from '../../../parts/people/index.ts';
import { dismissToast } from '../../../frame/toast-store.ts';
import { inPreview } from '../../../session/index.ts';
import { useWorkGroupForm, type WorkGroupForm } from './use-work-group-form.ts';
import { differing, valuesOf, type Group, type Rule, type Values } from './values.ts';

/** The projects to choose from; a list that cannot be had says the server's msg as a warning (specified 6.7). */
function useProjects() {
  const areas = useCall(getWorkAreaOptions, {}, { staleTime: 60_000 });
  const problem = areas.error?.problem;
  const warning = areas.data
    ? areas.data.success
      ? undefined
      : areas.data.msg
    : problem && (problem.msg ?? problem.message);
  useEffect(() => {
    if (warning) toast.warning(warning);
  }, [warning, areas.errorUpdatedAt]);
  return {
    options: areas.data?.data ?? [],
    isPending: areas.isPending,
    failed: areas.isError || areas.data?.success === false,
    refetch: areas.refetch,
  };
}
type Projects = ReturnType<typeof useProjects>;

/** What the server calls the failure (specified 6.7: errors show the response title). */
const titleOf = (failure: ApiError): string | undefined => failure.problem?.title;

/** A work group (specified 6.2): empty for a new one, `loaded` for one that exists. `onLeave` shows the list again. */
export function WorkGroupPage({
  title,
  loaded,
  onLeave,
}: {
  title: string;
  loaded: Group | null;
  onLeave: () => void;
}) {
  const { t } = useTranslation('work-groups');
  const element = useRef<HTMLFormElement>(null);
  const form = useWorkGroupForm(loaded);
  const projects = useProjects();
  const errorText = useErrorText();
  const told = useRef<number>(undefined);
  const readOnly = inPreview();
  const count = Object.keys(form.problems).length;
  useUnsaved(form.changed && !form.busy);
  const forgetTold = (): void => {
    if (told.current !== undefined) dismissToast(told.current);
    told.current = undefined;
  };
  const back = (): void => {
    if (!form.changed) return onLeave();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (agreed) onLeave();
    });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    forgetTold();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') {
      toast.done(t(loaded === null ? 'done.created' : 'done.updated'));
      return onLeave();
    }
    const said = outcome.failure && titleOf(outcome.failure);
    if (said) told.current = toast.failed(said);
    showFirstProblem(element.current);
  };
  return (
    <Page>
      <PageBar title={title} />
      <form
        ref={element}
        className={formStyles.form}
        onSubmit={(event) => void submit(event)}
        onInput={forgetTold}
        noValidate
        aria-busy={form.busy}
      >
        {readOnly ? (
          <p className={formStyles.notice} role="status">
            <Icon name="lock" size={14} />
            {t('preview')}
          </p>
        ) : null}
        {form.theirs === undefined ? null : <Versions form={form} theirs={form.theirs} projects={projects} />}
        <Card>
          <Fields form={form} projects={projects} disabled={readOnly} />
        </Card>
        <FormFoot
          labels={{ submit: t('submit'), reset: t('reset'), back: t('back') }}
          busy={form.busy}
          blocked={readOnly || form.theirs !== undefined}
          doing={t('loading')}
          failures={[
            form.failure === null ? undefined : (count > 0 && titleOf(form.failure)) || errorText(form.failure),
            count > 0 ? t('problems', { n: count }) : undefined,
          ]}
          onReset={form.reset}
          onBack={back}
        />
      </form>
    </Page>
  );
}

function Fields({ form, projects, disabled }: { form: WorkGroupForm; projects: Projects; disabled: boolean }) {
  const { t } = useTranslation('work-groups');
  const { t: parts } = useTranslation('parts');
  const base = useId();
  const { values, problems, set } = form;
  const wordsOf = (problem: Problem<Rule> | undefined): string | undefined => {
    if (problem === undefined || 'message' in problem) return problem?.message;
    return problem.rule === 'length' ? t('rule.length', { min: problem.min, max: problem.max }) : t('rule.required');
  };
  const line = (field: 'groupName' | 'description', hint: string) => (
    <Field id={`${base}-${field}`} label={t(`field.${field}`)} required problem={wordsOf(problems[field])} hint={hint}>
      {(tie) => (
        <Input
          {...tie}
          value={values[field]}
          disabled={disabled}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          aria-required
          onChange={(event) => set(field, event.target.value)}
        />
      )}
    </Field>
  );
  return (
    <div className={formStyles.grid}>
      {line('groupName', t('rule.length', { min: 3, max: 10 }))}
      {line('description', t('rule.length', { min: 3, max: 18 }))}
      <Field
        id={`${base}-members`}
        label={t('field.userDetail')}
        required
        wide
        problem={wordsOf(problems.userDetail)}
        hint={parts('people.hint')}
      >
        {(tie) => (
          <PeopleSelect
            tie={tie}
            value={values.userDetail}
            disabled={disabled}
            required
            labelOf={withMobile}
            onChange={(ids) => set('userDetail', ids)}
          />
        )}
      </Field>
      <Field id={`${base}-project`} label={t('field.workId')} required wide problem={wordsOf(problems.workId)}>
        {(tie) => (
          <>
            <Select<number>
              {...tie}
              style={{ width: '100%' }}
              placeholder={t('project.choose')}
              disabled={disabled}
              loading={projects.isPending}
              aria-required
              showSearch={{ optionFilterProp: 'label' }}
              notFoundContent={t('project.none')}
              value={projects.isPending ? null : values.workId}
              options={projects.options}
              onChange={(id) => set('workId', id)}
            />
            {projects.failed ? (
              <span className={formStyles.error} role="alert">
                {t('project.failed')}
                <Button size="small" onClick={() => void projects.refetch()}>
                  {t('project.retry')}
                </Button>
              </span>
            ) : null}
          </>
        )}
      </Field>
    </div>
  );
}

function Versions({ form, theirs, projects }: { form: WorkGroupForm; theirs: Group | null; projects: Projects }) {
  const { t } = useTranslation('work-groups');
  const people = usePeople([...form.values.userDetail, ...(theirs?.users ?? [])], false, withMobile);
  if (theirs === null) return <GoneVersion text={t('versions.gone')} />;
  const now = valuesOf(theirs);
  const touched = differing(form.values, form.before);
  const shown = {
    groupName: (values: Values) => values.groupName,
    description: (values: Values) => values.description,
    userDetail: (values: Values) => values.userDetail.map(people.nameOf).join(t('separator')),
    workId: (values: Values) => projects.options.find(({ value }) => value === values.workId)?.label ?? theirs.workName,
  };
  const texts = {
    title: t('versions.title'),
    text: t('versions.text'),
    same: t('versions.same'),
    what: t('versions.what'),
    mine: t('versions.mine'),
    theirs: t('versions.theirs'),
    apply: t('versions.apply'),
  };
  return (
    <ChooseVersions
      texts={texts}
      onSettle={form.settle}
      differing={differing(form.values, now).map((field) => ({
        field,
        label: t(`field.${field}`),
        mine: shown[field](form.values) || '—',
        theirs: shown[field](now) || '—',
        mineByDefault: touched.includes(field),
      }))}
    />
  );
}
