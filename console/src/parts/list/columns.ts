import type { ReactNode } from 'react';
import { usePreference, usePreferencesArriving } from '../../app/index.ts';
import { rowHeights, type DensityName } from '../../theme/tokens.ts';

/** One column a list can show. */
export interface ListColumn<R> {
  readonly key: string;
  /** In the head and in the column settings. */
  readonly name: string;
  /** Said when the pointer rests on the head. */
  readonly hint?: string;
  readonly cell: (row: R) => ReactNode;
  readonly align?: 'right' | undefined;
  readonly className?: string | undefined;
  /** Rows can be put in its order; its key goes into the address. */
  readonly sortable?: boolean;
  /** Always shown: without it one row could not be told from another. */
  readonly always?: boolean;
  /** Shown only once somebody chose it. */
  readonly further?: boolean;
}

/** How an account wants a list: the columns it shows, in order, and the height of rows; absent: the list's own, the settings'. */
interface ListLook { readonly columns?: readonly string[]; readonly density?: DensityName }

/** What was stored, whatever it is; a bare array is how columns alone were once kept. */
export function readLook(stored: unknown): ListLook {
  const from: { columns?: unknown; density?: unknown } = Array.isArray(stored) ? { columns: stored } : typeof stored === 'object' && stored !== null ? stored : {};
  const columns = Array.isArray(from.columns) ? [...new Set(from.columns.filter((key): key is string => typeof key === 'string'))] : [];
  const density = (Object.keys(rowHeights) as DensityName[]).find((name) => name === from.density);
  return { ...(columns.length > 0 ? { columns } : {}), ...(density === undefined ? {} : { density }) };
}

/** The columns to draw: the chosen ones that still exist, else the list's own; those always shown are never missing. */
export function shownOf<C extends Pick<ListColumn<never>, 'key' | 'always' | 'further'>>(all: readonly C[], chosen: readonly string[] | undefined): C[] {
  const found = (chosen ?? []).flatMap((key) => all.find((column) => column.key === key) ?? []);
  if (found.length === 0) return all.filter((column) => column.further !== true);
  return [...all.filter((column) => column.always === true && !found.includes(column)), ...found];
}

export interface ListLookState<R> {
  readonly all: readonly ListColumn<R>[];
  readonly shown: readonly ListColumn<R>[];
  readonly density: DensityName | undefined;
  /** The account's choice is still on its way: drawing the table now would make it jump. */
  readonly arriving: boolean;
  readonly changed: boolean;
  show(keys: readonly string[]): void;
  setDensity(density: DensityName | undefined): void;
  reset(): void;
}

/** The columns and row height of a list as the account has chosen them, kept on the server under the list's name. */
export function useListLook<R>(name: string, all: readonly ListColumn<R>[]): ListLookState<R> {
  const [look, keep] = usePreference<ListLook | null>(`columns:${name}`, {}, readLook);
  const arriving = usePreferencesArriving();
  const { columns, density } = look ?? {};
  const put = (next: { columns: readonly string[] | undefined; density: DensityName | undefined }): void =>
    keep(next.columns === undefined && next.density === undefined ? null : { ...(next.columns ? { columns: next.columns } : {}), ...(next.density ? { density: next.density } : {}) });
  return {
    all, shown: shownOf(all, columns), density, arriving, changed: columns !== undefined || density !== undefined,
    show: (keys) => put({ columns: keys, density }), setDensity: (next) => put({ columns, density: next }), reset: () => keep(null),
  };
}
