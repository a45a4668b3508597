import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SelectField } from '../../../catalogue/fields/select.ts';
import { useNames } from '../locales/catalogue-names.ts';
import { useDictionary } from '../locales/dictionaries.ts';
import { tied, type CellProps, type Face, type FilterProps, type InputProps } from './face.ts';

/**
 * What is offered: in the dictionary's order, an open set with the site's own values; a disabled one only where it is
 * `held`, for a filter (undefined) all of them.
 */
function useOptions(field: SelectField, held?: string | null) {
  const names = useNames();
  const dictionary = useDictionary(field.optionSet);
  const known = dictionary?.items
    .filter(
      ({ value, enabled }) =>
        (field.options.includes(value) || field.open === true) && (enabled || held === undefined || held === value),
    )
    .map(({ value }) => value);
  return (known ?? field.options).map((option) => ({ value: option, label: names.option(field.optionSet, option) }));
}

function SelectInput({ field, id, value, onChange, invalid, describedBy }: InputProps<SelectField>) {
  const { t } = useTranslation('declared');
  return (
    <Select
      {...tied(id, invalid, describedBy)}
      style={{ width: '100%' }}
      allowClear={field.required !== true}
      placeholder={t('form.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      value={typeof value === 'string' ? value : null}
      onChange={(next: string | null | undefined) => onChange(next ?? null)}
      options={useOptions(field, typeof value === 'string' ? value : null)}
    />
  );
}

function SelectCell({ field, value }: CellProps<SelectField>) {
  const names = useNames();
  return <>{typeof value === 'string' ? names.option(field.optionSet, value) : '—'}</>;
}

function SelectFilter({ field, id, value, onChange }: FilterProps<SelectField>) {
  const { t } = useTranslation('declared');
  return (
    <Select
      id={id}
      mode="multiple"
      maxTagCount="responsive"
      style={{ width: '100%' }}
      allowClear
      placeholder={t('filter.any')}
      showSearch={{ optionFilterProp: 'label' }}
      value={value === '' ? [] : value.split(',')}
      onChange={(next: string[]) => onChange(next.join(','))}
      options={useOptions(field)}
    />
  );
}

export const selectFace: Face<SelectField> = { Input: SelectInput, Cell: SelectCell, Filter: SelectFilter };
