import type { Static } from 'typebox';
import type { FailedRowsExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import type { AreasOf } from '../devices/index.ts';
import { failedSheet } from './failed-sheet.ts';
import { findImport } from './imports.store.ts';
import { keptDays } from './retention.ts';
import { importTexts } from './texts.ts';

type Params = Static<typeof FailedRowsExport>;
export interface FailedRowsExportParts {
  readonly db: Db;
  readonly files: Files;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

/** The failed rows of an import as long work; they can be mended and imported again. */
export function failedRowsTask({ db, files, sheets, areasOf }: FailedRowsExportParts): {
  readonly 'export.failed-rows': TaskKind<Params>;
} {
  /** Everybody sees his own imports, an administrator (who sees all work areas) everybody's. */
  async function own(importId: number, accountId: number | null) {
    const one = await findImport(db, importId);
    if (!one || accountId === null) return undefined;
    return one.accountId === accountId || (await areasOf(accountId)) === 'all' ? one : undefined;
  }
  async function found({ importId }: Params, accountId: number | null) {
    const one = await own(importId, accountId);
    if (!one?.counts || one.counts.error === 0) throw refuse('notFound');
    if (one.rowsRemovedAt) throw refuse('importRowsGone', { days: await keptDays(db) });
    return { ...one, count: one.counts.error };
  }
  return {
    'export.failed-rows': {
      permission: 'device.import',
      action: 'device.import.exportFailed',
      problems: async ({ importId }, { accountId }) =>
        importId === undefined || (await own(importId, accountId)) ? [] : [{ field: 'importId', rule: 'notFound' }],
      check: async (params, { accountId }) => ({ total: (await found(params, accountId)).count }),
      async run(params, { language, accountId }, progress) {
        const { id, family, fileName, columns, format, file, count } = await found(params, accountId);
        const bytes = await files.get(file);
        if (!bytes) throw refuse('taskFileGone');
        const titles = columns.map(({ title }) => title);
        return {
          name: `${importTexts[language].failed} ${fileName.replace(/\.\w+$/, '')}.xlsx`,
          content: sheets.stream(
            failedSheet,
            { importId: id, family, titles, bytes, format, language, count },
            progress,
          ),
        };
      },
    },
  };
}
