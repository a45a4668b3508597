import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useContext } from 'react';
import type { InputOf, ReplyOf, RouteShape } from '../../../contract/route.ts';
import type { ApiError } from './api-error.ts';
import { heldUntil, noteAsked } from './asked.ts';
import { call, type CallArgs, type CallOptions } from './call.ts';
import { RegionContext, useWatched } from './freshness.ts';
import { fetchLightAgain } from './light-again.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const worthAnotherTry = (error: ApiError): boolean =>
  error.kind === 'network' || error.status === 502 || error.status === 503;

/** The cache of the console. Data is fresh for 20 s; a lost connection is tried once more, a refusal never. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        gcTime: 15 * 60_000,
        retry: (count, error) => count < 1 && worthAnotherTry(error),
        retryDelay: 800,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** The cache key of a call; a route alone names all its calls. */
export const callKey = (route: RouteShape, input?: unknown): QueryKey =>
  input === undefined ? [route.path] : [route.path, input];

/** Answers that stay fresh for so long are lists of options, not the rows of a page. */
const OPTIONS_MS = 60_000;

export interface UseCallOptions extends Omit<CallOptions, 'signal' | 'quiet'> {
  /** false: do not ask yet. */
  enabled?: boolean;
  /** Ask again every so many milliseconds while the page is visible. */
  every?: number;
  /** Keep showing the previous answer while another input loads (page turning). */
  keepPrevious?: boolean;
  /** Milliseconds an answer counts as fresh. */
  staleTime?: number;
}

/**
 * Asks and keeps the answer in the cache: `data`, `error` (an ApiError), `isPending` (first load), `isFetching`,
 * `refetch`. A refusal for want of rights warns; a refresh that fails is shown by the page, unless a part of it does
 * (`ErrorState`, `NotRefreshed`).
 */
export function useCall<const R extends RouteShape>(
  route: R,
  ...[input, options = {}]: UseCallArgs<R>
): UseQueryResult<ReplyOf<R>, ApiError> {
  const { enabled, every, keepPrevious, staleTime, ...callOptions } = options;
  const queryKey = callKey(route, input ?? {});
  useWatched([queryKey], { enabled: enabled !== false, rows: (staleTime ?? 0) < OPTIONS_MS });
  const answer: UseQueryResult<ReplyOf<R>, ApiError> = useQuery<ReplyOf<R>, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const held = heldUntil(answer.refetch);
      if (held) {
        await held;
        signal.throwIfAborted();
      }
      return call(route, ...([input, { ...callOptions, signal }] as CallArgs<R>));
    },
    ...(enabled === undefined ? {} : { enabled }),
    // A refusal for want of rights is not asked for again and again: the operator does, or his rights change.
    ...(every === undefined ? {} : { refetchInterval: ({ state }) => (state.error?.status === 403 ? false : every) }),
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(keepPrevious === true ? { placeholderData: (previous: ReplyOf<R> | undefined) => previous } : {}),
  } as Parameters<typeof useQuery<ReplyOf<R>, ApiError>>[0]);
  attend(answer);
  // While rendering: a list below reads in the same pass what its rows were asked with.
  noteAsked(answer.refetch, { route, input: input ?? {} });
  return answer;
}

/**
 * A query draws again for what was read of its answer while it was drawn. A page hands its answers on to parts whose
 * code may come later than the answer does: they would read of it for the first time then, and wait for ever.
 */
const attend = ({ data, error, isPending }: UseQueryResult<unknown>): unknown => [data, error, isPending];

type UseCallArgs<R extends RouteShape> =
  Record<never, never> extends InputOf<R>
    ? [input?: InputOf<R>, options?: UseCallOptions]
    : [input: InputOf<R>, options?: UseCallOptions];

/**
 * A change: `send.mutate(input)` or `await send.mutateAsync(input)`, `send.isPending`. When it succeeded, the answers
 * of the routes named in `refreshes` are asked again; of what changes the light, six seconds later too (`light-again.ts`).
 */
export function useSend<const R extends RouteShape>(
  route: R,
  refreshes: readonly RouteShape[] = [],
  options: CallOptions = {},
): UseMutationResult<ReplyOf<R>, ApiError, InputOf<R>> {
  const client = useQueryClient();
  const region = useContext(RegionContext);
  return useMutation<ReplyOf<R>, ApiError, InputOf<R>>({
    mutationFn: (input) => call(route, ...([input, options] as CallArgs<R>)),
    onSuccess: async () => {
      const touched = refreshes.map((other) => callKey(other));
      fetchLightAgain(route, { client, region, touched });
      await Promise.all(touched.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
