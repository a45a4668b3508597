export { builtInMenu } from './built-in.ts';
export { menusRoutes } from './menus.routes.ts';
