/** How a file is to be read: found out once, told with every later reading. */
export type TableFormat =
  | { readonly kind: 'csv'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'; readonly delimiter: string }
  | { readonly kind: 'xlsx'; readonly sheet: string; readonly sheets: readonly string[] };

/** One row with its number in the file (the first line is 1) and its cells as texts; absent cells at the end are left out. */
export interface TableRow { readonly number: number; readonly cells: readonly string[] }

export type TableFault = 'fileNotTable' | 'fileDamaged' | 'fileTooWide' | 'fileTooLarge' | 'fileEmpty' | 'fileLocked';
/** The file cannot be read as a table, with the reason. */
export class TableRefusal extends Error {
  readonly fault: TableFault;
  constructor(fault: TableFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}
