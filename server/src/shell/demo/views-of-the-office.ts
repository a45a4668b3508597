import { insertView } from '../../people/saved-views/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { PeopleIds } from './people.ts';

/** What the control room looks for every evening, shared with the colleagues of its areas. */
const views: readonly Omit<Parameters<typeof insertView>[1], 'accountId' | 'shared' | 'sort'>[] = [
  { list: 'lamps', name: '离线', conditions: { states: 'offline' } },
  { list: 'lamps', name: '过压、欠压', conditions: { faults: 'L105,L106' } },
  { list: 'lamps', name: '未按方案运行', conditions: { plan: 'astray' } },
  { list: 'single-lamp-controller', name: '离线的控制器', conditions: { online: 'false' } },
  { list: 'central-controller', name: '离线的集中器', conditions: { online: 'false' } },
];

/** Seeds shared views of lists, made by who is on duty at night. */
export async function seedViews(tx: Transaction, ids: PeopleIds): Promise<void> {
  for (const view of views) await insertView(tx, { ...view, sort: null, shared: true, accountId: ids['li.wei'] });
}
