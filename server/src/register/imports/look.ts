import { createHash } from 'node:crypto';
import type { BodyOf } from '../../../../contract/route.ts';
import type { chooseText } from '../../../../contract/register/imports.ts';
import { refuse, refuseFields, type FieldProblem } from '../../platform/http/index.ts';
import {
  inspectTable,
  isEncoding,
  TableRefusal,
  type TableChoice,
  type TableLook,
} from '../../platform/table-file/index.ts';
import type * as store from './imports.store.ts';
import { decimalsOf } from './numbers.ts';

const samplesShown = 5;

/** What cannot be read as a table is refused by its reason. */
export async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw thrown instanceof TableRefusal ? refuse(thrown.fault) : thrown;
  }
}

export const inspected = (bytes: Buffer, choice: TableChoice = {}): Promise<TableLook> =>
  readable(inspectTable(bytes, choice));

export const fingerprintOf = (family: string, headings: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([family, headings]))
    .digest('hex');
export const columnsOf = ({ headings, rows }: TableLook): store.Column[] =>
  headings.map((title, column) => {
    const decimals = decimalsOf(rows.map(({ cells }) => cells[column] ?? ''));
    return {
      title: title.slice(0, 200),
      samples: rows.slice(0, samplesShown).map(({ cells }) => (cells[column] ?? '').slice(0, 60)),
      ...(decimals ? { decimals } : {}),
    };
  });

export const refuseAny = (problems: readonly FieldProblem[]): void => {
  if (problems.length > 0) throw refuseFields(...problems);
};

/** What a caller says of a text file; encodings by their names on the web. */
export const choiceProblems = ({ encoding }: { readonly encoding?: string | undefined }): FieldProblem[] =>
  encoding === undefined || isEncoding(encoding) ? [] : [{ field: 'encoding', rule: 'enum' }];
export function choiceOf({ encoding, delimiter }: BodyOf<typeof chooseText>): TableChoice {
  refuseAny(choiceProblems({ encoding }));
  return {
    ...(encoding !== undefined && isEncoding(encoding) ? { encoding } : {}),
    ...(delimiter === undefined ? {} : { delimiter }),
  };
}

export const sheetProblems = ({ format }: store.StoredImport, sheet: string): FieldProblem[] =>
  format.kind !== 'xlsx' || !format.sheets.includes(sheet) ? [{ field: 'sheet', rule: 'enum' }] : [];
