import type { TableChoice, TableFault, TableFormat, TableLook, TableRow } from './table.ts';

/**
 * A module whose default function gets the rows and further arguments, in the thread of the table; its result crosses
 * to the caller.
 */
export interface TableWork {
  readonly module: string;
  readonly input: unknown;
}
export type TableWorker<Input, Result> = (rows: AsyncIterable<TableRow>, input: Input) => Promise<Result>;

/**
 * What a thread is started with: with a format it reads the rows (or has work done on them), without one it looks into
 * the file first.
 */
export interface TableOrder {
  readonly bytes: Uint8Array;
  readonly choice?: TableChoice;
  readonly format?: TableFormat;
  readonly work?: TableWork;
}

/** What a thread says; it waits for one message for each batch of rows beyond the first few. */
export type TableMessage =
  | { readonly type: 'look'; readonly look: Omit<TableLook, 'rows'> }
  | { readonly type: 'rows'; readonly rows: readonly TableRow[] }
  | { readonly type: 'result'; readonly value: unknown }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly fault: TableFault | null; readonly reason: string };

/** Batches on their way before the first is taken. */
export const batchesAhead = 2;
