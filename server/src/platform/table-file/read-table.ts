import { csvFormat, csvRows } from './csv.ts';
import { TableRefusal, type TableChoice, type TableFormat, type TableLook, type TableRow } from './table.ts';
import { refuseDangerous, sheetNames, xlsxRows } from './workbook.ts';

/** What the thread of a table does (`table-thread.ts`): everything here may take long in one piece. */

const mostColumns = 500;
const mostCellCharacters = 32_767;
/** Number of rows that decide about a column: its decimal sign, its coordinate system. */
const mostLooked = 2000;
const mostLookedCharacters = 4_000_000;

/** Looks into a file of unknown origin: .xlsx by its first bytes, else text. Throws TableRefusal. */
export async function lookInto(bytes: Uint8Array, choice: TableChoice): Promise<TableLook> {
  if (bytes.length === 0) throw new TableRefusal('fileEmpty');
  const format = await formatOf(bytes, choice);
  let headings: readonly string[] | undefined;
  const rows: TableRow[] = [];
  let characters = 0;
  for await (const row of rowsOf(bytes, format)) {
    if (headings === undefined) headings = row.cells.map((cell) => cell.trim());
    else rows.push(row);
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length >= mostLooked || characters > mostLookedCharacters) break;
  }
  if (headings === undefined || headings.every((heading) => heading === '')) throw new TableRefusal('fileEmpty');
  return { format, headings, rows };
}

async function formatOf(bytes: Uint8Array, choice: TableChoice): Promise<TableFormat> {
  const [a, b, c, d] = bytes;
  if (a === 0x50 && b === 0x4b) {
    refuseDangerous(bytes);
    const sheets = await sheetNames(bytes);
    return {
      kind: 'xlsx',
      sheets,
      sheet: choice.sheet !== undefined && sheets.includes(choice.sheet) ? choice.sheet : (sheets[0] ?? ''),
    };
  }
  // An old .xls, or an .xlsx with a password, is an OLE container.
  if (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0) throw new TableRefusal('fileLocked');
  return csvFormat(bytes, choice);
}

/**
 * Every row that holds anything, in order; memory does not grow with their number. Throws TableRefusal where the file
 * breaks off.
 */
export async function* rowsOf(bytes: Uint8Array, format: TableFormat): AsyncGenerator<TableRow> {
  for await (const { number, cells } of format.kind === 'csv'
    ? csvRows(bytes, format)
    : xlsxRows(bytes, format.sheet)) {
    if (cells.length > mostColumns) throw new TableRefusal('fileTooWide');
    if (cells.every((cell) => cell.trim() === '')) continue;
    yield {
      number,
      cells: cells.map((cell) => (cell.length > mostCellCharacters ? cell.slice(0, mostCellCharacters) : cell)),
    };
  }
}
