import { getDeviceTimeline, getPoleTimeline } from '../../../../contract/register/device-history.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { DeviceHistory } from './timeline.service.ts';

export function deviceHistoryRoutes(history: DeviceHistory): Binding[] {
  return [
    bind(getDeviceTimeline, ({ params, query }, { caller }) => history.ofDevice(caller, params.id, query)),
    bind(getPoleTimeline, ({ params, query }, { caller }) => history.ofPole(caller, params.id, query)),
  ];
}
