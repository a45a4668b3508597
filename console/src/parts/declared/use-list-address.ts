import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

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
  turn(page: number, size: number): void;
  sortBy(sort: string | undefined): void;
  show(what: { open?: number | null; form?: number | 'new' | null }): void;
}

const wholeNumber = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

/**
 * What a list shows, kept in the address: a link or a reload shows the same. Only the keys given are read as filters; names
 * of others in the address stay untouched.
 */
export function useListAddress(filterKeys: readonly string[]): ListAddress {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const change = (values: Readonly<Record<string, string | number | null | undefined>>): void => setParams((before) => {
      const next = new URLSearchParams(before);
      for (const [key, value] of Object.entries(values)) {
        if (value === null || value === undefined || value === '') next.delete(key);
        else next.set(key, String(value));
      }
      return next;
    }, { replace: true });
    const size = Number(params.get('size'));
    const form = params.get('form');
    return {
      filters: Object.fromEntries(filterKeys.flatMap((key) => { const value = params.get(key); return value ? [[key, value]] : []; })),
      page: wholeNumber(params.get('page')) ?? 1,
      size: pageSizes.find((one) => one === size) ?? DEFAULT_SIZE,
      sort: params.get('sort') ?? undefined,
      open: wholeNumber(params.get('open')),
      form: form === 'new' ? 'new' : wholeNumber(form),
      search: (filters) => change({ ...Object.fromEntries(filterKeys.map((key) => [key, filters[key]?.trim()])), page: null }),
      turn: (page, newSize) => change({ page: page === 1 ? null : page, size: newSize === DEFAULT_SIZE ? null : newSize }),
      sortBy: (sort) => change({ sort, page: null }),
      show: (what) => change({ open: what.open ?? null, form: what.form ?? null }),
    };
  }, [params, setParams, filterKeys]);
}
