import { getNight, getTonight, listNightLamps, listNights } from '../../../../contract/light/nights.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { createNightReading } from './reading.service.ts';
import { createTonight } from './tonight.service.ts';

export function nightsRoutes(parts: { readonly db: Db; readonly clock: Clock }): Binding[] {
  const reading = createNightReading(parts);
  const tonight = createTonight(parts);
  return [
    bind(getTonight, (_input, { caller }) => tonight.of(caller)),
    bind(listNights, ({ query }, { caller }) => reading.list(caller, query)),
    bind(getNight, ({ params }, { caller }) => reading.get(caller, params.day)),
    bind(listNightLamps, ({ params, query }, { caller }) => reading.lamps(caller, params.day, query)),
  ];
}
