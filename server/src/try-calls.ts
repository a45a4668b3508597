import { dryRunThings, type DryRunThing, type Would } from '../../contract/dry-run.ts';
import type { Database } from './platform/db/index.ts';
import type { DryRun } from './platform/http/index.ts';

/** The thing that a row of a table is to people; rows of other tables follow from these. */
const thingOf: Readonly<Record<string, DryRunThing>> = {
  batch: 'batches',
  command: 'commands',
  command_item: 'commandTargets',
  command_pace: 'paces',
  device: 'devices',
  device_account: 'deviceAccounts',
  device_address: 'addresses',
  device_credential: 'credentials',
  equipment_group: 'records',
  holiday: 'holidays',
  lamp_position: 'positions',
  loop: 'records',
  newcomer: 'newcomers',
  plan_assignment: 'assignments',
  plan_exception: 'exceptions',
  plan_exception_item: 'exceptionLamps',
  publication: 'publications',
  publication_item: 'publicationLamps',
  road: 'records',
  road_rows: 'roadRows',
  scheme: 'schemes',
  scheme_draft: 'schemes',
  scheme_version: 'schemes',
  setting: 'settings',
  template_draft: 'templates',
  template_version: 'templates',
  work_area: 'records',
  work_parameter_template: 'templates',
};
const tables = Object.keys(thingOf);

/** Tries calls of HTTP on a database, and says what they would change in the words of the contract. */
export const tryCalls =
  ({ dryRun }: Pick<Database, 'dryRun'>): DryRun =>
  async (work) => {
    const { answer, written } = await dryRun(tables, work);
    const things: Would['things'] = {};
    let changed = 0;
    for (const thing of dryRunThings) {
      const rows = [...written].flatMap(([table, count]) => (thingOf[table] === thing ? [count] : []));
      if (rows.length === 0) continue;
      const sum = { added: 0, changed: 0, removed: 0 };
      for (const kind of ['added', 'changed', 'removed'] as const) for (const row of rows) sum[kind] += row[kind];
      things[thing] = sum;
      changed += sum.added + sum.changed + sum.removed;
    }
    return { answer, would: { changed, things } };
  };
