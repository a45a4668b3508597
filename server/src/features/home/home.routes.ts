import { getHome, getHomeChanges, getHomeCurve } from '../../../../contract/routes/home.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';
import type { Home } from './home.service.ts';

export function homeRoutes(home: Home): Binding[] {
  return [
    bind(getHome, (_input, { caller }) => home.summary(visibleDevices(caller), scopeKey(caller))),
    bind(getHomeCurve, (_input, { caller }) => home.curve(visibleDevices(caller), scopeKey(caller))),
    bind(getHomeChanges, ({ query }, { caller }) => home.changes(visibleDevices(caller), query.size ?? 20)),
  ];
}

/** Administrators of one work area see the same; everybody else may have devices bound to the account. */
const scopeKey = (caller: DeviceScope) => `${caller.workAreas === 'all' ? 'all' : caller.accountId}/${caller.workAreaId ?? ''}`;
