import type { Static } from 'typebox';
import { namesIn } from '../../../../catalogue/index.ts';
import type { DeviceExport } from '../../../../contract/routes/tasks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { problemsOf, refuse, refuseFields } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import type { TaskKind } from '../tasks/index.ts';
import { deviceSheet } from './device-sheet.ts';
import { conditionsOf, familyNamed, tablesOf, type DeviceQuery } from './devices.query.ts';
import { countAll } from './devices.store.ts';
import { scopeOfAccount, type AreasOf } from './visible.ts';

type Params = Static<typeof DeviceExport>;
export interface DeviceExportParts {
  readonly db: Db; readonly clock: Clock; readonly sheets: Sheets; readonly areasOf: AreasOf;
}

const mostRows = 1_000_000;
/** Which words a list takes does not depend on who asks. */
const nobody = { accountId: 0, workAreas: [], workAreaId: null } as const;
const numbers = ['workArea', 'roadId', 'groupId', 'poleId', 'parentId'] as const;

/** The filters of a list as they stand in its address; refuses by name what is none. */
function queryOf({ family, query }: Params): DeviceQuery & { readonly family: string } {
  familyNamed(family);
  const { page: _page, size: _size, sort: _sort, ...filters } = query;
  const wrong = [
    ...numbers.filter((key) => filters[key] !== undefined && !/^[1-9]\d{0,14}$/.test(filters[key])),
    ...(filters['online'] === undefined || /^(true|false)$/.test(filters['online']) ? [] : ['online']),
    ...(filters['ids'] === undefined || /^\d{1,15}(,\d{1,15})*$/.test(filters['ids']) ? [] : ['ids']),
  ];
  if (wrong.length > 0) throw refuseFields(...wrong.map((key) => ({ field: `query.${key}`, rule: 'type' as const })));
  const { online, ...rest } = filters;
  return { ...rest, ...(online === undefined ? {} : { online: online === 'true' }), family };
}

/** The export of a family's list as long work: what is filtered, in a sheet that imports unchanged. */
export function deviceExportTask({ db, clock, sheets, areasOf }: DeviceExportParts): { readonly 'export.devices': TaskKind<Params> } {
  async function counted(params: Params, accountId: number | null) {
    const [query, scope] = [queryOf(params), await scopeOfAccount(areasOf, accountId, params.workAreaId)];
    const count = await countAll(db, { tables: tablesOf(query), where: conditionsOf(scope, query) });
    if (count > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
    return { query, scope, count };
  }
  return {
    'export.devices': {
      permission: 'device.export', action: 'device.export',
      problems: ({ family, query }) => (family === undefined || query === undefined ? [] : problemsOf(() => void queryOf({ family, query } as Params), () => void conditionsOf(nobody, { ...query, family } as DeviceQuery))),
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, accountId }, progress) {
        const { query, scope, count } = await counted(params, accountId);
        const day = clock.now().toISOString().slice(0, 10);
        return { name: `${namesIn(language).family(params.family)} ${day}.xlsx`, content: sheets.stream(deviceSheet, { query, scope, language, count }, progress) };
      },
    },
  };
}
