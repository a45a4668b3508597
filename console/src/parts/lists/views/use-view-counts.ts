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
/** Views that have a count, however many are in sight. */
const MOST = 12;
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

/** What a list's counts are asked and told by. */
export interface Counting {
  readonly address: ListAddress;
  /** Of the answer with the list's rows. */
  readonly refetch: object;
  readonly queryOf: QueryOf | undefined;
  /** Rows of the list itself; undefined: not known, or an estimate. Such a list has too many rows to count again. */
  readonly total: number | undefined;
}

/**
 * How many rows each view has now, by its id; absent: not known, or an estimate. The list itself has counted the current
 * one. Counts are asked again with the rows: after a change of them, and once a minute.
 */
export function useViewCounts(
  views: readonly View[],
  current: View | undefined,
  { address, refetch, queryOf, total }: Counting,
): ReadonlyMap<number, number> {
  const counted = views.slice(0, MOST);
  const asked = total === undefined ? undefined : askedBehind(refetch);
  const now = queryOf?.(address.filters) ?? {};
  return useQueries({
    queries: counted.map((view) => {
      const input = asked && queryOf ? countInput(asked, now, queryOf(view.conditions)) : undefined;
      return {
        // As callKey begins: what asks the rows again asks the counts too.
        queryKey: [asked?.route.path ?? '', 'view-count', input ?? view.id],
        enabled: input !== undefined && view.id !== current?.id,
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
      new Map([
        ...answers.flatMap(({ data }, at) =>
          data && data.recordsTotalExact !== false ? [[counted[at]?.id ?? 0, data.recordsTotal] as const] : [],
        ),
        ...(current && total !== undefined ? [[current.id, total] as const] : []),
      ]),
  });
}
type Count = (route: Asked['route'], input: object, options: object) => Promise<Counted>;
