import { sql } from 'kysely';
import { lampFamilies, namedBy } from '../../../../catalogue/index.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { search } from '../../../../contract/register/search.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { visibleDevices } from '../devices/index.ts';
import * as store from './search.store.ts';

const shown = 8;
const carrying = sql<boolean>`d.family = ANY(${namedBy('pole_id')})`;
type Groups = ReplyOf<typeof search>['groups'];

/** The global search over what a caller may see: its work areas, and the kinds its rights open a page for. */
export function createSearch({ db }: { readonly db: Db }) {
  return {
    async find(caller: Caller, query: string): Promise<{ groups: Groups }> {
      if (query.trim() === '') return { groups: [] };
      const may = (...codes: Permission[]) => codes.some((code) => caller.permissions.has(code));
      const devices = (where: ReturnType<typeof sql<boolean>>) =>
        store.findDevices(db, query, sql`${visibleDevices(caller)} AND ${where}`, shown);
      const [poles, others, roads] = await Promise.all([
        may('device.query') ? devices(carrying) : [],
        may('device.query')
          ? devices(sql`NOT ${carrying}`)
          : may('lamp.monitor')
            ? devices(sql`d.family = ANY(${lampFamilies})`)
            : [],
        may('lamp.monitor', 'record.query') ? store.findRoads(db, query, visibleRoads(caller), shown) : [],
      ]);
      const groups: Groups = [
        { kind: 'pole', items: poles },
        { kind: 'device', items: others },
        { kind: 'road', items: roads },
      ];
      return { groups: groups.filter(({ items }) => items.length > 0) };
    },
  };
}
export type Search = ReturnType<typeof createSearch>;

function visibleRoads({ workAreas, workAreaId }: Caller) {
  const inside = workAreaId === null ? sql<boolean>`true` : sql<boolean>`r.work_area_id = ${workAreaId}`;
  return workAreas === 'all' ? inside : sql<boolean>`(${inside} AND r.work_area_id = ANY(${[...workAreas]}::bigint[]))`;
}
