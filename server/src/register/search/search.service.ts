import type { Permission } from '../../../../contract/permissions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { search } from '../../../../contract/register/search.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import * as store from './search.store.ts';

const shown = 8;
type Groups = ReplyOf<typeof search>['groups'];

/** The global search over what a caller may see: its work areas, and the kinds its rights open a page for. */
export function createSearch({ db }: { readonly db: Db }) {
  return {
    async find(caller: Caller, query: string): Promise<{ groups: Groups }> {
      if (query.trim() === '') return { groups: [] };
      const may = (...codes: Permission[]) => codes.some((code) => caller.permissions.has(code));
      const devices = (which: store.Which) => store.findDevices(db, query, caller, which, shown);
      const [poles, others, roads] = await Promise.all([
        may('device.query') ? devices('poles') : [],
        may('device.query') ? devices('others') : may('lamp.monitor') ? devices('lamps') : [],
        may('lamp.monitor', 'record.query') ? store.findRoads(db, query, caller, shown) : [],
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
