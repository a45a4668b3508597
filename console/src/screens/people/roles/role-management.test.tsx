import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import axe from 'axe-core';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { copyRole, getRolePowers, listRoleSummaries } from '../../../../../contract/people/roles.ts';
import { countRoleUsers, deleteRole, listRoles, type RoleDetail } from '../../../../../contract/specified/roles.ts';
import { createQueryClient } from '../../../api/index.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { createTabStore, type TabStore } from '../../../frame/tabs/tab-store.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { iconPaths } from '../../../parts/icons/icon-paths.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { leavePreview, startPreview } from '../../../session/index.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import RoleManagement from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-20T13:00:00.000Z';
const night: RoleDetail = {
  id: 2,
  name: '夜间值守',
  icon: 'md-key',
  roleExtent: '滨江',
  parentId: 0,
  creatorName: '王伟',
  version: 4,
  createTime: at,
  updateTime: at,
  manageable: true,
};
const above: RoleDetail = {
  ...night,
  id: 1,
  name: 'admin',
  icon: 'ios-people',
  creatorName: '系统',
  manageable: false,
};
const every = ['cscp.role.query', 'cscp.role.add', 'cscp.role.edit', 'cscp.role.del'];
const powers = {
  id: 2,
  name: '夜间值守',
  users: 3,
  parent: { id: 1, name: 'admin' },
  children: [{ id: 8, name: '实习' }],
  powers: [
    { menuId: 10, type: 'menu1', permissionCode: null, path: [{ title: '资产', language: null }] },
    {
      menuId: 11,
      type: 'menu2',
      permissionCode: 'record.query',
      path: [
        { title: '资产', language: null },
        { title: '道路', language: null },
      ],
    },
    {
      menuId: 12,
      type: 'button',
      permissionCode: 'record.query',
      path: [
        { title: '资产', language: null },
        { title: '道路', language: null },
        { title: '查看', language: null },
      ],
    },
    {
      menuId: 13,
      type: 'button',
      permissionCode: 'record.add',
      path: [
        { title: '资产', language: null },
        { title: '道路', language: null },
        { title: '新增', language: null },
      ],
    },
    { menuId: 20, type: 'menu1', permissionCode: 'lamp.monitor', path: [{ title: '路灯监控', language: null }] },
  ],
};

let server: ContractServer;
let tabs: TabStore;
let address = '';
const key = '/system/role-management';
const page = (name: string) => ({
  name,
  screen: name,
  path: `/system/${name}`,
  title: name,
  language: null,
  codes: [],
});
const Address = () => {
  const { pathname, search } = useLocation();
  address = pathname + search;
  return null;
};

async function open(codes = every, at = key) {
  tabs = createTabStore();
  tabs.visit({ key, name: 'role-management', title: '角色', language: null, address: key });
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter initialEntries={[at]}>
            <MenuContext
              value={{
                top: [],
                pages: ['role-management', 'role-add', 'role-edit'].map(page) as never,
                codes: new Set(codes),
              }}
            >
              <TabStoreContext value={tabs}>
                <TabKeyContext value={key}>
                  <Suspense fallback="…">
                    <main>
                      <RoleManagement />
                    </main>
                  </Suspense>
                  <Address />
                </TabKeyContext>
              </TabStoreContext>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
}
const card = async (name: string) => within((await screen.findByText(name)).closest('li')!);
const find = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });
const fromMenu = async (name: string, item: string) => {
  fireEvent.click(await find(`${name} 的更多操作`));
  return screen.findByRole('menuitem', { name: item });
};
const texts = () => toasts.getState().map(({ text }) => text);
const handedOver = () => tabs.getState().tabs.map(({ key: tab, handOver }) => [tab, handOver]);

beforeEach(async () => {
  server = await contractServer();
  server.answer(listRoles, { data: [above, night], recordsTotal: 2, recordsFiltered: 2 });
  server.answer(getRolePowers, powers);
  server.answer(listRoleSummaries, { data: [{ id: 2, users: 3, pages: 12, operations: 30 }] });
});
afterEach(async () => {
  cleanup();
  leavePreview();
  toasts.setState([], true);
  await server.close();
});

