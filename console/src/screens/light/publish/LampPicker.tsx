import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lampFamily } from '../../../../../catalogue/lighting/families.ts';
import type { tied } from '../../../fields/face.ts';
import { useReferenceOptions } from '../../../fields/reference-options.ts';

/** So many are picked and named one by one; more come with the selection of a list. */
export const mostPicked = 20;
const lamps = { family: lampFamily } as const;

interface Props {
  tie: ReturnType<typeof tied>;
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}

/** Lamps one by one, found by code or name. */
export function LampPicker({ tie, chosen, onChange }: Props) {
  const { t } = useTranslation('publish');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(false);
  const found = useReferenceOptions(lamps, { search, workId: null, enabled: open });
  const named = useReferenceOptions(lamps, {
    search: '',
    workId: null,
    ids: chosen.join(','),
    enabled: chosen.length > 0,
  });
  return (
    <Select<number[]>
      {...tie}
      mode="multiple"
      maxCount={mostPicked}
      allowClear
      placeholder={t(open ? 'scope.find' : 'scope.any')}
      loading={found.loading && open}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      onOpenChange={setOpen}
      notFoundContent={t(found.loading ? 'scope.finding' : 'nothing')}
      value={[...chosen]}
      options={open ? found.options : named.options}
      labelRender={({ value, label }) =>
        label ?? named.options.find((one) => one.value === value)?.label ?? String(value)
      }
      onChange={onChange}
    />
  );
}
