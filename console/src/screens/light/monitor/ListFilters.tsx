import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { getLampFilters, lampFaultCodes, lampStates } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber } from '../../../parts/index.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { noFilters, readFilters, writeFilters, type Filters } from './filters.ts';

/** Conditions that other pages link here with: they have no field of their own. */
const linked = ['online', 'lit', 'plan'] as const;

/** The conditions with a field, as they stand in the address. */
export const fieldValues = (filters: Filters): Readonly<Record<string, string>> => {
  const values = new URLSearchParams(writeFilters(new URLSearchParams(), filters));
  for (const key of linked) values.delete(key);
  return Object.fromEntries(values);
};

/** The conditions out of the fields' values; the linked ones stay as they were. */
export function filtersOf(values: Readonly<Record<string, string>>, before: Filters): Filters {
  const { online, lit, plan } = before;
  return { ...readFilters(new URLSearchParams(values)), online, lit, plan };
}

/** 查询条件 above the list of lamps. */
export function ListFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const { t, i18n } = useTranslation('lamp');
  const { t: parts } = useTranslation('parts');
  const names = useNames();
  const { data, isPending } = useCall(getLampFilters, undefined, { staleTime: 60_000 });
  const fields = useMemo(() => {
    const counted = (id: number, name: string, lamps: number) => ({
      itemValue: String(id),
      itemName: `${name} (${formatNumber(lamps, i18n.language, 0)})`,
    });
    const shared = { type: 'select', loading: isPending } as const;
    return [
      searchField({ type: 'text', key: 'q', label: t('filter.text') }),
      searchField({
        type: 'select',
        key: 'states',
        label: t('filter.state'),
        multiple: true,
        options: lampStates.map((state) => ({ itemValue: state, itemName: parts(`state.${state}`) })),
      }),
      searchField({
        ...shared,
        key: 'roads',
        label: t('filter.road'),
        multiple: true,
        options: (data?.roads ?? []).map((road) => counted(road.id, road.name, road.lamps)),
      }),
      searchField({
        type: 'select',
        key: 'faults',
        label: t('filter.fault'),
        multiple: true,
        options: lampFaultCodes.map((fault) => ({ itemValue: fault, itemName: `${fault} ${names.fault(fault)}` })),
      }),
      searchField({
        ...shared,
        key: 'group',
        label: t('filter.group'),
        options: (data?.groups ?? []).map((group) => counted(group.id, group.name, group.lamps)),
      }),
      searchField({
        ...shared,
        key: 'controller',
        label: t('filter.controller'),
        options: (data?.controllers ?? []).map((one) =>
          counted(one.id, one.name ? `${one.code} ${one.name}` : one.code, one.lamps),
        ),
      }),
    ];
  }, [t, parts, names, data, isPending, i18n.language]);
  return (
    <SearchPanel
      fields={fields}
      values={fieldValues(filters)}
      onSearch={(values) => onChange(filtersOf(values, filters))}
      onReset={() => onChange(noFilters)}
    />
  );
}
