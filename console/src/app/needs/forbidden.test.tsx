import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getCurrentUser } from '../../../../contract/specified/account.ts';
import { listRightHolders } from '../../../../contract/people/rights.ts';
import { ApiError, call, reactToRefusals } from '../../api/index.ts';
import { ErrorState, Toasts } from '../../parts/index.ts';
import { toasts } from '../../frame/toast-store.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { sayForbidden } from './forbidden.ts';
import { nameMissing } from './name-missing.ts';

const server = serverForEach();
const refused = { code: 1201, message: '您没有执行此操作的权限（lamp.control）。', permissions: ['lamp.control'] };
beforeEach(() => {
  toasts.setState([], true);
  reactToRefusals({ signedOut: () => undefined, forbidden: sayForbidden });
});
afterEach(() => {
  reactToRefusals(undefined);
  cleanup();
});
const ask = () => call(getCurrentUser, {}, { background: false }).catch(() => undefined);

test('the warning names the right in words and who of the area has it', async () => {
  server().refuse(getCurrentUser, 403, refused);
  server().answer(listRightHolders, { names: ['王强', '李红'], more: false });
  await renderInShell(<Toasts />);
  await ask();
  await screen.findByText(/缺少权限「控制路灯」 · 可以找：.*王强.*李红.*（本区域）/);
  expect(screen.queryByText(refused.message)).toBeNull();
  expect(server().of(listRightHolders)[0]?.query.get('permission')).toBe('lamp.control');
});

test('the server’s sentence stays when nobody can be named, or nothing is missing', async () => {
  server().refuse(getCurrentUser, 403, refused);
  server().refuse(listRightHolders, 500, { message: 'x' });
  await renderInShell(<Toasts />);
  await ask();
  await screen.findByText(refused.message);
  await waitFor(() => expect(server().of(listRightHolders)).toHaveLength(1));
  // Asked later and refused too: the first answer has arrived before, and replaced nothing.
  await expect(nameMissing('lamp.control')).rejects.toBeInstanceOf(ApiError);
  expect(screen.getByText(refused.message)).toBeTruthy();
});

test('a region that may not be seen says the same in its place', async () => {
  server().answer(listRightHolders, { names: [], more: false });
  await renderInShell(<ErrorState error={new ApiError('problem', { status: 403, ...refused })} />);
  await screen.findByText(/缺少权限「控制路灯」/);
  await screen.findByText('本区域还没有人有这项权限，请找管理员开通');
});

test('those who have the right and no display name are not called nobody', async () => {
  server().answer(listRightHolders, { names: [], more: true });
  await renderInShell(<ErrorState error={new ApiError('problem', { status: 403, ...refused })} />);
  await screen.findByText('有这项权限的同事没有显示姓名，请找管理员');
});
