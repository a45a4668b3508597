import type { Language } from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getImport, listImports } from '../../../../contract/register/imports.ts';
import type { TableFormat } from '../../platform/table-file/index.ts';
import type * as store from './imports.store.ts';
import type { RowProblem } from './row.ts';
import { problemText } from './workbooks.ts';

export type View = ReplyOf<typeof getImport>;

export const formatView = (format: TableFormat): View['format'] =>
  format.kind === 'csv'
    ? {
        kind: format.kind,
        encoding: format.encoding,
        delimiter: format.delimiter,
        sheet: null,
        sheets: [],
        sure: format.sure ?? true,
        candidates: [...(format.candidates ?? [])],
      }
    : {
        kind: format.kind,
        encoding: null,
        delimiter: null,
        sheet: format.sheet,
        sheets: [...format.sheets],
        sure: true,
        candidates: [],
      };

/** What an import came to, with the step that was begun last: what the list tells. */
export const stateOf = (one: store.StoredState, task: View['task']): ReplyOf<typeof listImports>['data'][number] => ({
  id: one.id,
  family: one.family,
  state: one.state,
  fileName: one.fileName,
  bytes: one.fileBytes,
  counts: one.counts,
  task,
  accountName: one.accountName,
  createdAt: one.createdAt.toISOString(),
  appliedAt: one.appliedAt?.toISOString() ?? null,
  undoneAt: one.undoneAt?.toISOString() ?? null,
  notUndone: one.notUndone,
  ...(one.rowsRemovedAt ? { rowsRemovedAt: one.rowsRemovedAt.toISOString() } : {}),
});

export const said = (problem: RowProblem, language: Language) => ({
  field: problem.field,
  rule: problem.rule,
  message: problemText({ ...problem, text: null }, language),
  text: problem.text,
});
