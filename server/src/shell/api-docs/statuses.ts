import { errors } from '../../../../contract/errors.ts';
import type { RouteShape } from '../../../../contract/route.ts';
import { openInPreview } from '../../platform/http/index.ts';

/** What a refusal of this status means on every call. */
export const statusTexts: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong; `params` names every field at once.',
  401: 'Nobody is signed in, or not any more.',
  403: 'The account may not do this: it lacks the permission, or does not see this project.',
  404: 'There is none of this id.',
  409: 'Somebody else changed it meanwhile, or it is not any more in the state that this needs.',
  413: 'The body is larger than the call takes.',
  415: 'The body is of a type that the call does not take.',
  429: 'Too many calls; Retry-After says how many seconds to wait.',
};

/** Whether somewhere in what a call is told a version is compared. */
function comparesVersions(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as { properties?: Record<string, unknown>; items?: unknown; anyOf?: unknown[] };
  return (
    Object.keys(properties).some((key) => key === 'version' || key === 'ifVersion') ||
    [...Object.values(properties), items, ...anyOf].some(comparesVersions)
  );
}

/**
 * The refusals that a call can answer with, as it is declared; `isLimited`: the rate of its callers is counted beside
 * its limits.
 */
export function refusedStatuses(route: RouteShape, isLimited: boolean): number[] {
  const { access, method, params, query, body, areaScoped, unknownFields, limits, refuses = [] } = route;
  const takesBody = method !== 'GET';
  const can: Readonly<Record<number, boolean>> = {
    400: takesBody || unknownFields === 'refuse' || areaScoped === true || params !== undefined || query !== undefined,
    401: access !== 'public',
    // A session that only looks through other eyes changes nothing, on public calls neither.
    403: !openInPreview(route) || areaScoped === true || (access !== 'public' && access !== 'session'),
    404: params !== undefined,
    409: comparesVersions(body),
    413: takesBody,
    415: takesBody,
    429: isLimited || limits.perMinute !== undefined,
  };
  const declared = new Set<number>(refuses.map((name) => errors[name].status));
  return Object.keys(statusTexts)
    .map(Number)
    .filter((status) => can[status] || declared.has(status));
}
