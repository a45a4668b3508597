import { Button, Checkbox, Input } from 'antd';
import { useId, useRef, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceLimits } from '../../../../../contract/people/login-appearances.ts';
import { tied } from '../../../fields/face.ts';
import { Card, Icon, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { isGeneral, type Appearance, type AppearanceField } from './appearance.ts';
import { PictureInput } from './PictureInput.tsx';
import { Preview } from './Preview.tsx';
import { useAppearanceForm, type AppearanceForm } from './use-appearance-form.ts';
import styles from './appearance.module.css';

interface Props {
  stored: Appearance | null;
  all: readonly Appearance[];
  onDirty: (dirty: boolean) => void;
  onSaved: (saved: Appearance) => void;
  /** Back to the product's own (the general one) or delete it (a host's). */
  onRemove: (stored: Appearance) => void;
  onCancelNew: () => void;
}

/**
 * One appearance: its fields, and beside them what they make of the browser's tab and the sign-in page while one types.
 */
export function AppearanceEditor({ stored, all, onDirty, onSaved, onRemove, onCancelNew }: Props) {
  const { t } = useTranslation('appearance');
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = useAppearanceForm(stored, all, onDirty);
  const readOnly = inPreview();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const saved = await form.submit();
    if (saved) {
      toast.done(t(stored ? 'saved' : 'created'));
      return onSaved(saved);
    }
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const problems = Object.keys(form.errors).length;
  return (
    <>
      <Card title={stored === null ? t('new.title') : isGeneral(stored) ? t('general') : stored.host}>
        <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          {form.conflict ? <Conflict form={form} /> : null}
          <Fields form={form} all={all} stored={stored} readOnly={readOnly} />
          {form.failure ? (
            <p className={styles.failure} role="alert">
              <Icon name="warning" size={14} />
              <span>
                {t('failed')} · {errorText(form.failure)}
              </span>
            </p>
          ) : null}
          <div className={styles.foot}>
            {stored === null ? null : (
              <Button
                className={styles.remove ?? ''}
                danger={!form.general}
                disabled={readOnly}
                onClick={() => onRemove(stored)}
              >
                {t(form.general ? 'reset' : 'delete')}
              </Button>
            )}
            {problems > 0 ? (
              <span className={styles.error} role="alert">
                <Icon name="warning" size={13} />
                {t('problems', { n: problems })}
              </span>
            ) : null}
            {stored === null ? (
              <Button onClick={onCancelNew}>{t('cancel')}</Button>
            ) : (
              <Button disabled={!form.dirty || form.saving} onClick={form.undo}>
                {t('undo')}
              </Button>
            )}
            <Button
              type="primary"
              htmlType="submit"
              loading={form.saving}
              disabled={form.saving || readOnly || form.conflict !== undefined || (stored !== null && !form.dirty)}
            >
              {t('save')}
            </Button>
          </div>
        </form>
      </Card>
      <Card title={t('preview')}>
        <Preview values={form.values} />
      </Card>
    </>
  );
}

function Fields({
  form,
  all,
  stored,
  readOnly,
}: {
  form: AppearanceForm;
  all: readonly Appearance[];
  stored: Appearance | null;
  readOnly: boolean;
}) {
  const { t } = useTranslation('appearance');
  const base = useId();
  const { values } = form;
  const company = all.find((one) => one.company && one.id !== stored?.id);
  const field = (
    key: AppearanceField,
    control: (tie: ReturnType<typeof tied>) => ReactNode,
    required: boolean,
    hint: string,
  ) => {
    const error = form.errors[key];
    const id = `${base}-${key}`;
    return (
      <div className={styles.field}>
        <label htmlFor={id}>
          {t(`field.${key}`)}
          {required ? (
            <span className={styles.required} title={t('required')} aria-hidden>
              *
            </span>
          ) : null}
        </label>
        {control(tied(id, error !== undefined, `${id}-below`))}
        <span id={`${id}-below`} className={error ? styles.error : styles.hint}>
          {error ? (
            <>
              <Icon name="warning" size={12} />
              {'rule' in error ? t(error.rule, { limit: appearanceLimits.name }) : error.message}
            </>
          ) : (
            hint
          )}
        </span>
      </div>
    );
  };
  const text = (key: 'host' | 'name' | 'title', placeholder?: string) => (tie: ReturnType<typeof tied>) => (
    <Input
      {...tie}
      value={values[key]}
      disabled={readOnly}
      autoComplete="off"
      spellCheck={false}
      aria-required
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => form.set(key, event.target.value)}
    />
  );
  const picture = (key: 'logo' | 'icon') => (tie: ReturnType<typeof tied>) => (
    <PictureInput
      id={tie.id}
      field={key}
      value={values[key]}
      longestSide={appearanceLimits[`${key}Side`]}
      disabled={readOnly}
      invalid={tie.status === 'error'}
      describedBy={tie['aria-describedby']}
      onChange={(address) => form.set(key, address)}
    />
  );
  return (
    <>
      {form.general ? null : field('host', text('host', 'lamps.example.com'), true, t('field.host.hint'))}
      {field('name', text('name'), true, t('field.name.hint'))}
      {field('title', text('title'), true, t('field.title.hint'))}
      {field('logo', picture('logo'), false, t('field.logo.hint'))}
      {field('icon', picture('icon'), false, t('field.icon.hint'))}
      <div className={styles.field}>
        <Checkbox
          checked={values.company}
          disabled={readOnly}
          aria-describedby={`${base}-company-below`}
          onChange={(event) => form.set('company', event.target.checked)}
        >
          {t('field.company')}
        </Checkbox>
        <span id={`${base}-company-below`} className={styles.hint}>
          {company && values.company
            ? t('field.company.moves', { host: company.host ?? t('general') })
            : t('field.company.hint')}
        </span>
      </div>
    </>
  );
}

/** Another operator saved first: which fields differ, and the choice. */
function Conflict({ form }: { form: AppearanceForm }) {
  const { t } = useTranslation('appearance');
  if (!form.conflict) return null;
  const { theirs, fields } = form.conflict;
  if (theirs === null)
    return (
      <div className={styles.conflict} role="alert">
        <b>{t('conflict.gone')}</b>
      </div>
    );
  const shown = (field: AppearanceField): string =>
    field === 'logo' || field === 'icon'
      ? t(theirs[field] === null ? 'picture.own' : 'conflict.picture')
      : field === 'company'
        ? t(theirs.company ? 'conflict.yes' : 'conflict.no')
        : (theirs[field] ?? '—');
  return (
    <div className={styles.conflict} role="alert">
      <b>{t('conflict.title')}</b>
      {fields.length === 0 ? (
        <p>{t('conflict.same')}</p>
      ) : (
        <ul>
          {fields.map((field) => (
            <li key={field}>{t('conflict.stored', { field: t(`field.${field}`), value: shown(field) })}</li>
          ))}
        </ul>
      )}
      <span className={styles.buttons}>
        <Button size="small" onClick={() => form.settle('theirs')}>
          {t('conflict.take')}
        </Button>
        {fields.length === 0 ? null : (
          <Button size="small" onClick={() => form.settle('mine')}>
            {t('conflict.keep')}
          </Button>
        )}
      </span>
    </div>
  );
}
