import { inflateRawSync } from 'node:zlib';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { TableRefusal, type TableRow } from './table.ts';

/** A workbook of 1,048,576 rows × 30 columns unpacks to less. */
const mostUnpacked = 1_500_000_000;
/** Spreadsheets pack about 10 : 1, the emptiest ones 100 : 1. */
const mostRatio = 400;
const mostEntries = 2000;
const xmlLooked = 16 * 1024;

interface Entry {
  readonly name: string;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
  readonly method: number;
}

/**
 * Reads the directory at the end of the zip, before anything is unpacked: a bomb is refused by the sizes it states
 * (what it does not state the reader stops at), and a part that declares a document type, with which entities come, by
 * its first bytes.
 */
export function refuseDangerous(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = entriesOf(view);
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0);
  if (entries.length > mostEntries || unpacked > mostUnpacked || unpacked > mostRatio * Math.max(bytes.length, 4096))
    throw new TableRefusal('fileTooLarge');
  if (!entries.some((entry) => entry.name === '[Content_Types].xml')) throw new TableRefusal('fileNotTable');
  for (const entry of entries)
    if (/\.(xml|rels)$/i.test(entry.name) && declaresType(bytes, view, entry)) throw new TableRefusal('fileDamaged');
}

/** What a zip says that it holds, or undefined when it says nothing readable; nothing is unpacked. */
export function namesInZip(bytes: Uint8Array): string[] | undefined {
  try {
    return entriesOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)).map(({ name }) => name);
  } catch (thrown) {
    if (thrown instanceof TableRefusal || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function entriesOf(view: DataView): Entry[] {
  const end = endOf(view);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  const count = view.getUint16(end + 10, true);
  for (let index = 0; index < Math.min(count, mostEntries + 1); index += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50) throw new TableRefusal('fileDamaged');
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + 46, Math.min(nameLength, view.byteLength - at - 46)),
    );
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The record that ends a zip: 22 bytes and a comment of at most 64 KiB. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 65_535); at -= 1)
    if (view.getUint32(at, true) === 0x06054b50) return at;
  throw new TableRefusal('fileDamaged');
}

function declaresType(bytes: Uint8Array, view: DataView, entry: Entry): boolean {
  if (entry.at + 30 > bytes.length) throw new TableRefusal('fileDamaged');
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const packed = bytes.subarray(start, start + Math.min(entry.packed || xmlLooked, xmlLooked));
  return /<!(DOCTYPE|ENTITY)/i.test(
    Buffer.from(entry.method === 8 ? beginning(packed) : packed)
      .toString('latin1')
      .replaceAll('\0', ''),
  );
}

/** As much as these first bytes unpack to. */
function beginning(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { finishFlush: 2, maxOutputLength: 4 * 1024 * 1024 });
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new TableRefusal('fileTooLarge', { cause: thrown });
    throw new TableRefusal('fileDamaged', { cause: thrown });
  }
}

/** Names of the sheets, in order. */
export async function sheetNames(bytes: Uint8Array): Promise<string[]> {
  return guarded(async () => (await readXlsx(bytes, { maxRows: 1 })).sheets.map(({ name }) => name));
}

/** The rows of one sheet; numbers as they are stored, days as yyyy-MM-dd, times with their clock. */
export async function* xlsxRows(bytes: Uint8Array, sheet: string): AsyncGenerator<TableRow> {
  const rows = streamXlsxRows(bytes, { sheet });
  for (;;) {
    const next = await guarded(() => rows.next());
    if (next.done === true) return;
    yield { number: next.value.index + 1, cells: next.value.values.map(cellText) };
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime())
      ? ''
      : cell.toISOString().replace('T00:00:00.000Z', '').replace('T', ' ').replace('.000Z', '');
  if (typeof cell === 'number') return plain(cell);
  return typeof cell === 'string' || typeof cell === 'boolean' ? String(cell) : '';
}

/** 0.1 + 0.2 is shown as 0.3 by every spreadsheet: 15 digits count. Never with an exponent. */
const plain = (n: number): string =>
  Number(n.toPrecision(15)).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof TableRefusal) throw thrown;
    throw new TableRefusal('fileDamaged', { cause: thrown });
  }
}
