import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { getTonight } from '../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { areasOf, remember, scopeKey } from '../home/index.ts';
import { figuresOf } from './reading.service.ts';
import { findLastCounted, findNights } from './reading.store.ts';
import { countAstray, countExceptions, countPublications, countSchemes } from './tonight.store.ts';

type Tonight = ReplyOf<typeof getTonight>;

/** How old an answer may be, ms. */
const tonightAge = 5000;
const mostPublications = 3;

/** What lamps do tonight, for the home page. Callers who see the same devices share an answer. */
export function createTonight({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const answers = remember<Tonight>(clock, tonightAge);

  /** The lighting day of the caller's first area with a place. */
  async function today(caller: DeviceScope): Promise<Day | null> {
    const areas = areasOf(caller);
    const places = await loadPlaces(db, areas === 'all' ? undefined : areas);
    const [first] = places.values();
    return first ? lightingDay(first, clock.now().getTime()).day : null;
  }

  async function tell(caller: DeviceScope): Promise<Tonight> {
    const day = await today(caller);
    const last = await findLastCounted(db, caller);
    const [followed, exceptions, publications, astray, nights] = await Promise.all([
      day === null ? { schemes: [], more: { schemes: 0, lamps: 0 }, own: 0 } : countSchemes(db, caller, day),
      countExceptions(db, caller),
      countPublications(db, caller),
      countAstray(db, caller),
      findNights(
        db,
        caller,
        [day, last].flatMap((one) => one ?? []),
      ),
    ]);
    const tonight = nights.filter((one) => one.day === day);
    const counted = nights.filter((one) => one.day === last);
    return {
      day,
      schemes: followed.schemes,
      moreSchemes: followed.more,
      own: followed.own,
      exceptions,
      publications,
      notOnPlan: {
        lamps: astray.reduce((sum, { lamps }) => sum + lamps, 0),
        publications: astray.slice(0, mostPublications),
      },
      rehearsal: tonight.length === 0 ? null : figuresOf(tonight).rehearsal,
      lastNight: last === undefined ? null : { day: last, ...figuresOf(counted).counts },
    };
  }

  return { of: (caller: DeviceScope) => answers(scopeKey(caller), () => tell(caller)) };
}
