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
const hourMs = 3_600_000;

export type PlaceFiguresOf = ReturnType<typeof createPlaceFigures>;

/** Lamps, light, faults and energy of the places of one page of a list. */
export function createPlaceFigures({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const energyOf = remember<store.NightEnergy[]>(clock, energyMs);
  return {
    async list(
      caller: Caller,
      place: FigurePlace,
      query: QueryOf<typeof listPlaceFigures>,
    ): Promise<ReplyOf<typeof listPlaceFigures>> {
      const ids = [...new Set(query.ids.split(',').map(Number))];
      const now = clock.now();
      // A night begins with an hour.
      const key = `${scopeKey(caller)} ${place} ${Math.floor(now.getTime() / hourMs)} ${ids.join(',')}`;
      const [counts, energy, { rolledTo }] = await Promise.all([
        store.countLamps(db, place, ids, caller),
        energyOf(key, () => store.sumNight(db, place, ids, caller, now)),
        keptSince(db),
      ]);
      const used = new Map(energy.map((one) => [one.id, one]));
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
