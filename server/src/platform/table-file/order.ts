import type { TableChoice, TableFault, TableFormat, TableLook, TableRow } from './table.ts';

/** What a thread is started with: with a format it reads the rows, without one it looks into the file first. */
export interface TableOrder { readonly bytes: Uint8Array; readonly choice?: TableChoice; readonly format?: TableFormat }

/** What a thread says; it waits for one message for each batch of rows beyond the first few. */
export type TableMessage =
  | { readonly type: 'look'; readonly look: Omit<TableLook, 'rows'> }
  | { readonly type: 'rows'; readonly rows: readonly TableRow[] }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly fault: TableFault | null; readonly reason: string };

/** So many batches are on their way before the first is taken. */
export const batchesAhead = 2;
