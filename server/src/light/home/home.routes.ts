import { getHome, getHomeChanges, getHomeCurve } from '../../../../contract/light/home.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Home } from './home.service.ts';

export function homeRoutes(home: Home): Binding[] {
  return [
    bind(getHome, (_input, { caller }) => home.summary(caller)),
    bind(getHomeCurve, (_input, { caller }) => home.curve(caller)),
    bind(getHomeChanges, ({ query }, { caller }) => home.changes(caller, query.size ?? 20)),
  ];
}
