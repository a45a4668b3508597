import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setAccountDisabled, unlockAccount } from '../../../../../contract/people/accounts.ts';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { getLevels, listUsers } from '../../../../../contract/specified/users.ts';
import { createQueryClient } from '../../../api/index.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import UserManagement from './index.tsx';
import type { User } from '../../../parts/people/users/user.ts';

const at = '2026-11-20T13:00:00.000Z';
const userOf = (id: number, more: Partial<User> = {}): User => ({
  id,
  username: `ops${id}`,
  nickname: null,
  roleNames: null,
  roles: '',
  treeLevel: 2,
  createTime: at,
  updateTime: at,
  registerTime: at,
  lastLogin: null,
  version: id * 10,
  disabled: false,
  lockedUntil: null,
  passwordInitial: false,
  sessions: 1,
  manageable: true,
  ...more,
});
const users = [
  userOf(1, { username: 'admin' }),
  userOf(2),
  userOf(3),
  userOf(4, { disabled: true }),
  userOf(5, { manageable: false }),
];

let server: ContractServer;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

async function open(codes = ['cscp.user.query', 'cscp.user.edit']) {
  const i18n = await startI18n('zh-CN');
  await act(async () => {
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter initialEntries={['/x?size=10&q=ops']}>
              <MenuContext value={{ top: [], pages: [], codes: new Set(codes) }}>
                <TabStoreContext value={createTabStore()}>
                  <TabKeyContext value="/x">
                    <Suspense fallback="…">
                      <UserManagement />
                    </Suspense>
                  </TabKeyContext>
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    await Promise.resolve();
  });
  await screen.findByText('ops2');
}
const bar = () => within(screen.getByRole('toolbar', { name: '批量操作' }));
const dialog = () => within(screen.getByRole('dialog'));
const choose = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }));

beforeEach(async () => {
  server = await contractServer();
  server.answer(getLevels, { code: 0, msg: '', data: {} });
  server.on(getCurrentUser, () => ({ status: 200, body: { id: 1, userId: 1, username: 'admin', treeLevel: 0 } }));
  server.answer(listUsers, ({ query }) => ({
    code: 0 as const,
    msg: '',
    data: query.get('size') === '1000' ? [...users, userOf(6), userOf(7)] : users,
    recordsTotal: 7,
  }));
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('what cannot be is left out and said; each row has its result; what failed is tried again, and only that', async () => {
  server.on(setAccountDisabled, ({ path }) =>
    path.includes('/3/')
      ? { status: 409, body: { status: 409, message: '别人刚刚修改了', requestId: 'r-3' } }
      : { status: 200, body: { id: 2, disabled: true, version: 21 } },
  );
  await open();
  choose('选择本页');
  fireEvent.click(bar().getByRole('button', { name: '停用' }));
  expect(await screen.findByText('停用 2 个账号？')).toBeTruthy();
  expect(dialog().getByText(/打开的 2 个会话会立即结束/)).toBeTruthy();
  for (const [name, reason] of [
    ['admin', '这是您自己的账号'],
    ['ops4', '已经停用'],
    ['ops5', /只有更高级别/],
  ] as const)
    expect(within(dialog().getByText(name).closest('li')!).getByText(reason)).toBeTruthy();
  fireEvent.click(dialog().getByRole('button', { name: '停用' }));
  expect(await dialog().findByText('成功 1，失败 1，共 2')).toBeTruthy();
  expect(dialog().getByText('ops3').closest('li')?.textContent).toMatch(/别人刚刚修改了.*r-3/);
  expect(server.of(setAccountDisabled).map(({ body }) => JSON.parse(body) as unknown)).toEqual(
    expect.arrayContaining([
      { disabled: true, version: 20 },
      { disabled: true, version: 30 },
    ]),
  );
  server.on(setAccountDisabled, () => ({ status: 200, body: { id: 3, disabled: true, version: 31 } }));
  fireEvent.click(dialog().getByRole('button', { name: '重试失败的 1 项' }));
  expect(await dialog().findByText('成功 1，失败 0，共 1')).toBeTruthy();
  expect(server.of(setAccountDisabled)).toHaveLength(3);
  fireEvent.click(dialog().getByRole('button', { name: '关闭' }));
  // Done ones are no longer selected; the list was asked anew.
  expect(bar().getByText('已选 3 项')).toBeTruthy();
  expect(server.of(listUsers).length).toBeGreaterThan(1);
});

test('everything that matches can be selected, other pages included; other conditions begin anew', async () => {
  server.on(unlockAccount, () => ({ status: 204, body: '' }));
  await open();
  choose('选择 ops2');
  fireEvent.click(bar().getByRole('button', { name: '选中全部 7 项' }));
  await waitFor(() => expect(bar().getByText('已选 7 项')).toBeTruthy());
  expect(Object.fromEntries(server.of(listUsers).at(-1)!.query)).toMatchObject({
    username: 'ops',
    nickname: 'ops',
    page: '1',
    size: '1000',
  });
  fireEvent.click(bar().getByRole('button', { name: '解除锁定' }));
  expect(await dialog().findByText('所选的都不能这样做。')).toBeTruthy();
  expect(dialog().getByRole('button', { name: '解除锁定' }).hasAttribute('disabled')).toBe(true);
  fireEvent.click(dialog().getByRole('button', { name: '取消' }));
  fireEvent.click(screen.getByRole('button', { name: '重置' }));
  await waitFor(() => expect(screen.queryByRole('toolbar', { name: '批量操作' })).toBeNull());
});

test('without the code nothing can be selected', async () => {
  await open(['cscp.user.query']);
  expect(screen.queryByRole('checkbox')).toBeNull();
});
