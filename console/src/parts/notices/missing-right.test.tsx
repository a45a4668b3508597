import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { ErrorState } from './Notices.tsx';

vi.mock('../permissions/MissingRight.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module');
});
serverForEach();
afterEach(cleanup);

test('a refused region keeps the server’s sentence when the code for the right’s name does not come', async () => {
  const refused = { code: 1201, message: '您没有执行此操作的权限。', permissions: ['lamp.control'] };
  await renderInShell(
    <>
      <p>页面</p>
      <ErrorState error={new ApiError('problem', { status: 403, ...refused })} />
    </>,
  );
  await vi.dynamicImportSettled();
  expect(screen.getByText('页面')).toBeTruthy();
  expect(screen.getByText(refused.message)).toBeTruthy();
});
