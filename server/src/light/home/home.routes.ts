import { getHome, getHomeChanges, getHomeCurve, getHomeMap, getHomeSince } from '../../../../contract/light/home.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Home } from './home.service.ts';
import type { createHomeMap } from './map.service.ts';
import type { createSince } from './since.service.ts';

export function homeRoutes(
  home: Home,
  { map, since }: { readonly map: ReturnType<typeof createHomeMap>; readonly since: ReturnType<typeof createSince> },
): Binding[] {
  return [
    bind(getHome, (_input, { caller }) => home.summary(caller)),
    bind(getHomeCurve, (_input, { caller }) => home.curve(caller)),
    bind(getHomeChanges, ({ query }, { caller }) => home.changes(caller, query.size ?? 20)),
    bind(getHomeMap, (_input, { caller }) => map(caller)),
    bind(getHomeSince, (_input, { caller }) => since(caller)),
  ];
}
