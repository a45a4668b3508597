import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReferenceField } from '../../../catalogue/fields/reference.ts';
import { tied, type CellProps, type Face, type FilterProps, type InputProps } from './face.ts';
import { useReferenceOptions, type Option } from './reference-options.ts';

function ReferenceInput({ field, id, value, onChange, invalid, describedBy, around }: InputProps<ReferenceField>) {
  const { t } = useTranslation('declared');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Option | null>(null);
  const { options, loading } = useReferenceOptions(field.to, { search, workId: around.workId, enabled: open });
  const current = typeof value === 'number' ? value : null;
  const known =
    current === null
      ? []
      : [chosen?.value === current ? chosen : { value: current, label: around.labels[field.key] ?? String(current) }];
  return (
    <Select
      {...tied(id, invalid, describedBy)}
      style={{ width: '100%' }}
      allowClear={field.required !== true}
      placeholder={t('form.choose')}
      loading={loading && open}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      onOpenChange={setOpen}
      notFoundContent={loading ? t('form.searching') : t('form.nothing')}
      value={current}
      options={open ? options : known}
      labelRender={({ value: shown, label }) =>
        label ?? known.find((one) => one.value === shown)?.label ?? String(shown)
      }
      onChange={(next: number | null | undefined, option) => {
        setChosen(option && !Array.isArray(option) ? option : null);
        onChange(next ?? null);
      }}
    />
  );
}

const ReferenceCell = ({ value, label }: CellProps<ReferenceField>) => (
  <>{label ?? (value === null ? '—' : String(value))}</>
);

function ReferenceFilter({ field, id, value, onChange }: FilterProps<ReferenceField>) {
  const { t } = useTranslation('declared');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(false);
  const chosen = value === '' ? [] : value.split(',').map(Number);
  const { options, loading } = useReferenceOptions(field.to, { search, workId: null, enabled: open });
  const named = useReferenceOptions(field.to, { search: '', workId: null, ids: value, enabled: value !== '' });
  return (
    <Select
      id={id}
      mode="multiple"
      maxTagCount="responsive"
      style={{ width: '100%' }}
      allowClear
      placeholder={t('filter.any')}
      loading={loading && open}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      onOpenChange={setOpen}
      notFoundContent={loading ? t('form.searching') : t('form.nothing')}
      value={chosen}
      options={open ? options : named.options}
      labelRender={({ value: shown, label }) =>
        label ?? named.options.find((one) => one.value === shown)?.label ?? String(shown)
      }
      onChange={(next: number[]) => onChange(next.join(','))}
    />
  );
}

export const referenceFace: Face<ReferenceField> = {
  Input: ReferenceInput,
  Cell: ReferenceCell,
  Filter: ReferenceFilter,
};
