import { getHome, getHomeChanges, getHomeCurve } from '../../../../contract/routes/home.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { visibleDevices } from '../devices/index.ts';
import type { Home } from './home.service.ts';

export function homeRoutes(home: Home): Binding[] {
  return [
    bind(getHome, (_input, { caller }) => home.summary(visibleDevices(caller))),
    bind(getHomeCurve, (_input, { caller }) => home.curve(visibleDevices(caller))),
    bind(getHomeChanges, ({ query }, { caller }) => home.changes(visibleDevices(caller), query.size ?? 20)),
  ];
}
