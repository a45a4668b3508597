import { useMemo } from 'react';
import { useAddress, type AddressValues } from '../page/use-address.ts';

export const pageSizes = [10, 20, 50, 100] as const;
const DEFAULT_SIZE = 50;

export interface ListAddress {
  /** Filters in force, by key; empty ones are absent. */
  readonly filters: Readonly<Record<string, string>>;
  readonly page: number;
  readonly size: number;
  /** `field,asc` or `field,desc`; undefined: the list's own order. */
  readonly sort: string | undefined;
  /** The row whose details are open. */
  readonly open: number | null;
  /** The row that is edited; `new` for one that does not exist yet. */
  readonly form: number | 'new' | null;
  search(filters: Readonly<Record<string, string>>): void;
  /** Filters and order in place of those in force, from the first page: a saved view. */
  apply(look: { readonly filters: Readonly<Record<string, string>>; readonly sort: string | undefined }): void;
  turn(page: number, size: number): void;
  sortBy(sort: string | undefined): void;
  show(what: { open?: number | null; form?: number | 'new' | null }): void;
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/**
 * What a list shows, kept in the address: a link or a reload shows the same. Only the keys given are read as filters;
 * names of others in the address stay untouched. `prefix` stands before page, size, order and what is open.
 */
export function useListAddress(filterKeys: readonly string[], prefix = ''): ListAddress {
  const [params, change] = useAddress();
  return useMemo(() => {
    // What is the list's own, not a filter: with a prefix a second list of the page has its own.
    const get = (name: string): string | null => params.get(prefix + name);
    const own = (values: AddressValues) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
    const size = Number(get('size'));
    const form = get('form');
    return {
      filters: Object.fromEntries(
        filterKeys.flatMap((key) => {
          const value = params.get(key);
          return value ? [[key, value]] : [];
        }),
      ),
      page: wholeNumber(get('page')) ?? 1,
      size: pageSizes.find((one) => one === size) ?? DEFAULT_SIZE,
      sort: get('sort') ?? undefined,
      open: wholeNumber(get('open')),
      form: form === 'new' ? 'new' : wholeNumber(form),
      search: (filters) =>
        change({ ...Object.fromEntries(filterKeys.map((key) => [key, filters[key]?.trim()])), ...own({ page: null }) }),
      apply: (look) =>
        change({
          ...Object.fromEntries(filterKeys.map((key) => [key, look.filters[key]])),
          ...own({ sort: look.sort, page: null }),
        }),
      turn: (page, newSize) =>
        change(own({ page: page === 1 ? null : page, size: newSize === DEFAULT_SIZE ? null : newSize })),
      sortBy: (sort) => change(own({ sort, page: null })),
      show: (what) => change(own({ open: what.open ?? null, form: what.form ?? null })),
    };
  }, [params, change, filterKeys, prefix]);
}
