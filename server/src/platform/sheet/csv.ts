import type { Sheet, SheetCell } from './sheet.ts';

/**
 * A sheet as text with commas (RFC 4180), with the mark by which spreadsheets know UTF-8; what looks like a formula
 * begins with an apostrophe.
 */
export async function* csvOf({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`\ufeff${line(columns.map(({ title }) => title))}`);
  for await (const batch of rows) yield encoder.encode(batch.map(line).join(''));
}

const line = (cells: readonly SheetCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(cell: SheetCell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ');
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
