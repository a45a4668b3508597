import { getDeviceMap, listUnplacedDevices } from '../../../../contract/register/device-map.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { DeviceMap } from './device-map.service.ts';

export const deviceMapRoutes = (map: DeviceMap): Binding[] => [
  bind(getDeviceMap, ({ query }, { caller }) => map.columns(caller, query)),
  bind(listUnplacedDevices, ({ query }, { caller }) => map.unplaced(caller, query)),
];
