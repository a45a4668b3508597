import type { Static } from 'typebox';
import type { ExceptionsExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { problemsOf } from '../../platform/http/index.ts';
import { scopeOfAccount } from '../../register/devices/index.ts';
import type { ListExportParts } from '../publications/index.ts';
import { exceptionSheet } from './exception-sheet.ts';
import { filterOf } from './reading.service.ts';
import { countRows } from './reading.store.ts';
import { exceptionTexts } from './texts.ts';

type Params = Static<typeof ExceptionsExport>;

/** Exceptions as long work: a sheet, or a text file with commas. */
export function exceptionExportTask({ db, clock, sheets, areasOf }: ListExportParts): {
  readonly 'export.plan-exceptions': TaskKind<Params>;
} {
  async function listed({ workAreaId, ...query }: Params, accountId: number | null) {
    const filter = filterOf(query, clock.now());
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    return { filter, scope, count: await countRows(db, scope, filter) };
  }
  return {
    'export.plan-exceptions': {
      permission: 'plan.query',
      action: 'exception.export',
      problems: ({ state, approval }) =>
        problemsOf(
          () => void filterOf({ state }, clock.now()),
          () => void filterOf({ approval }, clock.now()),
        ),
      check: async (params, { accountId }) => ({ total: (await listed(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const order = { ...(await listed(params, accountId)), language, timezoneOffset };
        return {
          name: `${exceptionTexts[language].title} ${clock.now().toISOString().slice(0, 10)}.${params.format}`,
          content: sheets.stream(exceptionSheet, order, progress, params.format),
        };
      },
    },
  };
}
