import {
  hashKey,
  notifyManager,
  useQueryClient,
  type Query,
  type QueryCacheNotifyEvent,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { createStore } from 'zustand/vanilla';
import { ApiError } from './api-error.ts';

interface Watching {
  readonly times: number;
  /** Its age is the age of what the page shows; not that of lists of options. */ readonly rows: boolean;
}

/** What a page asks the server for, and which failures one of its parts shows by itself. */
function createRegion() {
  const store = createStore<{ asked: ReadonlyMap<string, Watching>; shown: readonly unknown[] }>(() => ({
    asked: new Map(),
    shown: [],
  }));
  return {
    ...store,
    /** Returns the stop function. */
    ask(hash: string, rows: boolean): () => void {
      const put = (by: 1 | -1): void =>
        store.setState(({ asked }) => {
          const before = asked.get(hash);
          const times = (before?.times ?? 0) + by;
          const next = new Map(asked);
          if (times === 0) next.delete(hash);
          else next.set(hash, { times, rows: before?.rows === true || rows });
          return { asked: next };
        });
      put(1);
      return () => put(-1);
    },
    /** A part of the page shows this failure. Returns the stop function. */
    show(error: unknown): () => void {
      store.setState(({ shown }) => ({ shown: [...shown, error] }));
      return () => store.setState(({ shown }) => ({ shown: shown.toSpliced(shown.indexOf(error), 1) }));
    },
  };
}
export type Region = ReturnType<typeof createRegion>;

/** The page that a part stands on; null outside of the shell. */
export const RegionContext = createContext<Region | null>(null);
export function useNewRegion(): Region {
  const [region] = useState(createRegion);
  return region;
}

/**
 * The page watches these answers: a refresh that fails is shown, and `rows` says that the age of the page is theirs.
 */
export function useWatched(
  keys: readonly QueryKey[],
  { enabled = true, rows = true }: { enabled?: boolean; rows?: boolean } = {},
): void {
  const region = useContext(RegionContext);
  const hashes = enabled ? keys.map(hashKey).join('\n') : '';
  useEffect(() => {
    if (region === null || hashes === '') return undefined;
    const stops = hashes.split('\n').map((hash) => region.ask(hash, rows));
    return () => stops.forEach((stop) => stop());
  }, [region, hashes, rows]);
}

/** This part shows the failure: the page does not show it once more. */
export function useShownFailure(error: unknown): void {
  const region = useContext(RegionContext);
  // Before anything is painted: the page's line would flash otherwise.
  useLayoutEffect(() => (error === null || error === undefined ? undefined : region?.show(error)), [region, error]);
}

export interface Freshness {
  /** Of when the oldest of the shown rows is, milliseconds since 1970; undefined: none is there yet. */
  readonly at: number | undefined;
  /** Rows are on their way, or nothing was asked yet. */
  readonly coming: boolean;
  /** Failed last, and no part shows it. */
  readonly failed: readonly Query[];
}

/**
 * A refusal that belongs to one question (not found, changed meanwhile) is left to the part that asked, as long as
 * there are no rows that would look new.
 */
const concernsPage = ({ state: { error, data } }: Query): boolean =>
  data !== undefined || !(error instanceof ApiError) || error.kind !== 'problem' || error.status >= 500;

/** How fresh a page is; draws anew only when that changes. */
export function useFreshness(region: Region | null): Freshness {
  const cache = useQueryClient().getQueryCache();
  // The cache knows of a failure a moment before the parts of the page do: one that they cannot show yet is not theirs
  // to miss.
  const [announced] = useState(
    () => new WeakMap<Query, unknown>(cache.getAll().map((query) => [query, query.state.error])),
  );
  const subscribe = useCallback(
    (listen: () => void) => {
      const heard = notifyManager.batchCalls(({ query }: QueryCacheNotifyEvent) => {
        announced.set(query, query.state.error);
        listen();
      });
      const stops = [cache.subscribe(heard), region?.subscribe(listen)];
      return () => stops.forEach((stop) => stop?.());
    },
    [cache, region, announced],
  );
  const look = (): Freshness => {
    const { asked, shown } = region?.getState() ?? { asked: new Map<string, Watching>(), shown: [] };
    const queries = [...asked].flatMap(([hash, { rows }]) => {
      const query = cache.get(hash);
      return query ? [{ query, rows }] : [];
    });
    const times = queries
      .filter(({ query, rows }) => rows && query.state.dataUpdatedAt > 0)
      .map(({ query }) => query.state.dataUpdatedAt);
    return {
      at: times.length === 0 ? undefined : Math.min(...times),
      coming: times.length === 0 && (asked.size === 0 || queries.some(({ rows }) => rows)),
      failed: queries
        .map(({ query }) => query)
        .filter(
          (query) =>
            query.state.status === 'error' &&
            announced.get(query) === query.state.error &&
            concernsPage(query) &&
            !shown.includes(query.state.error),
        ),
    };
  };
  useSyncExternalStore(subscribe, () => {
    const { at, coming, failed } = look();
    return [
      at ?? coming,
      ...failed.map(({ queryHash, state }) => `${queryHash} ${String(state.errorUpdatedAt)} ${state.fetchStatus}`),
    ].join('\n');
  });
  return look();
}

/** The call a failure came from: for parts that are given no more than the error. */
export function useFailedCall(error: unknown): Query | undefined {
  const cache = useQueryClient().getQueryCache();
  return error === null || error === undefined ? undefined : cache.getAll().find(({ state }) => state.error === error);
}

/**
 * Lays what the live line tells over an answer. A refresh that failed stays shown as failed: the line tells of values,
 * not of rows.
 */
export function patchAnswer<T>(client: QueryClient, queryKey: QueryKey, patch: (before: T) => T): void {
  const query = client.getQueryCache().find<T>({ queryKey, exact: true });
  if (query?.state.data === undefined) return;
  if (query.state.status === 'error') query.setState({ data: patch(query.state.data) });
  else client.setQueryData<T>(queryKey, patch(query.state.data));
}
