import { Button } from 'antd';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getCommandSettings } from '../../../../../contract/light/command-settings.ts';
import { useCall } from '../../../api/index.ts';
import { useUnsaved } from '../../../frame/index.ts';
import { ChooseVersions } from '../../../parts/form/index.ts';
import { Card, ErrorState, Icon, Page, PageBar, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { Paces } from './Paces.tsx';
import { LimitFields, PolicyFields } from './PolicyFields.tsx';
import {
  limitFields,
  policyFields,
  usePolicyForm,
  type FieldName,
  type PolicyForm,
  type Settings,
  type Values,
} from './use-policy-form.ts';
import styles from './command-policy.module.css';

/**
 * How the site wants commands to be given: when a reason or a second person is needed, how long answers may take, how
 * fast gateways are spoken to.
 */
export default function CommandPolicy() {
  const { t } = useTranslation('command-policy');
  const { data, error, refetch } = useCall(getCommandSettings, {}, { staleTime: 0 });
  // What was read first stays while somebody types, whatever is fetched meanwhile; a save begins anew with what is
  // stored.
  const [loaded, setLoaded] = useState<Settings>();
  if (data && !loaded) setLoaded(data);
  return (
    <Page>
      <PageBar title={t('title')} note={t('note')} />
      {loaded ? (
        <Editor key={loaded.version} loaded={loaded} onSaved={setLoaded} />
      ) : (
        <Card>
          {error ? (
            <ErrorState title={t('fetch.failed')} error={error} onRetry={refetch} />
          ) : (
            <Skeleton rows={8} height={420} />
          )}
        </Card>
      )}
      {/* With the form: its skeleton has another height, and the list would move. */}
      {loaded || error ? <Paces /> : null}
    </Page>
  );
}

function Editor({ loaded, onSaved }: { loaded: Settings; onSaved: (saved: Settings) => void }) {
  const { t } = useTranslation('command-policy');
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = usePolicyForm(loaded);
  const readOnly = inPreview();
  useUnsaved(form.changed);
  const problems = Object.keys(form.problems).length;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') {
      toast.done(t('saved'));
      return onSaved(outcome.saved);
    }
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {form.theirs ? <Conflict form={form} theirs={form.theirs} /> : null}
      <Card title={t('policy.title')}>
        <PolicyFields form={form} readOnly={readOnly} />
      </Card>
      <Card title={t('limits.title')}>
        <LimitFields form={form} readOnly={readOnly} />
      </Card>
      <div className={styles.foot}>
        {problems > 0 ? (
          <span className={styles.error} role="alert">
            <Icon name="warning" size={13} />
            {t('problems', { n: problems })}
          </span>
        ) : null}
        {form.failure && !form.theirs ? (
          <span className={styles.error} role="alert">
            <Icon name="warning" size={13} />
            {errorText(form.failure)}
          </span>
        ) : null}
        <Button disabled={!form.changed || form.busy} onClick={form.reset}>
          {t('undo')}
        </Button>
        <Button type="primary" htmlType="submit" loading={form.busy} disabled={!form.changed || form.busy || readOnly}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

/** Somebody else saved first: both versions, and the choice. */
function Conflict({ form, theirs }: { form: PolicyForm; theirs: Settings }) {
  const { t } = useTranslation('command-policy');
  const stored: Values = { ...theirs.policy, ...theirs.limits };
  const written = (value: Values[FieldName]): string =>
    value === null ? t('never') : typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value);
  const differing = [...policyFields, ...limitFields].filter((field) => form.values[field] !== stored[field]);
  return (
    <ChooseVersions<FieldName>
      texts={{
        title: t('conflict.title'),
        text: t('conflict.text'),
        same: t('conflict.same'),
        what: t('conflict.what'),
        mine: t('conflict.mine'),
        theirs: t('conflict.theirs'),
        apply: t('conflict.apply'),
      }}
      differing={differing.map((field) => ({
        field,
        label: t(`field.${field}`),
        mine: written(form.values[field]),
        theirs: written(stored[field]),
        mineByDefault: form.values[field] !== form.before[field],
      }))}
      onSettle={form.settle}
    />
  );
}
