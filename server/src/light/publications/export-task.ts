import type { Static } from 'typebox';
import type { PublicationLampsExport, PublicationsExport } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { problemsOf, refuse } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import { publicationLampSheet, publicationSheet } from './publication-sheet.ts';
import { countItems, countRows } from './reading.store.ts';
import { filterOf, itemFilterOf } from './reading.service.ts';
import { publicationTexts } from './texts.ts';

export interface ListExportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

/** Publications and the lamps of one as long work: a sheet, or a text file with commas. */
export function publicationExportTasks({ db, clock, sheets, areasOf }: ListExportParts): {
  readonly 'export.publications': TaskKind<Static<typeof PublicationsExport>>;
  readonly 'export.publication-lamps': TaskKind<Static<typeof PublicationLampsExport>>;
} {
  async function listed({ workAreaId, ...query }: Static<typeof PublicationsExport>, accountId: number | null) {
    const filter = filterOf(query, clock.now());
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    return { filter, scope, count: await countRows(db, scope, filter) };
  }
  async function lamps(
    { publicationId: id, workAreaId, ...query }: Static<typeof PublicationLampsExport>,
    accountId: number | null,
  ) {
    const filter = itemFilterOf(query);
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    const { all, seen, count } = await countItems(db, scope, id, filter);
    if (all === 0) throw refuse('notFound');
    if (seen === 0) throw refuse('foreignWorkArea');
    return { id, filter, scope, count };
  }
  return {
    'export.publications': {
      permission: 'plan.query',
      action: 'publication.export',
      problems: ({ state, approval }) =>
        problemsOf(
          () => void filterOf({ state }, clock.now()),
          () => void filterOf({ approval }, clock.now()),
        ),
      check: async (params, { accountId }) => ({ total: (await listed(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const order = { ...(await listed(params, accountId)), language, timezoneOffset };
        return {
          name: `${publicationTexts[language].title} ${clock.now().toISOString().slice(0, 10)}.${params.format}`,
          content: sheets.stream(publicationSheet, order, progress, params.format),
        };
      },
    },
    'export.publication-lamps': {
      permission: 'plan.query',
      action: 'publication.exportLamps',
      problems: ({ state }) => problemsOf(() => void itemFilterOf({ state })),
      check: async (params, { accountId }) => ({ total: (await lamps(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const order = { ...(await lamps(params, accountId)), language, timezoneOffset };
        return {
          name: `${publicationTexts[language].lampsTitle} ${params.publicationId}.${params.format}`,
          content: sheets.stream(publicationLampSheet, order, progress, params.format),
        };
      },
    },
  };
}
