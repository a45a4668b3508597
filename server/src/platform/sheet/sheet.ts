import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { writeXlsxStream } from 'hucre/xlsx';
import { escapeControls } from '../log.ts';

export interface SheetColumn {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'decimal' | 'time';
  /** In characters. */
  readonly width: number;
}
/** A time is written as it reads on a clock in UTC: shift it before for another zone. */
export type SheetCell = string | number | Date | null;
export type SheetRow = readonly SheetCell[];

export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
  /** About how many there will be; a file that may pass 4 GiB is written in the larger zip format. */
  readonly count: number;
}

export const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** What one sheet may hold beside its header row. */
const longestCell = 32_767;
/** From here on rows of the longest cells could pass 4 GiB. */
const largeFrom = 100_000;

/** Text format: text that looks like a formula stays a text, also after an edit of the cell. */
const formats = { text: '@', number: '0', decimal: 'General', time: 'yyyy-mm-dd hh:mm:ss' } as const;

/** A text as a cell holds it: control characters visible, at most 32,767 characters, never half a character. */
export function cellText(text: string): string {
  // U+FFFE, U+FFFF and halves of characters are no XML.
  const clean = escapeControls(text)
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  return clean.length <= longestCell ? clean : `${clean.slice(0, longestCell - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * An .xlsx as a stream of bytes, read as fast as it is taken: memory does not grow with the number of rows. Every text
 * is a text cell, so nothing in it is calculated. Errors of `rows` end the stream with that error; destroying the
 * stream ends `rows`.
 */
export function writeSheet({ name, columns, rows, count }: Sheet): Readable {
  const stream = writeXlsxStream(cellsOf(rows), {
    name: cellText(name)
      .replaceAll(/[[\]:*?/\\']/g, ' ')
      .slice(0, 31),
    columns: columns.map(({ title, kind, width }) => ({
      header: cellText(title),
      width,
      style: { numFmt: formats[kind] },
    })),
    freezePane: { rows: 1 },
    zip64: count >= largeFrom,
  });
  return Readable.fromWeb(stream as NodeReadableStream<Uint8Array>, { highWaterMark: 256 * 1024 });
}

async function* cellsOf(
  batches: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<(string | number | Date | null)[]> {
  for await (const batch of batches) {
    for (const row of batch) yield row.map((cell) => (typeof cell === 'string' ? cellText(cell) : cell));
  }
}
