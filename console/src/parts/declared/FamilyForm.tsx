import { Button } from 'antd';
import { useId, useMemo, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isDeclared } from '../../../../catalogue/families/index.ts';
import type { Field, FieldValue } from '../../../../catalogue/fields/index.ts';
import type { Values } from '../../../../catalogue/family.ts';
import { validate } from '../../../../catalogue/validate.ts';
import { ApiError, wantsCount } from '../../api/index.ts';
import { FieldCell, FieldInput } from '../../fields/index.tsx';
import { inPreview, storedWorkId } from '../../session/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { ChangeAffects } from './ChangeAffects.tsx';
import type { Row, Source } from './source.ts';
import { useSave } from './use-source.ts';
import styles from './FamilyForm.module.css';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';

interface Props {
  source: Source;
  /** The row to change; null: a new one. */
  row: Row | null;
  /** Asks for the newest version after somebody else changed it. */
  reload: () => Promise<Row | undefined>;
  onSaved: (row: Row) => void;
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
  /** What a new row starts with, and what its references are called. */
  initial?: { readonly values: Values; readonly labels: Readonly<Record<string, string>> };
  /** How a new row is written, where it is more than creating it. Throws ApiError. */
  create?: (body: Readonly<Record<string, FieldValue>>) => Promise<Row>;
  submitText?: string;
  cancelText?: string;
}

const nothing: NonNullable<Props['initial']> = { values: {}, labels: {} };

const start = (source: Source, row: Row | null, initial: Values): Record<string, FieldValue> =>
  Object.fromEntries(
    source.fields.map((field) => {
      if (row) return [field.key, (row[field.key] ?? null) as FieldValue];
      const given = initial[field.key];
      if (given !== undefined && given !== null) return [field.key, given];
      if (field.key === 'workId') return [field.key, Number(storedWorkId()) || null];
      if (field.key === 'timeZone') return [field.key, 'Asia/Shanghai'];
      return [field.key, field.kind === 'select' ? (field.initial ?? null) : null];
    }),
  );

/** What differs from the stored row (a new one: everything that is filled in). */
function changesOf(source: Source, values: Values, first: Values, row: Row | null): Record<string, FieldValue> {
  return Object.fromEntries(
    source.fields
      .map((field) => [field.key, values[field.key] ?? null] as const)
      .filter(([key, value]) => (row ? value !== (first[key] ?? null) : value !== null)),
  );
}

/**
 * The form of a family or record, laid out from its declaration: refuses what the catalogue refuses, shows every
 * problem beside its field at once (the server's too), keeps what was typed, and says when somebody else saved first.
 */
