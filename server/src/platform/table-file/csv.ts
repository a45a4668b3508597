import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { detectDelimiter } from 'hucre/csv';
import { TableRefusal, type TableFormat, type TableRow } from './table.ts';

type CsvFormat = Extract<TableFormat, { kind: 'csv' }>;
const looked = 64 * 1024;
const chunk = 256 * 1024;
const longestRecord = 2_000_000;

/** Encoding by mark, by validity as UTF-8, else GB18030 (as Excel in Chinese writes); the delimiter by the first lines. */
export function csvFormat(bytes: Uint8Array): CsvFormat {
  const encoding = encodingOf(bytes);
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, looked));
  // Of binary files of any other kind.
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.slice(0, 4096))) throw new TableRefusal('fileNotTable');
  return { kind: 'csv', encoding, delimiter: detectDelimiter(head) };
}

function encodingOf(bytes: Uint8Array): CsvFormat['encoding'] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'gb18030';
}

/** The whole file counts: the first bytes of a list are often plain ASCII. */
function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += chunk) decoder.decode(bytes.subarray(at, at + chunk), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** The records of a CSV file; quotes inside unquoted cells and ragged rows are taken as they are. */
export async function* csvRows(bytes: Uint8Array, { encoding, delimiter }: CsvFormat): AsyncGenerator<TableRow> {
  const decoder = new TextDecoder(encoding);
  function* texts(): Generator<string> {
    for (let at = 0; at < bytes.length; at += chunk) yield decoder.decode(bytes.subarray(at, at + chunk), { stream: true });
    yield decoder.decode();
  }
  const parser = Readable.from(texts()).pipe(parse({
    delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: false, max_record_size: longestRecord, info: true, encoding: 'utf8',
  }));
  let number = 0;
  try {
    for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
      number += 1;
      yield { number, cells: record };
    }
  } catch (thrown) {
    throw thrown instanceof TableRefusal ? thrown : new TableRefusal('fileDamaged', { cause: thrown });
  }
}
