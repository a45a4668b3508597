import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { FigurePlace, listPlaceFigures } from '../../../../contract/history/place-figures.ts';
import { remember, scopeKey } from '../../light/home/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { keptSince } from '../readings/index.ts';
import * as store from './place-figures.store.ts';

/** Hours are counted once an hour: how long their sum is kept, ms. */
const energyMs = 300_000;
/** How old counts of lamps may be, ms. */
const countsMs = 10_000;
const hourMs = 3_600_000;

/** How far hours were counted, ms, and what they sum up to. */
interface Energy {
  readonly rolledTo: number;
  readonly nights: readonly store.NightEnergy[];
}

export type PlaceFiguresOf = ReturnType<typeof createPlaceFigures>;

/** Lamps, light, faults and energy of the places of one page of a list. */
export function createPlaceFigures({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const energyOf = remember<Energy>(clock, energyMs);
  const countsOf = remember<store.LampCounts[]>(clock, countsMs);
  return {
    async list(
      caller: Caller,
      place: FigurePlace,
      query: QueryOf<typeof listPlaceFigures>,
    ): Promise<ReplyOf<typeof listPlaceFigures>> {
      const ids = [...new Set(query.ids.split(',').map(Number))];
      const now = clock.now();
      // The order of a list is none of its figures.
      const key = `${scopeKey(caller)} ${place} ${ids.toSorted((a, b) => a - b).join(',')}`;
      const [counts, { rolledTo, nights }] = await Promise.all([
        countsOf(key, () => store.countLamps(db, place, ids, caller)),
        // A night begins with an hour.
        energyOf(`${key} ${Math.floor(now.getTime() / hourMs)}`, async () => {
          // First how far: hours that are counted meanwhile are more than it says, never fewer.
          const { rolledTo: to } = await keptSince(db);
          return { rolledTo: to, nights: await store.sumNight(db, place, ids, caller, now) };
        }),
      ]);
      const used = new Map(nights.map((one) => [one.id, one]));
      const found = new Map(counts.map((one) => [one.id, one]));
      return {
        countedTo: rolledTo > 0 ? new Date(rolledTo).toISOString() : null,
        data: ids.flatMap((id) => {
          const one = found.get(id);
          return one ? [{ ...one, kwh: used.get(id)?.kwh ?? null, counted: used.get(id)?.counted ?? 0 }] : [];
        }),
      };
    },
  };
}
