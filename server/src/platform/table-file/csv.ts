import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { detectDelimiter } from 'hucre/csv';
import { decoderOf } from './encodings.ts';
import { guessEncoding } from './guess-encoding.ts';
import { TableRefusal, type TableChoice, type TableFormat, type TableRow } from './table.ts';

type CsvFormat = Extract<TableFormat, { kind: 'csv' }>;
const looked = 16 * 1024;
const chunk = 64 * 1024;
const longestRecord = 2_000_000;
/** A record of more cells is refused while it is read; what counts exactly is counted of what was read. */
const mostCells = 2000;

/**
 * How a text file is to be read: what was chosen, else the encoding by its bytes and the delimiter by its first lines.
 */
export function csvFormat(bytes: Uint8Array, choice: TableChoice): CsvFormat {
  const { encoding: guessed, sure, candidates } = guessEncoding(bytes);
  const encoding = choice.encoding ?? guessed;
  const head = decoderOf(encoding).write(bytes.subarray(0, looked));
  // Of binary files of any other kind. With a chosen encoding a file of text is a text whatever comes out.
  if (choice.encoding === undefined && /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.slice(0, 4096)))
    throw new TableRefusal('fileNotTable');
  return {
    kind: 'csv',
    encoding,
    delimiter: choice.delimiter ?? detectDelimiter(head),
    sure: choice.encoding !== undefined || sure,
    candidates,
  };
}

/** The records of a CSV file; quotes inside unquoted cells and ragged rows are taken as they are. */
export async function* csvRows(bytes: Uint8Array, { encoding, delimiter }: CsvFormat): AsyncGenerator<TableRow> {
  const decoder = decoderOf(encoding);
  const refuseWide = cellCounter(delimiter);
  function* texts(): Generator<string> {
    for (let at = 0; at <= bytes.length; at += chunk) {
      const text = at < bytes.length ? decoder.write(bytes.subarray(at, at + chunk)) : '';
      refuseWide(text);
      if (text !== '') yield text;
    }
    const last = decoder.end();
    if (last !== '') yield last;
  }
  const parser = Readable.from(texts())
    .on('error', (error) => parser.destroy(error))
    .pipe(
      parse({
        delimiter,
        bom: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: false,
        max_record_size: longestRecord,
        info: true,
        encoding: 'utf8',
      }),
    );
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

/**
 * Counts the cells of each line as the text goes by, so that a line of a million cells is refused before it is taken
 * apart.
 */
function cellCounter(delimiter: string): (text: string) => void {
  let [cells, quoted, atStart] = [1, false, true];
  return (text) => {
    for (const sign of text) {
      if (quoted) quoted = sign !== '"';
      else if (sign === '"' && atStart) quoted = true;
      else if (sign === '\n' || sign === '\r') cells = 1;
      else if (sign === delimiter && (cells += 1) > mostCells) throw new TableRefusal('fileTooWide');
      atStart = sign === delimiter || sign === '\n' || sign === '"';
    }
  };
}
