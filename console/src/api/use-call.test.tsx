import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { expect, test } from 'vitest';
import { getBaseMap } from '../../../contract/shell/demo.ts';
import { serverForEach } from '../testing/contract-server.ts';
import { createQueryClient, useCall } from './index.ts';

const server = serverForEach();

/** Reads an answer that its page has handed on, when its own code is there at last. */
function Late({ answer }: { readonly answer: UseQueryResult<unknown> }) {
  return <p>{answer.isPending ? 'waits' : answer.error ? 'failed' : 'there'}</p>;
}

test.each([
  ['an answer', 'there'],
  ['a failure', 'failed'],
])('%s that comes before the part that reads it is seen by that part', async (_what, seen) => {
  if (seen === 'there') server().answer(getBaseMap, { type: 'FeatureCollection', features: [] });
  else server().refuse(getBaseMap, 500, { code: 1901, message: '失败' });
  const client = createQueryClient();
  const code = Promise.withResolvers<{ default: typeof Late }>();
  const Part = lazy(() => code.promise);
  function Page() {
    const answer = useCall(getBaseMap, undefined, { staleTime: Infinity });
    return (
      <Suspense fallback="…">
        <Part answer={answer} />
      </Suspense>
    );
  }
  await act(
    async () =>
      void render(
        <QueryClientProvider client={client}>
          <Page />
        </QueryClientProvider>,
      ),
  );
  await expect.poll(() => client.isFetching()).toBe(0);
  await act(async () => code.resolve({ default: Late }));
  expect((await screen.findByText(/waits|there|failed/)).textContent).toBe(seen);
});
