import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvFormat, csvRows } from './csv.ts';
import { TableRefusal, type TableFormat, type TableRow } from './table.ts';
import { refuseDangerous, sheetNames, xlsxRows } from './workbook.ts';

/** What the file holds: format, headings, and the first rows for people to recognise it by. */
export interface TableLook { readonly format: TableFormat; readonly headings: readonly string[]; readonly samples: readonly TableRow[] }

const mostColumns = 500;
const mostCellCharacters = 32_767;
const samples = 20;
/** Other requests come to their turn after so many rows: about a millisecond. */
const rowsATurn = 50;

/**
 * Looks into a file of unknown origin: .xlsx by its first bytes, else CSV in UTF-8, UTF-16 or GB18030. Reads no more than needed.
 * Throws TableRefusal for what is no table, is damaged, unpacks to too much, or names entities of its own.
 */
export async function inspectTable(bytes: Uint8Array, sheet?: string): Promise<TableLook> {
  if (bytes.length === 0) throw new TableRefusal('fileEmpty');
  const format = await formatOf(bytes, sheet);
  let headings: readonly string[] | undefined;
  const first: TableRow[] = [];
  for await (const row of readTable(bytes, format)) {
    if (headings === undefined) headings = row.cells.map((cell) => cell.trim());
    else first.push(row);
    if (first.length >= samples) break;
  }
  if (headings === undefined || headings.every((heading) => heading === '')) throw new TableRefusal('fileEmpty');
  return { format, headings, samples: first };
}

async function formatOf(bytes: Uint8Array, sheet: string | undefined): Promise<TableFormat> {
  const [a, b, c, d] = bytes;
  if (a === 0x50 && b === 0x4b) {
    refuseDangerous(bytes);
    const sheets = await sheetNames(bytes);
    return { kind: 'xlsx', sheets, sheet: sheet !== undefined && sheets.includes(sheet) ? sheet : sheets[0] ?? '' };
  }
  // An old .xls, or an .xlsx with a password, is an OLE container.
  if (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0) throw new TableRefusal('fileLocked');
  return csvFormat(bytes);
}

/** Every row that holds anything, in order; memory does not grow with their number. Throws TableRefusal where the file breaks off. */
export async function* readTable(bytes: Uint8Array, format: TableFormat): AsyncGenerator<TableRow> {
  let read = 0;
  for await (const { number, cells } of format.kind === 'csv' ? csvRows(bytes, format) : xlsxRows(bytes, format.sheet)) {
    if (cells.length > mostColumns) throw new TableRefusal('fileTooWide');
    if (cells.every((cell) => cell.trim() === '')) continue;
    yield { number, cells: cells.map((cell) => cell.length > mostCellCharacters ? cell.slice(0, mostCellCharacters) : cell) };
    read += 1;
    if (read % rowsATurn === 0) await nextTurn();
  }
}
