import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { expect, test } from 'vitest';
import { getBaseMap } from '../../../contract/shell/demo.ts';
import { serverForEach } from '../testing/contract-server.ts';
import { callKey, createQueryClient, useCall } from './index.ts';

const server = serverForEach();

/** Reads an answer that its page has handed on, when its own code is there at last. */
function Late({ answer }: { readonly answer: UseQueryResult<unknown> }) {
  return <p>{answer.isPending ? 'waits' : answer.error ? 'failed' : 'there'}</p>;
}
const ground = { type: 'FeatureCollection', features: [] } as const;

test.each([
  ['an answer', 'there', false],
  ['a failure', 'failed', false],
  ['a failure after an earlier answer', 'failed', true],
])('%s that comes before the part that reads it is seen by that part', async (_what, seen, isKept) => {
  if (seen === 'there') server().answer(getBaseMap, { ...ground, features: [] });
  else server().refuse(getBaseMap, 500, { code: 1901, message: '失败' });
  const client = createQueryClient();
  if (isKept) client.setQueryData(callKey(getBaseMap, {}), ground, { updatedAt: 1 });
  const code = Promise.withResolvers<{ default: typeof Late }>();
  const Part = lazy(() => code.promise);
  function Page() {
    const answer = useCall(getBaseMap, undefined, { staleTime: 1_000 });
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
