import { Checkbox, Select } from 'antd';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../../../catalogue/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { fieldsOf, fillable, fillBy, leaveOut, withCommas, type Import, type Plan } from './plan.ts';
import styles from './imports.module.css';

/**
 * Fields of a family as a choice, in the order of its form: required ones marked, those filled already said with their
 * column.
 */
export function useFieldOptions(family: Family, takenBy: (key: string) => string | undefined) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const grouped = useMemo(() => {
    const all = fillable(family);
    const placed = new Set(family.sections.flatMap((section) => section.fields));
    const groups = family.sections.map(({ key, fields }) => ({
      key,
      fields: all.filter((field) => fields.includes(field.key)),
    }));
    const rest = all.filter((field) => !placed.has(field.key));
    return rest.length > 0 ? [...groups, { key: '', fields: rest }] : groups;
  }, [family]);
  return grouped.map(({ key, fields }) => ({
    label: key === '' ? t('columns.more') : names.section(key),
    title: key,
    options: fields.map((field) => {
      const by = takenBy(field.key);
      const name = names.field(field.key, family.key);
      return {
        value: field.key,
        label: field.required === true ? `${name} *` : name,
        search: `${name} ${field.key}`,
        by,
      };
    }),
  }));
}

/** The columns of the file: what each is called, what stands in it, and which fields it fills. */
export function ColumnTable({
  columns,
  family,
  plan,
  onChange,
}: {
  columns: Import['columns'];
  family: Family;
  plan: Plan;
  onChange: (plan: Plan) => void;
}) {
  const { t } = useTranslation('imports');
  const takenBy = (key: string): string | undefined => {
    const source = plan.fields[key];
    return source?.column !== undefined ? columns[source.column]?.title : source ? t('constants.by') : undefined;
  };
  const options = useFieldOptions(family, takenBy);
  return (
    <div role="table" aria-label={t('columns.title')} className={styles.columns}>
      <div role="row" className={styles.columnsHead}>
        <span role="columnheader">{t('columns.heading')}</span>
        <span role="columnheader">{t('columns.samples')}</span>
        <span role="columnheader">{t('columns.fills')}</span>
        <span role="columnheader">{t('columns.leaveOut')}</span>
      </div>
      {columns.map(({ title, samples, decimals }, column) => {
        const ignored = plan.ignored.includes(column);
        const fields = fieldsOf(plan, column);
        const name = title || t('columns.untitled', { n: column + 1 });
        return (
          <div
            role="row"
            key={column}
            className={styles.column}
            data-state={fields.length > 0 ? 'used' : ignored || title === '' ? 'ignored' : 'open'}
          >
            <span role="cell" className={styles.heading}>
              {name}
            </span>
            <span role="cell" className={styles.samples}>
              {[...new Set(samples)].map((text) => (
                <span key={text} className="code" title={text}>
                  {text === '' ? t('columns.blank') : text}
                </span>
              ))}
              {decimals === 'comma' || decimals === 'unclear' ? (
                <Checkbox
                  className={styles.commas ?? ''}
                  checked={plan.decimalCommas?.includes(column) === true}
                  onChange={(event) => onChange(withCommas(plan, column, event.target.checked))}
                  aria-label={t('columns.commasOf', { name })}
                >
                  {t(decimals === 'comma' ? 'columns.commas' : 'columns.commasUnclear')}
                </Checkbox>
              ) : null}
            </span>
            <span role="cell">
              <FieldsSelect
                name={name}
                fields={fields}
                ignored={ignored}
                options={options}
                takenBy={takenBy}
                onChange={(keys) => onChange(fillBy(plan, column, keys))}
              />
            </span>
            <span role="cell" className={styles.leave}>
              <Checkbox
                checked={ignored}
                onChange={(event) => onChange(leaveOut(plan, column, event.target.checked))}
                aria-label={t('columns.leaveOutOf', { name })}
              >
                <span className={styles.leaveWord}>{t('columns.leaveOut')}</span>
              </Checkbox>
            </span>
          </div>
        );
      })}
    </div>
  );
}

interface FieldsProps {
  name: string;
  fields: string[];
  ignored: boolean;
  options: ReturnType<typeof useFieldOptions>;
  takenBy: (key: string) => string | undefined;
  onChange: (keys: string[]) => void;
}

/**
 * The fields of one column: mostly one, so the choice closes with each; nothing is chosen by passing through with Tab.
 */
function FieldsSelect({ name, fields, ignored, options, takenBy, onChange }: FieldsProps) {
  const { t } = useTranslation('imports');
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const change = (keys: string[]): void => {
    setOpen(false);
    setSearch('');
    onChange(keys);
  };
  return (
    <Select
      mode="multiple"
      aria-label={t('columns.fillsOf', { name })}
      className={styles.fills ?? ''}
      value={fields}
      placeholder={t(ignored ? 'columns.left' : 'columns.choose')}
      maxTagCount="responsive"
      open={open}
      onOpenChange={setOpen}
      showSearch={{ optionFilterProp: 'search', searchValue: search, onSearch: setSearch }}
      defaultActiveFirstOption={search !== ''}
      options={options}
      onChange={change}
      popupMatchSelectWidth={false}
      optionRender={optionBy((key) => (fields.includes(key) ? undefined : takenBy(key)))}
    />
  );
}

const optionBy =
  (takenBy: (key: string) => string | undefined) =>
  ({ label, value }: { label?: ReactNode; value?: unknown }): ReactNode => (
    <FieldOption label={label} by={takenBy(String(value))} />
  );

/** A field as it is offered; one that is filled already says by what. */
function FieldOption({ label, by }: { label: ReactNode; by: string | undefined }) {
  const { t } = useTranslation('imports');
  return (
    <span className={styles.option}>
      <span>{label}</span>
      {by === undefined ? null : <small>{t('columns.now', { name: by })}</small>}
    </span>
  );
}
