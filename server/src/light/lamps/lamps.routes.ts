import {
  countLamps,
  getLamp,
  getLampCurve,
  getLampFilters,
  getLampMap,
  lampIds,
  listLamps,
} from '../../../../contract/light/lamps.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import type { Lamps } from './lamps.service.ts';

export function lampsRoutes(lamps: Lamps): Binding[] {
  return [
    bind(listLamps, ({ query }, { caller }) => lamps.list(visibleDevices(caller), query)),
    bind(getLampMap, ({ query }, { caller }) => lamps.map(visibleDevices(caller), query)),
    bind(countLamps, ({ query }, { caller }) => lamps.counts(visibleDevices(caller), query)),
    bind(lampIds, ({ query }, { caller }) => lamps.ids(visibleDevices(caller), query)),
    bind(getLampFilters, (_input, { caller }) => lamps.filters(visibleDevices(caller))),
    bind(getLamp, ({ params }, { caller }) => lamps.get(visibleDevices(caller), params.id)),
    bind(getLampCurve, ({ params, query }, { caller }) => lamps.curve(visibleDevices(caller), params.id, query)),
  ];
}
