import type { Counted, Db, RowCounter } from '../../platform/db/index.ts';
import { refuseProblems } from '../../platform/http/index.ts';
import { orderOf } from './devices.order.query.ts';
import { findIds, findIdsFromEnd, type Chosen, type PageOfIds, type Start } from './devices.page.store.ts';
import type { DeviceQuery } from './devices.query.ts';
import { countAbout, countWhole } from './devices.store.ts';

/** From this far into a list it pays to know on which side of its middle a page is. */
const far = 10_000;

interface Parts {
  readonly db: Db;
  readonly counter: RowCounter;
}
/** The ids of a page, and how many the list has: asked only where the page does not tell by itself. */
type Page = PageOfIds & { count(): Promise<Counted> };

/** Finds the page that is asked for, by the shortest way. */
export async function findPage(parts: Parts, chosen: Chosen, query: DeviceQuery): Promise<Page> {
  const limit = query.size ?? 50;
  const [order, start] = [orderOf(query), startOf(query, limit)];
  const count = () => countAbout(parts.counter, chosen);
  if (!('offset' in start)) return { ...(await findIds(parts.db, chosen, order, start, limit)), count };
  const { offset } = start;
  if (offset >= far && offset > (await count()).count / 2) {
    const total = await countWhole(parts.counter, chosen);
    return {
      ...(await findIdsFromEnd(parts.db, chosen, order, offset, limit, total)),
      count: () => Promise.resolve({ count: total, exact: total <= far }),
    };
  }
  const page = await findIds(parts.db, chosen, order, start, limit);
  // A page that is not full, or the last one, tells by itself how many there are.
  const told = page.next === undefined && (page.ids.length > 0 || offset === 0);
  return { ...page, count: told ? () => Promise.resolve({ count: offset + page.ids.length, exact: true }) : count };
}

/** Where a page begins; a place of its own goes before a number. */
function startOf({ page, after, before }: DeviceQuery, size: number): Start {
  if (after !== undefined && before !== undefined) throw refuseProblems([{ field: 'before', rule: 'option' }]);
  if (after !== undefined) return { after };
  return before === undefined ? { offset: Math.max(0, (page ?? 1) - 1) * size } : { before };
}
