import type { CrossRule, Section } from '../../../../catalogue/family.ts';
import type { Field } from '../../../../catalogue/fields/index.ts';
import type { Quantity } from '../../../../catalogue/quantities/index.ts';
import type { ApiError } from '../../api/index.ts';

/** One row of a declared list: a device or a record. */
export interface Row {
  readonly id: number;
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly updateTime: string | null;
  readonly [field: string]: unknown;
}
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}
/** What a list asks for: filters by wire name, text, page, size, sort. */
export type ListQuery = Readonly<Record<string, string | number>>;
export interface Use { readonly what: string; readonly name: string; readonly count: number }

/**
 * Where a declared screen gets its rows and sends its changes: devices of a family, or a record. Its members named `use…`
 * are hooks; a screen keeps one source for its whole life.
 */
export interface Source {
  readonly kind: 'device' | 'record';
  /** Key of the family or record. */
  readonly key: string;
  readonly fields: readonly Field[];
  readonly rules: readonly CrossRule[];
  readonly sections: readonly Section[];
  readonly listColumns: readonly string[];
  /** Further columns a list can show: derived ones and `latest.<quantity>`. */
  readonly moreColumns: readonly string[];
  readonly quantities: readonly Quantity[];
  readonly codeField: string;
  readonly nameField: string;
  /** Devices of the family report by themselves: they are online or not, and have credentials. */
  readonly reports: boolean;
  readonly codes: { readonly add: string; readonly edit: string; readonly del: string; readonly credentials: string | null };
  useList(query: ListQuery): Answer<{ data: readonly Row[]; recordsTotal: number }>;
  useOne(id: number | null): Answer<Row>;
  useUses(id: number | null): Answer<{ blocking: readonly Use[]; lost?: readonly Use[] }>;
  /** Creates with id null, else changes. */
  useSave(): { readonly isPending: boolean; save(id: number | null, body: Readonly<Record<string, unknown>>): Promise<Row> };
  useRemove(): { readonly isPending: boolean; remove(id: number): Promise<unknown> };
}