describe('the cards', () => {
  test('one for each role with icon, name and creator, and a last one that adds; axe finds nothing', async () => {
    await open();
    const own = await card('夜间值守');
    expect(own.getByText('创建人：王伟')).toBeTruthy();
    expect(own.getByText('夜间值守').closest('li')!.querySelector('path')?.getAttribute('d')).toBe(iconPaths.key);
    expect((await screen.findByText('admin')).closest('li')!.querySelector('path')?.getAttribute('d')).toBe(
      iconPaths.team,
    );
    expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe('新增角色');
    expect(Object.fromEntries(server.of(listRoles)[0]!.query)).toEqual({ size: '1000' });
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  test('a click opens the form with the id in the tab’s hand-over slot, not in the address', async () => {
    await open();
    fireEvent.click(await find(/^夜间值守创建人/));
    await waitFor(() => expect(address).toBe('/system/role-edit'));
    // The slot waits for the tab that the address opens.
    tabs.visit({ key: address, name: 'role-edit', title: '', language: null, address });
    expect(handedOver()).toContainEqual(['/system/role-edit', { id: 2 }]);
  });

  test('cross, add card and copying follow their codes; without the code to edit a click shows what the role may do', async () => {
    await open(['cscp.role.query']);
    await card('夜间值守');
    expect(screen.queryByRole('button', { name: '新增角色' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^删除角色/ })).toBeNull();
    fireEvent.click(await find(/^夜间值守创建人/));
    expect(await screen.findByText('夜间值守 能做什么')).toBeTruthy();
    expect(screen.queryByRole('button', { name: '编辑角色' })).toBeNull();
    fireEvent.click(await find('夜间值守 的更多操作'));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['此角色能做什么']);
  });

  test('a failed list says so and is asked again', async () => {
    server.refuse(listRoles, 500, { message: '服务暂时不可用' });
    await open();
    expect(await screen.findByText('失败')).toBeTruthy();
    server.answer(listRoles, { data: [night], recordsTotal: 1, recordsFiltered: 1 });
    fireEvent.click(await find('重试'));
    await card('夜间值守');
  });
});

describe('the cross', () => {
  test('counts first: with accounts it is blocked in the specified words', async () => {
    server.answer(countRoleUsers, 12);
    await open();
    fireEvent.click(await find('删除角色 夜间值守'));
    expect(await screen.findByText('该角色已被12个账号使用，不能删除。')).toBeTruthy();
    expect(screen.queryByRole('button', { name: '删除' })).toBeNull();
    fireEvent.click(await find('知道了'));
    expect(server.of(countRoleUsers).map(({ path }) => path)).toEqual(['/api/system/cscpRoleUsers/2']);
    expect(server.of(deleteRole)).toEqual([]);
  });

  test('without accounts it asks, deletes, and the list loads again', async () => {
    server.answer(countRoleUsers, 0);
    server.on(deleteRole, () => {
      server.answer(listRoles, { data: [above], recordsTotal: 1, recordsFiltered: 1 });
      return { status: 200, body: { success: true, msg: '' } };
    });
    await open();
    fireEvent.click(await find('删除角色 夜间值守'));
    await screen.findByText(/角色及其菜单授权将被删除/);
    fireEvent.click(await find('删除'));
    await waitFor(() => expect(screen.queryByText('创建人：王伟')).toBeNull());
    expect(texts()).toEqual(['角色“夜间值守”已删除']);
  });

  test('a count that fails deletes nothing; a refusal is shown and the dialog stays', async () => {
    server.refuse(countRoleUsers, 500);
    await open();
    fireEvent.click(await find('删除角色 夜间值守'));
    await screen.findByText('失败');
    expect((await find('删除')).disabled).toBe(true);
    server.answer(countRoleUsers, 0);
    server.refuse(deleteRole, 400, { code: 3202, message: '首个角色不能删除' });
    fireEvent.click(await find('重试'));
    await waitFor(async () => expect((await find('删除')).disabled).toBe(false));
    fireEvent.click(await find('删除'));
    expect(await screen.findByText('失败 · 首个角色不能删除')).toBeTruthy();
  });

  test('of a role above one’s own rests', async () => {
    await open();
    const cross = await find('删除角色 admin');
    expect(cross.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(cross);
    expect(server.of(countRoleUsers)).toEqual([]);
  });
});

describe('the card’s menu', () => {
  test('copies under a new name and opens the copy; a taken name stays in the dialog', async () => {
    server.refuse(copyRole, 400, { code: 39, message: '角色名称已存在' });
    await open();
    fireEvent.click(await fromMenu('夜间值守', '复制角色'));
    const name = await screen.findByLabelText<HTMLInputElement>('角色名称');
    expect(name.value).toBe('夜间值守 副本');
    fireEvent.change(name, { target: { value: '  ' } });
    fireEvent.click(await find('复制'));
    expect(await screen.findByText('不能为空')).toBeTruthy();
    fireEvent.change(name, { target: { value: ' 夜班二 ' } });
    fireEvent.click(await find('复制'));
    expect(await screen.findByText('角色名称已存在')).toBeTruthy();
    server.answer(copyRole, { id: 9, name: '夜班二' });
    fireEvent.click(await find('复制'));
    await waitFor(() => expect(texts()).toEqual(['已复制为“夜班二”']));
    await waitFor(() => expect(address).toBe('/system/role-edit'));
    const [refused, made] = server.of(copyRole).map(({ path, body }) => [path, JSON.parse(body)]);
    expect(refused).toEqual(['/api/v1/roles/2/copy', { name: '夜班二' }]);
    expect(made).toEqual(refused);
  });

  test('shows what the role may do by page, in words, with what hangs on it; the search narrows it', async () => {
    await open();
    fireEvent.click(await fromMenu('夜间值守', '此角色能做什么'));
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByRole('heading', { name: '资产' })).toBeTruthy();
    expect(drawer.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
      '道路查看基础数据、新增基础数据',
    );
    expect(drawer.getByText('监控路灯')).toBeTruthy();
    expect(drawer.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['3', 'admin', '实习']);
    fireEvent.change(drawer.getByLabelText('查找页面或操作'), { target: { value: '新增' } });
    expect(drawer.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['道路新增基础数据']);
    fireEvent.change(drawer.getByLabelText('查找页面或操作'), { target: { value: '没有' } });
    expect(drawer.getByText('没有匹配的页面或操作')).toBeTruthy();
    expect(address).toBe(`${key}?open=2`);
  });

  test('a link to it opens it, and its page can be edited from there', async () => {
    await open(every, `${key}?open=2`);
    fireEvent.click(await find('编辑角色'));
    await waitFor(() => expect(address).toBe('/system/role-edit'));
  });
});

test('in a preview nothing here changes anything', async () => {
  startPreview({ token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
  server.answer(countRoleUsers, 0);
  await open();
  expect((await find('新增角色')).disabled).toBe(true);
  expect((await fromMenu('夜间值守', '复制角色')).getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(await find('删除角色 夜间值守'));
  await screen.findByText(/角色及其菜单授权将被删除/);
  expect((await find('删除')).disabled).toBe(true);
});
