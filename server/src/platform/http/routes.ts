import type { RouteShape } from '../../../../contract/route.ts';

/** A route's path and its other spellings. */
export const routePaths = (route: RouteShape): string[] => [route.path, ...(route.aliases ?? [])];

/** Whether a preview session, which only looks, may call it. */
export const openInPreview = (route: RouteShape): boolean => route.inPreview ?? route.method === 'GET';

/** Whether its calls are written to the operation log. */
export const changesState = (route: RouteShape): boolean => route.method !== 'GET' && route.logged !== false;
