import { namesIn, type Language } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import { cellText, type SheetRow } from '../../platform/sheet/sheet.ts';
import { readTable, type TableFormat } from '../../platform/table-file/index.ts';
import { failedFrom } from './imports.store.ts';
import { problemHeadings } from './plan.ts';
import type { RowProblem } from './row.ts';
import { importTexts } from './texts.ts';
import { problemText } from './workbooks.ts';

export interface FailedSheetParams {
  readonly importId: number;
  readonly family: string;
  /** The headings of the file. */
  readonly titles: readonly string[];
  readonly bytes: Uint8Array;
  readonly format: TableFormat;
  readonly language: Language;
  readonly count: number;
}

/** The failed rows of a file with its own columns and one more: every reason. */
export const failedSheet: SheetKind<FailedSheetParams> = {
  module: import.meta.url,
  name: 'failedSheet',
  open: (db, params) => ({
    name: importTexts[params.language].dataSheet,
    columns: [
      ...params.titles.map((title) => ({ title, kind: 'text' as const, width: 16 })),
      { title: problemHeadings[params.language], kind: 'text' as const, width: 60 },
    ],
    rows: failedRows(db, params),
    count: params.count,
  }),
};

/** The failed rows of a file as they stand in it, with one more cell: every reason. */
async function* failedRows(
  db: Db,
  { importId: id, family, bytes, format, language }: FailedSheetParams,
): AsyncGenerator<readonly SheetRow[]> {
  const names = namesIn(language);
  const say = (problem: RowProblem): string =>
    `${names.field(problem.field, family)}${importTexts[language].colon}${problemText(problem, language)}`;
  const most = 500;
  let failed = await failedFrom(db, id, 0, most);
  let width = 0;
  let at = 0;
  let out: SheetRow[] = [];
  for await (const { number, cells } of readTable(bytes, format)) {
    if (width === 0) {
      width = cells.length;
      continue;
    }
    if (at >= failed.length) {
      if (failed.length < most) break;
      failed = await failedFrom(db, id, failed.at(-1)?.row ?? 0, most);
      at = 0;
      if (failed.length === 0) break;
    }
    if (number !== failed[at]?.row) continue;
    const problems = failed[at]?.problems ?? [];
    at += 1;
    out.push([
      ...Array.from({ length: width }, (_, column) => cellText(cells[column] ?? '')),
      cellText(problems.map(say).join('\n')),
    ]);
    if (out.length >= 100) {
      yield out;
      out = [];
    }
  }
  if (out.length > 0) yield out;
}
