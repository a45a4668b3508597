import type { ReactNode } from 'react';
import type { RouteShape } from '../../../../contract/route.ts';

export interface ListRow {
  readonly id: number;
}

/** What can be done to several rows at once. */
export interface BatchAction<R> {
  readonly key: string;
  /** On the button, and to confirm with. */
  readonly label: string;
  /** Takes something away. */
  readonly danger?: boolean;
  /** Why it cannot be done to this row: it is left out, and said so before anything begins. */
  readonly against?: (row: R) => string | undefined;
  /** The question, with how many. */
  readonly title: (count: string) => string;
  /** What will happen to these rows, and what is lost with them. */
  readonly about: (rows: readonly R[]) => ReactNode;
  /** False: something must be chosen first, in `about`. */
  readonly ready?: boolean;
  /** One row; throws when it did not work. */
  readonly run: (row: R) => Promise<unknown>;
}

/** What is done to all selected rows in one go, at once and without a question: it changes nothing. */
export interface BatchTool<R> {
  readonly key: string;
  readonly label: string;
  /** Throws when it did not work. */
  readonly run: (rows: readonly R[]) => Promise<unknown>;
}

export interface Batch<R> {
  /** What a row is called in results and to a reader. */
  readonly nameOf: (row: R) => string;
  readonly actions: readonly BatchAction<R>[];
  readonly tools?: readonly BatchTool<R>[];
  /** One page (from 1) of everything that matches, for "select all". */
  readonly page: (page: number, size: number) => Promise<readonly R[]>;
  /** What is old once rows were changed. */
  readonly refreshes: readonly RouteShape[];
}

/** So many rows can be selected at once. */
export const MOST_CHOSEN = 5_000;
const PAGE = 1_000;

/** Every row that matches, page by page as the server gives them at most. */
export async function everyRow<R>(page: Batch<R>['page']): Promise<R[]> {
  const rows: R[] = [];
  for (let number = 1; rows.length < MOST_CHOSEN; number += 1) {
    const some = await page(number, PAGE);
    rows.push(...some);
    if (some.length < PAGE) break;
  }
  return rows.slice(0, MOST_CHOSEN);
}

export interface RowResult<R> {
  readonly row: R;
  readonly error?: unknown;
}

const AT_ONCE = 4;

/**
 * Does something to each row, a few at a time, and tells each outcome as it comes. A row that fails stops no other;
 * after `stop` no further one is begun. Resolves with the rows that were not begun.
 */
export async function runBatch<R>(
  rows: readonly R[],
  run: (row: R) => Promise<unknown>,
  onResult: (result: RowResult<R>) => void,
  stop: AbortSignal,
): Promise<readonly R[]> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < rows.length && !stop.aborted) {
      const row = rows[next] as R;
      next += 1;
      try {
        await run(row);
        onResult({ row });
      } catch (error) {
        onResult({ row, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return rows.slice(next);
}
