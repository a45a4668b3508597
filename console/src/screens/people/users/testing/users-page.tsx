import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import { getCurrentUser } from '../../../../../../contract/specified/account.ts';
import { listRoles } from '../../../../../../contract/specified/roles.ts';
import { getLevels, getUserDetails, listUsers } from '../../../../../../contract/specified/users.ts';
import { createQueryClient } from '../../../../api/index.ts';
import { MenuContext } from '../../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../../locales/i18n.ts';
import { Toasts } from '../../../../parts/index.ts';
import { toasts } from '../../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../../testing/contract-server.ts';
import UserManagement from '../index.tsx';
import type { Detail, User } from '../../../../parts/people/users/user.ts';

/** User management over two accounts. Call it at the top of a test file. */
export function usersPage() {
  const at = '2026-11-20T13:00:00.000Z';
  const wang: User = {
    id: 7,
    username: 'wangwei',
    nickname: '老王',
    roleNames: '值班员,巡检员',
    roles: '3,4',
    treeLevel: 2,
    createTime: at,
    updateTime: at,
    registerTime: at,
    lastLogin: at,
    version: 5,
    disabled: false,
    lockedUntil: null,
    passwordInitial: false,
    sessions: 2,
    manageable: true,
  };
  const admin: User = {
    ...wang,
    id: 1,
    username: 'admin',
    nickname: null,
    roleNames: '系统管理员',
    roles: '1',
    treeLevel: 0,
    sessions: 1,
  };
  const detail: Detail = {
    id: 7,
    userId: 7,
    did: null,
    username: 'wangwei',
    nickname: '老王',
    familyName: null,
    name: null,
    mobile: null,
    email: null,
    imgPath: null,
    discTitle: null,
    discDetail: null,
    treeLevel: 2,
    roleIds: '3,4',
    roleNames: '值班员,巡检员',
    createTime: at,
    updateTime: at,
    registerTime: at,
    lastLogin: at,
    version: 5,
  };
  const role = {
    roleExtent: '全市',
    parentId: 0,
    creatorName: 'admin',
    version: 1,
    createTime: at,
    updateTime: at,
    manageable: true,
  };
  const everything = ['cscp.user.query', 'cscp.user.add', 'cscp.user.edit', 'cscp.user.del', 'account.preview'];
  const session = {
    id: 31,
    address: '10.0.0.8',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    createdAt: at,
    lastActiveAt: at,
    expiresAt: at,
    remember: true,
    own: false,
    previewBy: null,
  };

  let server: ContractServer;
  let address = '';
  const find = { timeout: 8_000 };
  // Two busy cores: what is waited for comes, but not within the libraries' usual second.
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  function Address() {
    const { pathname, search } = useLocation();
    useEffect(() => {
      address = pathname + search;
    }, [pathname, search]);
    return null;
  }

  const page = (name: string) => ({
    name,
    path: `/${name}`,
    screen: name,
    title: name,
    language: null,
    icon: null,
    parents: [],
    permissionCode: null,
  });

  async function open(path = '/user-management', held: readonly string[] = everything) {
    const tabs = createTabStore();
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={await startI18n('zh-CN')}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter initialEntries={[path]}>
              <MenuContext value={{ top: [], pages: [page('user-add'), page('user-edit')], codes: new Set(held) }}>
                <TabStoreContext value={tabs}>
                  <TabKeyContext value="/user-management">
                    <Suspense fallback="…">
                      <UserManagement />
                    </Suspense>
                    <Address />
                    <AskHost />
                    <Toasts />
                  </TabKeyContext>
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    return tabs;
  }
  const rowOf = async (name: string) => within((await screen.findByText(name, undefined, find)).closest('tr')!);
  const dialog = async (title: string | RegExp) =>
    within((await screen.findByText(title, undefined, find)).closest('[role="dialog"]')!);
  const choose = async (combobox: HTMLElement, option: string): Promise<void> => {
    fireEvent.mouseDown(combobox);
    const found = (await screen.findAllByText(option, undefined, find)).findLast((each) =>
      each.closest('.ant-select-item'),
    );
    fireEvent.click(found!);
  };
  const menuItem = async (name: string, item: string): Promise<HTMLElement> => {
    fireEvent.click(await screen.findByRole('button', { name: `${name} 的更多操作` }, find));
    return screen.findByRole('menuitem', { name: new RegExp(item) }, find);
  };

  beforeEach(async () => {
    toasts.setState([], true);
    server = await contractServer();
    server.answer(listUsers, { code: 0, msg: '', data: [admin, wang], recordsTotal: 2 });
    server.answer(getLevels, { code: 0, msg: '', data: { 0: '管理员', 1: 'A', 2: 'B', 3: 'C', 4: 'D', 5: 'E' } });
    server.answer(getCurrentUser, { ...detail, id: 1, userId: 1, username: 'admin', treeLevel: 0 });
    server.answer(getUserDetails, detail);
    server.answer(listRoles, {
      data: [
        { id: 3, name: '值班员', icon: 'md-key', ...role },
        { id: 4, name: '巡检员', icon: 'md-key', ...role },
        { id: 5, name: '访客', icon: 'md-key', ...role },
      ],
      recordsTotal: 3,
      recordsFiltered: 3,
    });
  });
  afterEach(async () => {
    cleanup();
    vi.restoreAllMocks();
    await server.close();
  });

  return {
    at,
    wang,
    admin,
    detail,
    session,
    get server() {
      return server;
    },
    get address() {
      return address;
    },
    find,
    page,
    open,
    rowOf,
    dialog,
    choose,
    menuItem,
  };
}
