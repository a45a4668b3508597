import type { Encoding } from './encodings.ts';

/** The signs that may stand between cells. */
export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** How a file is to be read: found out once, or chosen, and given with every later reading. */
export type TableFormat =
  | {
      readonly kind: 'csv';
      readonly encoding: Encoding;
      readonly delimiter: string;
      /**
       * Whether the encoding is beyond doubt, by the bytes or by a person; absent in what was kept before it was asked.
       */
      readonly sure?: boolean;
      /** One line of the file in each encoding, the likeliest first. */
      readonly candidates?: readonly { readonly encoding: Encoding; readonly sample: string }[];
    }
  | { readonly kind: 'xlsx'; readonly sheet: string; readonly sheets: readonly string[] };

/** What a person says of a file instead of what would be found. */
export interface TableChoice {
  readonly sheet?: string;
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
}

/**
 * One row with its number in the file (the first line is 1) and its cells as texts; absent cells at the end are left
 * out.
 */
export interface TableRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** What the file holds: format, headings, and its first rows, at most 2,000. */
export interface TableLook {
  readonly format: TableFormat;
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

export type TableFault = 'fileNotTable' | 'fileDamaged' | 'fileTooWide' | 'fileTooLarge' | 'fileEmpty' | 'fileLocked';
/** The file cannot be read as a table, with the reason. */
export class TableRefusal extends Error {
  readonly fault: TableFault;
  constructor(fault: TableFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}
