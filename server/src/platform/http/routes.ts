import type { FastifyRequest } from 'fastify';
import type { RouteShape } from '../../../../contract/route.ts';

/** A route's path and its other spellings. */
export const routePaths = (route: RouteShape): string[] => [route.path, ...(route.aliases ?? [])];

/** Whether a preview session, which only looks, may call it. */
export const openInPreview = (route: RouteShape): boolean => route.inPreview ?? route.method === 'GET';

/** Whether its calls are written to the operation log. */
export const changesState = (route: RouteShape): boolean => route.method !== 'GET' && route.logged !== false;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/**
 * What a request does or tries to do, by its name in the operation log, whatever is wrong with it; undefined: its route
 * names nothing.
 */
export function actionOf(
  { action }: RouteShape,
  { params, body }: Pick<FastifyRequest, 'params' | 'body'>,
  accountId: number | undefined,
): string | undefined {
  return typeof action === 'function'
    ? action({ params: objectOf(params) ?? {}, body: objectOf(body), accountId })
    : action;
}
