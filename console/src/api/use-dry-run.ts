import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { DryRunAnswer } from '../../../contract/dry-run.ts';
import type { InputOf, ReplyOf, RouteShape } from '../../../contract/route.ts';
import { inPreview } from '../session/index.ts';
import type { ApiError } from './api-error.ts';
import { tryCall } from './call.ts';
import { useRested } from './use-rested.ts';

/**
 * What a change would do, asked when its form rests; null: the form is not ready. `error` is the refusal that the change
 * would get now.
 */
export function useDryRun<const R extends RouteShape & { readonly dryRun: true }>(
  route: R,
  input: InputOf<R> | null,
): UseQueryResult<DryRunAnswer<ReplyOf<R>>, ApiError> {
  const text = JSON.stringify(input);
  const rests = useRested(text) === text;
  return useQuery<DryRunAnswer<ReplyOf<R>>, ApiError>({
    queryKey: ['dryRun', route.method, route.path, text],
    queryFn: ({ signal }) => {
      if (input === null) throw new TypeError('nothing is to be tried');
      return tryCall(route, input, { signal });
    },
    enabled: rests && input !== null && !inPreview(),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
