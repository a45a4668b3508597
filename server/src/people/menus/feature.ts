import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Hint } from '../../platform/live/index.ts';
import { menuConfigurationRoutes } from './menu-configuration.routes.ts';
import { createMenuConfiguration } from './menu-configuration.service.ts';
import { menusRoutes } from './menus.routes.ts';

/** Rights changed: the menus may be others. */
export const menusHint: Hint = {
  topic: 'menus',
  listen: (bus, say) => [bus.subscribe('rights.changed', () => say({ type: 'menus' }))],
};

export const menusFeature = ({ answering: db, bus }: Floor): Feature => ({
  routes: [...menusRoutes({ db }), ...menuConfigurationRoutes(createMenuConfiguration({ db, bus }))],
  hints: [menusHint],
});
