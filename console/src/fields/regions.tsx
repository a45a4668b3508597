import { AutoComplete } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { levelsOf, type TextField } from '../../../catalogue/fields/text.ts';
import { listRecords } from '../../../contract/register/records.ts';
import { useCall } from '../api/index.ts';
import { RegionCascade } from './RegionCascade.tsx';
import type { Region } from './region.ts';
import { tied, type FilterProps, type InputProps } from './face.ts';

/** The regions that projects of the site lie in, as they were written: of so many projects at most. */
const most = 1000;

function useWays(field: TextField, enabled = true) {
  const { data, error, refetch } = useCall(
    listRecords,
    { params: { record: 'work-area' }, query: { size: most, sort: `${field.key},asc` } },
    { staleTime: 60_000, enabled },
  );
  const rows: readonly Readonly<Record<string, unknown>>[] | undefined = data?.data;
  const ways = rows?.flatMap(({ [field.key]: way }) => (typeof way === 'string' && way !== '' ? [levelsOf(way)] : []));
  return { ways, failed: error !== null, refetch };
}

/** Ways down as a tree; a region is known by its whole way. */
export function regionsOf(ways: readonly (readonly string[])[]): Region[] {
  const roots: Region[] = [];
  for (const way of ways) {
    let level = roots;
    way.forEach((label, depth) => {
      const value = way.slice(0, depth + 1).join('/');
      let at = level.find((one) => one.value === value);
      if (!at) level.push((at = { value, label }));
      if (depth < way.length - 1) level = at.children ??= [];
    });
  }
  return roots;
}

/** Chooses among the regions that are in use, at any level. They come when it is opened, or to name what is chosen. */
export function RegionFilter({ field, id, value, onChange }: FilterProps<TextField>) {
  const [opened, setOpened] = useState(false);
  const wanted = opened || value !== '';
  const { ways, failed, refetch } = useWays(field, wanted);
  return (
    <RegionCascade
      id={id}
      value={levelsOf(value).join('/')}
      onChange={onChange}
      regions={ways ? regionsOf(ways) : failed ? 'failed' : wanted ? undefined : []}
      onOpen={() => {
        setOpened(true);
        if (failed) void refetch();
      }}
    />
  );
}

/** Free text that offers what is written already, so that one region is not written in two ways. */
export function RegionInput({ field, id, value, onChange, invalid, describedBy }: InputProps<TextField>) {
  const { t } = useTranslation('declared');
  const { ways } = useWays(field);
  const offered = [...new Set(ways?.map((way) => way.join('/')))];
  return (
    <AutoComplete
      {...tied(id, invalid, describedBy)}
      style={{ width: '100%' }}
      placeholder={t('form.region')}
      value={typeof value === 'string' ? value : ''}
      onChange={(next: string) => onChange(next === '' ? null : next)}
      options={offered.map((way) => ({ value: way }))}
      showSearch={{ filterOption: (typed, option) => option?.value.includes(levelsOf(typed).join('/')) === true }}
    />
  );
}
