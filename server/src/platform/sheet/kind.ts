import type pg from 'pg';
import type { Db } from '../db/index.ts';
import type { Sheet } from './sheet.ts';

/**
 * A sheet that is read and written beside the other requests: in a thread that loads its module, made from what can be
 * handed over as data.
 */
export interface SheetKind<P> {
  /** The module that exports it: `import.meta.url`. */
  readonly module: string;
  /** Its name among the exports. */
  readonly name: string;
  open(db: Db, params: P): Sheet;
}

/** A workbook, or a text file with commas. */
export type SheetFormat = 'xlsx' | 'csv';

/** What a worker is started with. */
export interface SheetOrder {
  readonly kind: Pick<SheetKind<never>, 'module' | 'name'>;
  readonly format: SheetFormat;
  readonly params: unknown;
  readonly connection: pg.ClientConfig;
}

/**
 * What a worker says: bytes with the rows that are in them and all before; how it ended. It waits for one `more` for
 * each piece beyond the first few.
 */
export type SheetMessage =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array; readonly rows: number }
  | { readonly type: 'end'; readonly rows: number }
  | {
      readonly type: 'failed';
      readonly refusal: { readonly code: string; readonly values: Readonly<Record<string, string | number>> } | null;
      readonly reason: string;
    };

/** Pieces on their way before the first is taken. */
export const piecesAhead = 4;
