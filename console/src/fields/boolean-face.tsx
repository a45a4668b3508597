import { Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { BooleanField } from '../../../catalogue/fields/boolean.ts';
import { useNames } from '../locales/catalogue-names.ts';
import type { CellProps, Face, FilterProps, InputProps } from './face.ts';

function BooleanInput({ id, value, onChange, describedBy }: InputProps<BooleanField>) {
  return (
    <Switch
      id={id}
      checked={value === true}
      onChange={onChange}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    />
  );
}

function BooleanCell({ value }: CellProps<BooleanField>) {
  const names = useNames();
  return <>{typeof value === 'boolean' ? names.option('boolean', String(value)) : '—'}</>;
}

function BooleanFilter({ id, value, onChange }: FilterProps<BooleanField>) {
  const names = useNames();
  const { t } = useTranslation('declared');
  const options = ['true', 'false'].map((flag) => ({ value: flag, label: names.option('boolean', flag) }));
  return (
    <Select
      id={id}
      style={{ width: '100%' }}
      allowClear
      placeholder={t('filter.any')}
      value={value || null}
      onChange={(next: string | null) => onChange(next ?? '')}
      options={options}
    />
  );
}

export const booleanFace: Face<BooleanField> = { Input: BooleanInput, Cell: BooleanCell, Filter: BooleanFilter };
