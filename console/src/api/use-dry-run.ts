import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { dryRunThings, type DryRunAnswer, type Would } from '../../../contract/dry-run.ts';
import type { InputOf, ReplyOf, RouteShape } from '../../../contract/route.ts';
import { inPreview } from '../session/index.ts';
import { ApiError } from './api-error.ts';
import { tryCall } from './call.ts';
import { useRested } from './use-rested.ts';

// What was tried once is not asked again by itself.
const asked = { retry: false, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/**
 * What a change would do, asked when its form rests; null: the form is not ready. `error` is the refusal that the change
 * would get now.
 */
export function useDryRun<const R extends RouteShape & { readonly dryRun: true }>(
  route: R,
  input: InputOf<R> | null,
  file?: File,
): UseQueryResult<DryRunAnswer<ReplyOf<R>>, ApiError> {
  const text = JSON.stringify(input);
  const rests = useRested(text) === text;
  return useQuery<DryRunAnswer<ReplyOf<R>>, ApiError>({
    queryKey: ['dryRun', route.method, route.path, text, file && [file.name, file.size, file.lastModified]],
    queryFn: ({ signal }) => {
      if (input === null) throw new TypeError('nothing is to be tried');
      return tryCall(route, input, { signal }, file);
    },
    enabled: rests && input !== null && !inPreview(),
    ...asked,
  });
}

/** So many calls are tried for one form: the server tries those of an account one after the other. */
const mostTried = 20;

/** What several calls would do, each by itself. More than `mostTried` are not tried. */
export function useDryRuns<const R extends RouteShape & { readonly dryRun: true }>(
  route: R,
  inputs: readonly InputOf<R>[] | null,
): UseQueryResult<{ readonly things: Would['things']; readonly refused: readonly ApiError[] }> {
  const text = JSON.stringify(inputs);
  const rests = useRested(text) === text;
  return useQuery({
    queryKey: ['dryRuns', route.method, route.path, text],
    queryFn: async ({ signal }) => {
      const refused: ApiError[] = [];
      let things: Would['things'] = {};
      for (const input of inputs ?? [])
        try {
          things = added(things, (await tryCall(route, input, { signal })).would.things);
        } catch (cause) {
          if (!(cause instanceof ApiError) || cause.kind !== 'problem') throw cause;
          refused.push(cause);
        }
      return { things, refused };
    },
    enabled: rests && inputs !== null && inputs.length <= mostTried && !inPreview(),
    ...asked,
  });
}

function added(a: Would['things'], b: Would['things']): Would['things'] {
  const sum = { ...a };
  for (const thing of dryRunThings) {
    const [x, y] = [a[thing], b[thing]];
    if (x && y)
      sum[thing] = { added: x.added + y.added, changed: x.changed + y.changed, removed: x.removed + y.removed };
    else if (y) sum[thing] = y;
  }
  return sum;
}
