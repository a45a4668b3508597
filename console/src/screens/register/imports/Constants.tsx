import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recordOf } from '../../../../../catalogue/records/index.ts';
import type { Family, Field } from '../../../../../catalogue/index.ts';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { listRecords } from '../../../../../contract/register/records.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useDictionary } from '../../../locales/dictionaries.ts';
import { useRested } from '../../../parts/form/index.ts';
import { Icon } from '../../../parts/index.ts';
import { useFieldOptions } from './ColumnTable.tsx';
import { fillable, fillWith, type Plan } from './plan.ts';
import styles from './imports.module.css';

/** Fields without a column that are the same in every row. */
export function Constants({ family, plan, onChange }: { family: Family; plan: Plan; onChange: (plan: Plan) => void }) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const constant = fillable(family).filter((field) => plan.fields[field.key]?.value !== undefined);
  const free = useFieldOptions(family, (key) => (plan.fields[key] ? '' : undefined))
    .map((group) => ({
      ...group,
      options: group.options.filter(
        ({ by, value }) => by === undefined && value !== 'longitude' && value !== 'latitude',
      ),
    }))
    .filter((group) => group.options.length > 0);
  return (
    <div className={styles.constants}>
      <p className={styles.hint}>{t('constants.text')}</p>
      {constant.map((field) => (
        <ConstantRow
          key={field.key}
          field={field}
          name={names.field(field.key, family.key)}
          value={plan.fields[field.key]?.value ?? ''}
          onChange={(value) => onChange(fillWith(plan, field.key, value))}
          onRemove={() => onChange(fillWith(plan, field.key, undefined))}
        />
      ))}
      <Select
        aria-label={t('constants.add')}
        className={styles.family ?? ''}
        value={null}
        placeholder={t('constants.add')}
        showSearch={{ optionFilterProp: 'search' }}
        options={free}
        popupMatchSelectWidth={false}
        onChange={(key: string | null) => {
          if (key !== null) onChange(fillWith(plan, key, ''));
        }}
      />
    </div>
  );
}

interface RowProps {
  field: Field;
  name: string;
  value: string;
  onChange: (value: string) => void;
  onRemove: () => void;
}

function ConstantRow({ field, name, value, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('imports');
  const id = useId();
  return (
    <div className={styles.constant}>
      <label htmlFor={id}>
        {name}
        {field.required === true ? ' *' : ''}
      </label>
      <ConstantInput field={field} id={id} value={value} onChange={onChange} />
      <Button
        type="text"
        aria-label={t('constants.remove', { name })}
        title={t('constants.remove', { name })}
        icon={<Icon name="close" size={14} />}
        onClick={onRemove}
      />
    </div>
  );
}

type InputProps = Pick<RowProps, 'field' | 'value' | 'onChange'> & { id: string };

/** What a cell of every row would say: a text, an option, or the code of what is referred to. */
function ConstantInput({ field, id, value, onChange }: InputProps) {
  const { t } = useTranslation('imports');
  const names = useNames();
  if (field.kind === 'reference') return <ReferenceConstant field={field} id={id} value={value} onChange={onChange} />;
  if (field.kind === 'select')
    return <OptionSelect field={field} id={id} value={value === '' ? undefined : value} onChange={onChange} />;
  if (field.kind === 'boolean') {
    return (
      <Select
        id={id}
        value={value === '' ? null : value}
        placeholder={t('constants.choose')}
        onChange={(next: string) => onChange(next)}
        options={['true', 'false'].map((one) => ({ value: one, label: names.option('boolean', one) }))}
      />
    );
  }
  return (
    <Input
      id={id}
      value={value}
      maxLength={500}
      placeholder={field.kind === 'date' ? '2026-01-31' : t('constants.value')}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type SelectField = Extract<Field, { kind: 'select' }>;
interface OptionProps {
  field: SelectField;
  id?: string;
  label?: string;
  value: string | undefined;
  onChange: (value: string) => void;
  more?: readonly { value: string; label: string }[];
  onClear?: () => void;
}

/** The options of a field in words; sets that sites extend offer the site's own values too. */
export function OptionSelect({ field, id, label, value, onChange, more = [], onClear }: OptionProps) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const own = useDictionary(field.optionSet)?.items.map((item) => item.value) ?? [];
  const values = [...new Set([...field.options, ...(field.open === true ? own : [])])];
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      className={styles.family ?? ''}
      value={value ?? null}
      placeholder={t('constants.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      {...(onClear ? { allowClear: true, onClear } : {})}
      options={[...values.map((one) => ({ value: one, label: names.option(field.optionSet, one) })), ...more]}
      onChange={(next: string | null | undefined) => {
        if (next !== null && next !== undefined) onChange(next);
      }}
    />
  );
}

const FOUND = 20;

/** Says what is referred to by its code, which names one thing only. */
function ReferenceConstant({
  field,
  id,
  value,
  onChange,
}: InputProps & { field: Extract<Field, { kind: 'reference' }> }) {
  const { t } = useTranslation('imports');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(false);
  const q = useRested(search.trim());
  const { to } = field;
  const record = 'record' in to ? recordOf(to.record) : undefined;
  const query = { size: FOUND, ...(q === '' ? {} : { q }) };
  const asked = { enabled: open, keepPrevious: true };
  const records = useCall(
    listRecords,
    { params: { record: record?.key ?? '' }, query },
    { ...asked, enabled: open && record !== undefined },
  );
  const devices = useCall(
    listDevices,
    { query: { ...query, family: 'family' in to ? to.family : '' } },
    { ...asked, enabled: open && record === undefined },
  );
  const answer = record ? records : devices;
  const found: { value: string; label: string }[] = (answer.data?.data ?? []).map(
    (row: Readonly<Record<string, unknown>>) => {
      const code = String(row[record?.codeField ?? 'equipmentCode'] ?? '');
      const name = String(row[record?.nameField ?? 'equipmentName'] ?? '');
      return { value: code, label: name === '' || name === code ? code : `${name} (${code})` };
    },
  );
  const options =
    found.some((one) => one.value === value) || value === '' ? found : [{ value, label: value }, ...found];
  return (
    <Select
      id={id}
      value={value === '' ? null : value}
      placeholder={t('constants.choose')}
      options={options}
      loading={answer.isFetching}
      onOpenChange={setOpen}
      notFoundContent={t('constants.nothing')}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      onChange={(next: string) => onChange(next)}
    />
  );
}
