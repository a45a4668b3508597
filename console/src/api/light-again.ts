import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { lightingSteps, lightingUpdates } from '../../../contract/light/updates.ts';
import type { RouteShape } from '../../../contract/route.ts';
import type { Region } from './freshness.ts';

/** So long after lamps were given something else to do a page fetches again, ms (specified). */
const AGAIN_MS = 6000;

/** What is to be fetched again per page, or for all of them where no page is known. */
const waiting = new WeakMap<object, { readonly timer: ReturnType<typeof setTimeout>; readonly names: Set<string> }>();

interface Where {
  readonly client: QueryClient;
  readonly region: Region | null;
}

/**
 * Lamps were given something else to do: in six seconds the rows of the page are fetched again, and what the call
 * touches, whatever the live line said before. Several calls are waited for together, six seconds from the last. The
 * page may have been left by then; then nothing is shown of it.
 */
export function fetchLightAgain(
  route: RouteShape,
  { touched, ...where }: Where & { readonly touched: readonly QueryKey[] },
): void {
  if (route.method === 'GET' || !lightingUpdates.has(route.path)) return;
  fetchLater(where, touched);
}

/** The server took a step: the same, six seconds from the first of several messages, so that many put nothing off. */
export function fetchAfterStep(topic: string, where: Where): void {
  if (lightingSteps.has(topic) && !waiting.has(where.region ?? where.client)) fetchLater(where, []);
}

function fetchLater({ client, region }: Where, touched: readonly QueryKey[]): void {
  const page = region ?? client;
  const before = waiting.get(page);
  clearTimeout(before?.timer);
  const names = new Set([...(before?.names ?? []), ...touched.map((key) => hashKey(key.slice(0, 1)))]);
  const timer = setTimeout(() => {
    waiting.delete(page);
    const rows = new Set(
      [...(region?.getState().asked ?? [])].flatMap(([hash, { rows: ofPage }]) => (ofPage ? [hash] : [])),
    );
    void client.refetchQueries({
      type: 'active',
      predicate: ({ queryHash, queryKey }) => rows.has(queryHash) || names.has(hashKey(queryKey.slice(0, 1))),
    });
  }, AGAIN_MS);
  waiting.set(page, { timer, names });
}
