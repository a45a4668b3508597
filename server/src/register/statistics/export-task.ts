import type { Static } from 'typebox';
import type { ExpiryExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, type AreasOf } from '../devices/index.ts';
import { countExpiries } from './expiries.store.ts';
import { hasUnknownFamily, refuseUnknownFamily, thisMinute } from './expiry-asked.ts';
import { expirySheet } from './expiry-sheet.ts';
import { statisticsTexts } from './texts.ts';

type Params = Static<typeof ExpiryExport>;
export interface ExpiryExportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

/** What ends soon, or has ended, as long work: the whole list as a sheet. */
export function expiryExportTask({ db, clock, sheets, areasOf }: ExpiryExportParts): {
  readonly 'export.expiries': TaskKind<Params>;
} {
  const counter = createRowCounter({ db, clock });
  async function counted({ field, within, workAreaId, ...filters }: Params, accountId: number | null) {
    refuseUnknownFamily(filters.family);
    const now = thisMinute(clock);
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    const counts = await countExpiries(counter, scope, filters, field, now);
    return { filters, field, within, now, scope, count: counts[within] };
  }
  return {
    'export.expiries': {
      permission: 'device.export',
      action: 'device.exportExpiries',
      problems: ({ family }) => (hasUnknownFamily(family) ? [{ field: 'family', rule: 'enum' }] : []),
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, accountId }, progress) {
        const order = await counted(params, accountId);
        return {
          name: `${statisticsTexts[language].expiries[order.field]} ${order.now.toISOString().slice(0, 10)}.xlsx`,
          content: sheets.stream(expirySheet, { ...order, language }, progress),
        };
      },
    },
  };
}
