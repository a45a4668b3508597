import type { RouteShape } from '../../../contract/route.ts';

/** What a call hands over, whichever route it is. */
export interface RawInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function textOf(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

/** Fills `:name` parts; a missing one is a bug of the caller. */
export function pathOf(path: string, params: unknown): string {
  return path.replace(/:([A-Za-z0-9_]+)/g, (_, name: string) => {
    const value = isRecord(params) ? params[name] : undefined;
    if (value === undefined || value === null) throw new TypeError(`path parameter ${name} of ${path} is missing`);
    return encodeURIComponent(String(value));
  });
}

/** Name–value pairs of a query or form: empty fields are dropped, lists repeat their name. */
export function pairsOf(values: unknown, keepEmpty = false): URLSearchParams {
  const pairs = new URLSearchParams();
  if (!isRecord(values)) return pairs;
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === undefined || one === null || (one === '' && !keepEmpty)) continue;
      pairs.append(name, textOf(one));
    }
  }
  return pairs;
}

/** Path and query of a call, without the service's base address. */
export function addressOf(route: RouteShape, input: RawInput): string {
  const path = pathOf(route.path, input.params);
  const query = pairsOf(input.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

/**
 * The body with its content type, as the route's encoding asks; nothing for routes without a body. A file goes as it
 * is.
 */
export function bodyOf(route: RouteShape, input: RawInput): { body?: string | Blob; headers: Record<string, string> } {
  if (input.body === undefined) return { headers: {} };
  if (route.encoding === 'bytes') {
    if (!(input.body instanceof Blob)) throw new TypeError(`the body of ${route.path} is a file`);
    return { body: input.body, headers: { 'Content-Type': 'application/octet-stream' } };
  }
  return route.encoding === 'form'
    ? { body: pairsOf(input.body, true).toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    : { body: JSON.stringify(input.body), headers: { 'Content-Type': 'application/json' } };
}
