import type { Static } from 'typebox';
import { namesIn } from '../../../../catalogue/index.ts';
import type { DeviceExport } from '../../../../contract/desk/task-kinds.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { problemsOf, refuse, refuseFields, type RuleProblem } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { deviceSheet } from './device-sheet.ts';
import { conditionsOf, familyNamed, tablesOf, type DeviceQuery } from './devices.query.ts';
import { countAll } from './devices.store.ts';
import { scopeOfAccount, type AreasOf } from './visible.query.ts';

type Params = Static<typeof DeviceExport>;
export interface DeviceExportParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

const mostRows = 1_000_000;
/** Which words a list takes does not depend on who asks. */
const nobody = { accountId: 0, workAreas: [], workAreaId: null } as const;
const numbers = ['workArea', 'roadId', 'groupId', 'poleId', 'parentId'] as const;

/** The filters of a list as they stand in its address, and what is none, by name. */
async function queryOf({ family, query }: Params): Promise<{
  readonly query: DeviceQuery & { readonly family: string };
  readonly problems: readonly RuleProblem[];
}> {
  familyNamed(family);
  const { page: _page, size: _size, sort: _sort, ...filters } = query;
  const malformed = [
    ...numbers.filter((key) => filters[key] !== undefined && !/^[1-9]\d{0,14}$/.test(filters[key])),
    ...(filters['online'] === undefined || /^(true|false)$/.test(filters['online']) ? [] : ['online']),
    ...(filters['ids'] === undefined || /^\d{1,15}(,\d{1,15})*$/.test(filters['ids']) ? [] : ['ids']),
  ];
  const { online, ...rest } = filters;
  const read = { ...rest, ...(online === undefined ? {} : { online: online === 'true' }), family };
  const foreign = await problemsOf(() => void conditionsOf(nobody, read));
  return {
    query: read,
    problems: [...malformed.map((field) => ({ field, rule: 'type' as const })), ...foreign].map((problem) => ({
      ...problem,
      field: `query.${problem.field}`,
    })),
  };
}

/** The export of a family's list as long work: what is filtered, in a sheet that imports unchanged. */
export function deviceExportTask({ db, clock, sheets, areasOf }: DeviceExportParts): {
  readonly 'export.devices': TaskKind<Params>;
} {
  async function counted(params: Params, accountId: number | null) {
    const { query, problems } = await queryOf(params);
    if (problems.length > 0) throw refuseFields(...problems);
    const scope = await scopeOfAccount(areasOf, accountId, params.workAreaId);
    const count = await countAll(db, { tables: tablesOf(query), where: conditionsOf(scope, query) });
    if (count > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
    return { query, scope, count };
  }
  return {
    'export.devices': {
      permission: 'device.export',
      action: 'device.export',
      problems: async ({ family, query }) =>
        family === undefined || query === undefined ? [] : (await queryOf({ family, query } as Params)).problems,
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, accountId }, progress) {
        const { query, scope, count } = await counted(params, accountId);
        const day = clock.now().toISOString().slice(0, 10);
        return {
          name: `${namesIn(language).family(params.family)} ${day}.xlsx`,
          content: sheets.stream(deviceSheet, { query, scope, language, count }, progress),
        };
      },
    },
  };
}
