import { isValidElement, type ReactNode } from 'react';
import type { ListColumn } from './columns.ts';

/** A dash, or nothing at all; also within one plain element (`<span>—</span>`). */
export function isDash(node: ReactNode): boolean {
  if (node === null || node === undefined || typeof node === 'boolean') return true;
  if (typeof node === 'string') return node.trim() === '' || node.trim() === '—';
  if (!isValidElement<{ children?: ReactNode }>(node) || typeof node.type === 'function') return false;
  const { children } = node.props;
  return typeof children === 'string' && isDash(children);
}

/** Whether a row has nothing in a column. */
export const isEmptyIn = <R>(column: ListColumn<R>, row: R): boolean =>
  column.isEmpty ? column.isEmpty(row) : isDash(column.cell(row));

/**
 * The columns in which no row of the page has anything; none of an empty page, never the name, the state, or what the
 * rows are sorted by (`sort`: as in the address, `key,asc`).
 */
export const emptyColumns = <R>(
  columns: readonly ListColumn<R>[],
  rows: readonly R[],
  sort?: string,
): readonly ListColumn<R>[] =>
  rows.length === 0
    ? []
    : columns.filter(
        (column) =>
          column.always !== true &&
          column.state !== true &&
          column.key !== sort?.split(',')[0] &&
          rows.every((row) => isEmptyIn(column, row)),
      );
