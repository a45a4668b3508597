import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { listExpiries } from '../../../../contract/register/statistics.ts';
import type { Clock } from '../../platform/clock.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import type { RequestContext } from '../../platform/http/index.ts';
import * as store from './expiries.store.ts';
import { refuseUnknownFamily, thisMinute } from './expiry-asked.ts';

type Ctx = Pick<RequestContext, 'caller'>;
export type Expiries = ReturnType<typeof createExpiries>;

const usualSize = 50;

/** What of the register ends soon, or has ended: warranties and SIM cards. */
export function createExpiries({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const counter = createRowCounter({ db, clock });
  return {
    async list(
      { caller }: Ctx,
      { field, within, page = 1, size = usualSize, ...filters }: QueryOf<typeof listExpiries>,
    ): Promise<ReplyOf<typeof listExpiries>> {
      refuseUnknownFamily(filters.family);
      const now = thisMinute(clock);
      const [counts, data] = await Promise.all([
        store.countExpiries(counter, caller, filters, field, now),
        store.findExpiries(db, caller, filters, {
          field,
          within,
          now,
          limit: size,
          offset: Math.max(0, page - 1) * size,
        }),
      ]);
      return { data, recordsTotal: counts[within], counts };
    },
  };
}
