import type { Static } from 'typebox';
import type { ConnectionExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import { problemsOf, refuse } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import { connectionSheet } from './connection-sheet.ts';
import { asked } from './connections.store.ts';
import { checked } from './filters.ts';
import { connectionTexts } from './texts.ts';

type Params = Static<typeof ConnectionExport>;
export interface ConnectionExportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

const mostRows = 200_000;

/** The connection log as long work: what is filtered, as a sheet. */
export function connectionExportTask({ db, clock, sheets, areasOf }: ConnectionExportParts): {
  readonly 'export.connections': TaskKind<Params>;
} {
  const counter = createRowCounter({ db, clock });
  async function counted({ workAreaId, ...filters }: Params, accountId: number | null) {
    checked(filters);
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    const count = await counter.all(asked(scope, filters));
    if (count > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
    return { filters, scope, count };
  }
  return {
    'export.connections': {
      permission: 'device.export',
      action: 'connection.export',
      problems: ({ family, from, to }) =>
        problemsOf(
          () => void checked({ family }),
          () => void checked({ from, to }),
        ),
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const order = { ...(await counted(params, accountId)), language, timezoneOffset };
        return {
          name: `${connectionTexts[language].title} ${clock.now().toISOString().slice(0, 10)}.xlsx`,
          content: sheets.stream(connectionSheet, order, progress),
        };
      },
    },
  };
}
