import { useQueries } from '@tanstack/react-query';
import { askedBehind, call, type Asked } from '../../../api/index.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { listDevices } from '../../../../../contract/register/devices.ts';
import type { ListAddress } from '../use-list-address.ts';
import type { View } from './view.ts';

/** The filters of a list as its call takes them. */
export type QueryOf = (filters: Readonly<Record<string, string>>) => object;

/** ms. A count costs the server as much as its list: each is asked at most once a minute, and only for a shown list. */
const REFRESH_MS = 60_000;
/** Counts that are asked at once. */
const AT_ONCE = 6;
/** Where the page begins has no part in a count. */
const places = new Set(['page', 'size', 'sort', 'after', 'before', 'places', 'outlook']);

type Counted = Pick<ReplyOf<typeof listDevices>, 'recordsTotal' | 'recordsTotalExact'>;

let running = 0;
const waiting: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** The list's own call with the filters of a view in place of those in force, and one row. */
function countInput({ input }: Asked, now: object, then: object): { params?: unknown; query: object } {
  const replaced = new Set([...Object.keys(now), ...places]);
  const rest = Object.entries((input.query ?? {}) as object).filter(([name]) => !replaced.has(name));
  return {
    ...(input.params === undefined ? {} : { params: input.params }),
    query: { ...Object.fromEntries(rest), ...then, size: 1 },
  };
}

/**
 * How many rows each view has now, by its id; absent: not known, or an estimate. A list whose own count is an estimate
 * has too many rows to count again for each view.
 */
export function useViewCounts(
  views: readonly View[],
  {
    address,
    refetch,
    queryOf,
    enabled,
  }: { address: ListAddress; refetch: object; queryOf: QueryOf | undefined; enabled: boolean },
): ReadonlyMap<number, number> {
  const asked = enabled ? askedBehind(refetch) : undefined;
  const now = queryOf?.(address.filters) ?? {};
  return useQueries({
    queries: views.map((view) => {
      const input = asked && queryOf ? countInput(asked, now, queryOf(view.conditions)) : undefined;
      return {
        queryKey: ['view-count', asked?.route.path ?? '', input ?? view.id],
        enabled: input !== undefined,
        staleTime: REFRESH_MS,
        refetchInterval: REFRESH_MS,
        retry: false,
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          if (!asked) throw new Error('a list that was not asked is not counted');
          const options = { signal, quiet: true, background: true };
          return inTurn(() => (call as Count)(asked.route, input ?? {}, options));
        },
      };
    }),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }, at) =>
          data && data.recordsTotalExact !== false ? [[views[at]?.id ?? 0, data.recordsTotal] as const] : [],
        ),
      ),
  });
}
type Count = (route: Asked['route'], input: object, options: object) => Promise<Counted>;
