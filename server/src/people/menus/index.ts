export { lockRights } from './lock.ts';
export { menuConfigurationRoutes } from './menu-configuration.routes.ts';
export { createMenuConfiguration } from './menu-configuration.service.ts';
export { findEntries } from './menu-configuration.store.ts';
export { menuTree, titleIn, type MenuEntry, type MenuTree } from './menu-tree.ts';
export { menusRoutes } from './menus.routes.ts';
export { builtIn, builtInMenu, button, detail, familiesOf, form, inSection, page, type WingMenu } from './seeds.ts';