export function FamilyForm({
  source,
  row,
  reload,
  onSaved,
  onCancel,
  onDirty,
  initial = nothing,
  create,
  submitText,
  cancelText,
}: Props) {
  const { t } = useTranslation('declared');
  const { t: shell } = useTranslation('shell');
  const names = useNames();
  const errorText = useErrorText();
  const base = useId();
  const form = useRef<HTMLFormElement>(null);
  const [stored, setStored] = useState(row);
  const first = useMemo(() => start(source, stored, initial.values), [source, stored, initial]);
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const { save, isPending: saving } = useSave(source);
  const [creating, setCreating] = useState(false);
  const isPending = saving || creating;
  const secrets = Array.isArray(stored?.['secrets']) ? (stored['secrets'] as string[]) : [];
  const known = { ...first, ...Object.fromEntries(secrets.map((key) => [key, '•'])) };
  const problems = Object.keys(errors).length;

  const set = (field: Field, value: FieldValue): void => {
    // What belongs to another work area cannot stay chosen.
    const cleared =
      field.key !== 'workId'
        ? {}
        : Object.fromEntries(
            source.fields
              .filter((other) => other.kind === 'reference' && other.key !== 'workId')
              .map((other) => [other.key, null]),
          );
    const next = { ...values, ...cleared, [field.key]: value };
    setValues(next);
    setErrors(({ [field.key]: _gone, ...rest }) => rest);
    onDirty(Object.keys(next).some((key) => next[key] !== (first[key] ?? null)));
  };
  const refuse = (found: Readonly<Record<string, string>>): void => {
    setErrors(found);
    const key = source.sections.flatMap((section) => section.fields).find((one) => found[one] !== undefined);
    requestAnimationFrame(() => {
      if (key) form.current?.querySelector<HTMLElement>(`[id="${CSS.escape(`${base}-${key}`)}"]`)?.focus();
    });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFailure(null);
    const changes = changesOf(source, values, first, stored);
    const checked = validate(source, changes, stored ? 'update' : 'create', stored ? known : {});
    if ('problems' in checked)
      return refuse(
        Object.fromEntries(checked.problems.map(({ field, rule, params }) => [field, names.rule(rule, params)])),
      );
    setErrors({});
    try {
      setCreating(true);
      const saved = await (stored || !create
        ? save(stored?.id ?? null, stored ? { ...changes, version: stored.version } : changes)
        : create(changes));
      onDirty(false);
      onSaved(saved);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (cause.status === 400 && Object.keys(cause.fieldErrors).length > 0 && !wantsCount(cause))
        refuse(cause.fieldErrors);
      else setFailure(cause);
    } finally {
      setCreating(false);
    }
  };
  const takeNewest = async (): Promise<void> => {
    const newest = await reload();
    if (!newest) return;
    const mine = changesOf(source, values, first, stored);
    setStored(newest);
    setValues({ ...start(source, newest, {}), ...mine });
    setFailure(null);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.body}>
        {failure?.status === 409 ? (
          <div className={styles.conflict} role="alert">
            <b>{t('form.conflict')}</b>
            <p>{t('form.conflict.text')}</p>
            <Button size="small" onClick={() => void takeNewest()}>
              {t('form.conflict.load')}
            </Button>
          </div>
        ) : null}
        {source.sections.map((section) => (
          <fieldset key={section.key} className={styles.section}>
            <legend>{names.section(section.key)}</legend>
            <div className={styles.grid}>
              {section.fields
                .flatMap((key) =>
                  source.fields.filter(
                    (field) => field.key === key && (field.kind !== 'reference' || isDeclared(field.to)),
                  ),
                )
                .map((field) => {
                  const id = `${base}-${field.key}`;
                  const error = errors[field.key];
                  return (
                    <div key={field.key} className={wide(field) ? `${styles.field} ${styles.wide}` : styles.field}>
                      <label htmlFor={id}>
                        {names.field(field.key, source.key)}
                        {field.required ? (
                          <span className={styles.required} title={t('form.required')} aria-hidden>
                            *
                          </span>
                        ) : null}
                      </label>
                      {stored && field.fixed ? (
                        <output id={id} className={styles.fixed}>
                          <FieldCell field={field} value={values[field.key] ?? null} label={stored.labels[field.key]} />
                        </output>
                      ) : (
                        <FieldInput
                          field={field}
                          id={id}
                          value={values[field.key] ?? null}
                          onChange={(value) => set(field, value)}
                          invalid={error !== undefined}
                          describedBy={error === undefined ? undefined : `${id}-error`}
                          around={{
                            owner: source.key,
                            workId: typeof values['workId'] === 'number' ? values['workId'] : null,
                            labels: stored?.labels ?? initial.labels,
                            secrets,
                          }}
                        />
                      )}
                      {error === undefined ? null : (
                        <span id={`${id}-error`} className={styles.error}>
                          <Icon name="warning" size={12} />
                          {error}
                        </span>
                      )}
                    </div>
                  );
                })}
            </div>
          </fieldset>
        ))}
      </div>
      <div className={styles.foot}>
        {stored && problems === 0 && !failure ? (
          <ChangeAffects
            source={source}
            row={stored}
            changes={changesOf(source, values, first, stored)}
            known={known}
          />
        ) : null}
        {problems > 0 ? (
          <span className={styles.count} role="alert">
            <Icon name="warning" size={13} />
            {t('form.problems', { n: problems })}
          </span>
        ) : null}
        {failure && failure.status !== 409 ? (
          <span className={styles.count} role="alert">
            {errorText(failure)}
          </span>
        ) : null}
        <Button onClick={onCancel}>{cancelText ?? t('form.cancel')}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={isPending}
          disabled={isPending || inPreview()}
          title={inPreview() ? shell('preview.readOnly') : undefined}
        >
          {submitText ?? t('form.save')}
        </Button>
      </div>
    </form>
  );
}

const wide = (field: Field): boolean => field.kind === 'picture' || (field.kind === 'text' && field.lines === true);
