import type { ReactNode } from 'react';
import { usePreference, usePreferencesArriving } from '../../frame/index.ts';
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
  /** The state of the row: first in a peek, beside the name on a card, never folded away. */
  readonly state?: boolean;
  /** The row has nothing in this column; absent: what `cell` draws is a dash or nothing. */
  readonly isEmpty?: (row: R) => boolean;
  /** Stands on the card of a phone; when no column says so, the first that have something do. */
  readonly inCard?: boolean;
}

/** Widths that columns were given, pixels by key; absent: as wide as what is in it. */
export type Widths = Readonly<Record<string, number>>;
export const narrowest = 64;
export const widest = 800;
const within = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/**
 * How an account wants a list: the columns it shows, in order, how wide they are, and the height of rows; absent: the
 * list's own, the settings'.
 */
interface ListLook {
  readonly columns?: readonly string[];
  readonly density?: DensityName;
  readonly widths?: Widths;
}

/** What was stored, whatever it is; a bare array is how columns alone were once kept. */
export function readLook(stored: unknown): ListLook {
  const from: { columns?: unknown; density?: unknown; widths?: unknown } = Array.isArray(stored)
    ? { columns: stored }
    : typeof stored === 'object' && stored !== null
      ? stored
      : {};
  const columns = Array.isArray(from.columns)
    ? [...new Set(from.columns.filter((key): key is string => typeof key === 'string'))]
    : [];
  const density = (Object.keys(rowHeights) as DensityName[]).find((name) => name === from.density);
  const widths = Object.entries(typeof from.widths === 'object' && from.widths !== null ? from.widths : {})
    .filter((pair): pair is [string, number] => Number.isFinite(pair[1]))
    .map(([key, width]) => [key, within(width)] as const);
  return {
    ...(columns.length > 0 ? { columns } : {}),
    ...(density === undefined ? {} : { density }),
    ...(widths.length > 0 ? { widths: Object.fromEntries(widths) } : {}),
  };
}

/** The columns to draw: the chosen ones that still exist, else the list's own; those always shown are never missing. */
export function shownOf<C extends Pick<ListColumn<never>, 'key' | 'always' | 'further'>>(
  all: readonly C[],
  chosen: readonly string[] | undefined,
): C[] {
  const found = (chosen ?? []).flatMap((key) => all.find((column) => column.key === key) ?? []);
  if (found.length === 0) return all.filter((column) => column.further !== true);
  return [...all.filter((column) => column.always === true && !found.includes(column)), ...found];
}

export interface ListLookState<R> {
  /** The list's name: what tells its table on the page. */
  readonly name: string;
  readonly all: readonly ListColumn<R>[];
  readonly shown: readonly ListColumn<R>[];
  readonly density: DensityName | undefined;
  readonly widths: Widths;
  /** The account's choice is still on its way: drawing the table now would make it jump. */
  readonly arriving: boolean;
  readonly changed: boolean;
  /** The account chose the columns: none of them is folded away. */
  readonly chosen: boolean;
  show(keys: readonly string[]): void;
  setDensity(density: DensityName | undefined): void;
  /** undefined: as wide as what is in it. */
  setWidth(key: string, width: number | undefined): void;
  reset(): void;
}

const noWidths: Widths = {};

/** The columns and row height of a list as the account has chosen them, kept on the server under the list's name. */
export function useListLook<R>(name: string, all: readonly ListColumn<R>[]): ListLookState<R> {
  const [look, keep] = usePreference<ListLook | null>(`columns:${name}`, {}, readLook);
  const arriving = usePreferencesArriving();
  const { columns, density, widths = noWidths } = look ?? {};
  const put = (change: { columns?: readonly string[]; density?: DensityName | undefined; widths?: Widths }): void => {
    const next = readLook({ columns, density, widths, ...change });
    keep(Object.keys(next).length === 0 ? null : next);
  };
  return {
    name,
    all,
    shown: shownOf(all, columns),
    density,
    widths,
    arriving,
    chosen: columns !== undefined,
    changed: columns !== undefined || density !== undefined || Object.keys(widths).length > 0,
    show: (keys) => put({ columns: keys }),
    setDensity: (next) => put({ density: next }),
    reset: () => keep(null),
    setWidth: (key, width) =>
      put({
        widths: Object.fromEntries([
          ...Object.entries(widths).filter(([other]) => other !== key),
          ...(width === undefined ? [] : [[key, within(width)] as const]),
        ]),
      }),
  };
}
