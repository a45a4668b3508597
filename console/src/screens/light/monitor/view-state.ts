import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useAddress } from '../../../parts/page/use-address.ts';
import { readFilters, writeFilters, type Filters } from './filters.ts';

export interface View {
  filters: Filters;
  shown: 'map' | 'list';
  light: 'night' | 'day';
  /** The lamp in the drawer. */
  lampId: number | null;
  /** The command in the task panel. */
  taskId: number | null;
  page: number;
  size: number;
  /** `state,asc`, or empty: by code. */
  sort: string;
}

export const pageSizes = [10, 20, 50, 100];

const number = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;

/** Reads what is shown from the address. Without WebGL the list stands in the map's place. */
export function readView(search: URLSearchParams, hasMap: boolean): View {
  const size = number(search.get('size'));
  return {
    filters: readFilters(search),
    shown: search.get('view') === 'list' || !hasMap ? 'list' : 'map',
    light: search.get('light') === 'day' ? 'day' : 'night',
    lampId: number(search.get('lamp')),
    taskId: number(search.get('task')),
    page: number(search.get('page')) ?? 1,
    size: size !== null && pageSizes.includes(size) ? size : 50,
    sort: /^[a-zA-Z]+,(asc|desc)$/.test(search.get('sort') ?? '') ? search.get('sort')! : '',
  };
}

interface Shown {
  /** How many lamps the conditions leave on the map; null: not known yet. */
  readonly shown: number | null;
  /** How many lamps have a place, and how many have none, whatever the conditions. */
  readonly placed: number;
  readonly unplaced: number;
  /** How many match and have no place; null: not known. */
  readonly matchingUnplaced: number | null;
}

/** Why the map shows no lamp; null while it shows some. */
export function whyEmpty({
  shown,
  placed,
  unplaced,
  matchingUnplaced,
}: Shown): 'noLamps' | 'noPlaces' | 'noMatch' | null {
  if (shown !== 0) return null;
  if (placed + unplaced === 0) return 'noLamps';
  return (matchingUnplaced ?? (placed === 0 ? unplaced : 0)) > 0 ? 'noPlaces' : 'noMatch';
}

/** What is shown, and the ways to change it: all of it in the address of the tab. */
export function useView(hasMap: boolean) {
  const [search, put] = useAddress();
  const [, setSearch] = useSearchParams();
  const view = useMemo(() => readView(search, hasMap), [search, hasMap]);
  return {
    view,
    put,
    setFilters: (filters: Filters) => setSearch((before) => writeFilters(before, filters), { replace: true }),
  };
}
