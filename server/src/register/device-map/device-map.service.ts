import { createHash } from 'node:crypto';
import { families, familyOf } from '../../../../catalogue/index.ts';
import { differences } from '../../../../contract/device-map.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { getDeviceMap, listUnplacedDevices } from '../../../../contract/register/device-map.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { DeviceScope } from '../devices/index.ts';
import * as store from './device-map.store.ts';

export type DeviceMap = ReturnType<typeof createDeviceMap>;

/** The families asked for, in the catalogue's order; all of them when none is named. */
function familiesIn(text: string | undefined): string[] {
  const asked = text?.split(',') ?? families.map(({ key }) => key);
  if (asked.some((key) => familyOf(key) === undefined)) throw refuse('unknownFamily');
  return families.map(({ key }) => key).filter((key) => asked.includes(key));
}

const silent = families.filter(({ report }) => report === null).map(({ key }) => key);
const numbers = (text: string | null): number[] => (text === null ? [] : text.split(',').map(Number));

/** Where everything stands that a caller sees. */
export function createDeviceMap({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async columns(scope: DeviceScope, query: QueryOf<typeof getDeviceMap>): Promise<ReplyOf<typeof getDeviceMap>> {
      const asked = familiesIn(query.families);
      const at = clock.now().toISOString();
      const told = await store.findPlaced(db, scope, { families: asked, silent, roadId: query.roadId ?? null });
      const hash = createHash('sha256').update(asked.join());
      for (const column of [told.ids, told.kinds, told.xs, told.ys]) hash.update(`;${column ?? ''}`);
      const version = hash.digest('base64url').slice(0, 22);
      if (version === query.known) return { at, version, families: asked, columns: null };
      return {
        at,
        version,
        families: asked,
        columns: {
          ids: differences(numbers(told.ids)),
          kinds: numbers(told.kinds),
          dx: differences(numbers(told.xs)),
          dy: differences(numbers(told.ys)),
        },
      };
    },

    async unplaced(
      scope: DeviceScope,
      { families: text, q, page = 1, size = 20 }: QueryOf<typeof listUnplacedDevices>,
    ): Promise<ReplyOf<typeof listUnplacedDevices>> {
      return store.findUnplaced(db, scope, familiesIn(text), q?.trim() ?? '', {
        limit: size,
        offset: Math.max(0, page - 1) * size,
      });
    },
  };
}
