import { cleanup, screen, waitFor } from '@testing-library/react';
import { lazy, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from '../../api/load-chunk.ts';
import { toasts } from '../../frame/toast-store.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { PartHost } from './PartHost.tsx';

beforeEach(() => {
  toasts.setState([], true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Missing = lazy(() =>
  loadChunk('missing', (): Promise<{ default: () => null }> => Promise.reject(new TypeError('Failed to fetch'))),
);

function Page({ onFailed }: { onFailed: () => void }) {
  const [shown, setShown] = useState(true);
  return (
    <>
      <input aria-label="typed" defaultValue="kept" />
      <PartHost
        onFailed={() => {
          onFailed();
          setShown(false);
        }}
      >
        {shown ? <Missing /> : <p>closed</p>}
      </PartHost>
    </>
  );
}

test('a part whose code is missing takes nothing else away, answers who waits and offers a reload', async () => {
  const answered = vi.fn<() => void>();
  await renderInShell(<Page onFailed={answered} />);
  await screen.findByText('closed');
  expect(answered).toHaveBeenCalledTimes(1);
  expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('kept');
  await waitFor(() => expect(toasts.getState()[0]).toMatchObject({ kind: 'failed', action: { text: '重新载入' } }));
});
