import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { CommandExport } from '../../../../contract/desk/task-kinds.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, visibleDevices, type AreasOf } from '../../register/devices/index.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { commandSheet, type CommandSheetParams } from './command-sheet.ts';
import { commandTexts } from './texts.ts';

type Params = Static<typeof CommandExport>;
export interface CommandExportParts {
  readonly db: Db;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

/** The results of a command as long work: a sheet, or a text file with commas. */
export function commandExportTask({ db, sheets, areasOf }: CommandExportParts): {
  readonly 'export.command': TaskKind<Params>;
} {
  async function counted({ commandId, states, workAreaId }: Params, accountId: number | null) {
    const scope = await scopeOfAccount(areasOf, accountId, workAreaId);
    const {
      rows: [row],
    } = await sql<{
      all: number;
      seen: number;
      count: number;
    }>`SELECT count(*)::int AS all, (count(*) FILTER (WHERE ${visibleDevices(scope)}))::int AS seen,
        (count(*) FILTER
          (WHERE ${visibleDevices(scope)}${states ? sql` AND i.state = ANY(${states}::text[])` : sql``}))::int AS count
      FROM command_item i JOIN device d ON d.id = i.device_id WHERE i.command_id = ${commandId}`.execute(db);
    if (!row || row.all === 0) throw refuse('notFound');
    if (row.seen === 0) throw refuse('foreignWorkArea');
    return { scope, count: row.count };
  }
  return {
    'export.command': {
      permission: 'lamp.monitor',
      action: 'command.export',
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const { scope, count } = await counted(params, accountId);
        const order: CommandSheetParams = {
          commandId: params.commandId,
          states: params.states,
          scope,
          language,
          timezoneOffset,
          count,
        };
        const name = `${commandTexts[language].title} ${params.commandId}.${params.format}`;
        return { name, content: sheets.stream(commandSheet, order, progress, params.format) };
      },
    },
  };
}
