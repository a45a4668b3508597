import type { Static } from 'typebox';
import type { NightExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import { nightSheet, type NightSheetParams } from './night-sheet.ts';
import { askedOf, isDay, seenNight } from './reading.service.ts';
import { countLamps } from './reading.store.ts';
import { nightTexts } from './texts.ts';

type Params = Static<typeof NightExport>;
export interface NightExportParts {
  readonly db: Db;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

/** Lamps of a night as long work: a sheet, or a text file with commas. */
export function nightExportTask({ db, sheets, areasOf }: NightExportParts): {
  readonly 'export.plan-night': TaskKind<Params>;
} {
  async function counted({ day, workAreaId, format: _format, ...filter }: Params, accountId: number | null) {
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    const asked = askedOf(scope, day, filter);
    await seenNight(db, scope, day);
    return { scope, asked, count: await countLamps(db, scope, asked) };
  }
  return {
    'export.plan-night': {
      permission: 'plan.query',
      action: 'plan.exportNight',
      problems: ({ day }) => (day === undefined || isDay(day) ? [] : [{ field: 'day', rule: 'invalid' }]),
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const order: NightSheetParams = { ...(await counted(params, accountId)), language, timezoneOffset };
        const format = params.format ?? 'xlsx';
        return {
          name: `${nightTexts[language].title} ${params.day}.${format}`,
          content: sheets.stream(nightSheet, order, progress, format),
        };
      },
    },
  };
}
