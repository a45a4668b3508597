import { useState } from 'react';
import { getScheme, listSchemes } from '../../../../contract/light/schemes.ts';
import { getTemplate, listTemplates } from '../../../../contract/light/templates.ts';
import { useCall } from '../../api/index.ts';
import { useRested } from '../../api/use-rested.ts';
import type { ItemRow } from './kind.ts';

/** So many are offered at once; the search finds the others. */
const size = 50;

/** The schemes or templates that a form offers: those that match the search, and the chosen one whatever matches. */
export function useItems(kind: 'scheme' | 'template', id: number | null) {
  const [search, setSearch] = useState('');
  const [kept, setKept] = useState<ItemRow>();
  const q = useRested(search.trim());
  const query = { size, sort: 'code,asc', ...(q === '' ? {} : { q }) };
  const schemes = useCall(listSchemes, { query }, { enabled: kind === 'scheme', keepPrevious: true });
  const templates = useCall(listTemplates, { query }, { enabled: kind === 'template', keepPrevious: true });
  const list = kind === 'scheme' ? schemes : templates;
  const rows: readonly ItemRow[] | undefined = list.data?.data;
  const listed = rows?.find((row) => row.id === id);
  if (listed !== undefined && listed !== kept) setKept(listed);
  const known = listed ?? (kept?.id === id ? kept : undefined);
  const elsewhere = id !== null && rows !== undefined && known === undefined;
  const params = { id: id ?? 0 };
  const scheme = useCall(getScheme, { params }, { enabled: elsewhere && kind === 'scheme' });
  const template = useCall(getTemplate, { params }, { enabled: elsewhere && kind === 'template' });
  const one = kind === 'scheme' ? scheme : template;
  const chosen: ItemRow | undefined = known ?? (elsewhere ? one.data : undefined);
  return {
    rows,
    chosen,
    search: { searchValue: search, onSearch: setSearch, filterOption: false } as const,
    loading: list.isFetching || (elsewhere && one.isFetching),
    /** What could not be fetched: the list, or the chosen one. */
    failed: list.error && !list.data ? list : elsewhere && one.error && !one.data ? one : null,
  };
}
