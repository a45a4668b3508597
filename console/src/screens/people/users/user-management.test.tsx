import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  beginPreview,
  endAccountSession,
  endAccountSessions,
  listAccountSessions,
  setAccountDisabled,
  unlockAccount,
} from '../../../../../contract/people/accounts.ts';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { listRoles } from '../../../../../contract/specified/roles.ts';
import {
  createUser,
  deleteUser,
  getLevels,
  getUserDetails,
  listUsers,
  resetUserPassword,
  updateUser,
} from '../../../../../contract/specified/users.ts';
import { createQueryClient } from '../../../api/index.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { Toasts } from '../../../parts/index.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { startPreview } from '../../../session/index.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import UserManagement from './index.tsx';
import type { Detail, User } from '../../../parts/people/users/user.ts';

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

describe('the list', () => {
  test('asks as specified: the text in both names, the level, sort user_id, the page as it is, 50 a page', async () => {
    await open('/user-management?q=wang&treeLevel=2&page=3');
    await rowOf('wangwei');
    expect(Object.fromEntries(server.of(listUsers)[0]!.query)).toEqual({
      username: 'wang',
      nickname: 'wang',
      treeLevel: '2',
      sort: 'user_id',
      page: '3',
      size: '50',
    });
  });

  test('shows the count line, index, roles, the level by its name, and what is particular about each account', async () => {
    const locked = {
      ...wang,
      id: 8,
      username: 'lisi',
      lockedUntil: '2999-01-01T00:00:00.000Z',
      passwordInitial: true,
      lastLogin: null,
      treeLevel: 5,
    };
    server.answer(listUsers, {
      code: 0,
      msg: '',
      data: [wang, locked, { ...wang, id: 9, username: 'zhaoliu', disabled: true }],
      recordsTotal: 3,
    });
    await open();
    const row = await rowOf('wangwei');
    expect(screen.getByText('共 3 个账号')).toBeTruthy();
    expect(row.getByText('值班员、巡检员')).toBeTruthy();
    expect(await row.findByText('B')).toBeTruthy();
    expect(row.getByText('正常')).toBeTruthy();
    const second = await rowOf('lisi');
    expect(second.getByText(/^锁定至 /)).toBeTruthy();
    expect(second.getByText('初始密码')).toBeTruthy();
    expect(second.getByText('从未登录')).toBeTruthy();
    expect((await rowOf('zhaoliu')).getByText('已停用')).toBeTruthy();
  });

  test('filters go into the address; reset clears them and searches again', async () => {
    await open('/user-management?page=2');
    const text = await screen.findByLabelText('用户名或昵称', undefined, find);
    fireEvent.change(text, { target: { value: ' 王 ' } });
    fireEvent.submit(text.closest('form')!);
    await waitFor(() => expect(address).toBe('/user-management?q=%E7%8E%8B'));
    await choose(screen.getByLabelText('账号级别'), 'C');
    fireEvent.submit(text.closest('form')!);
    await waitFor(() => expect(address).toContain('treeLevel=3'));
    fireEvent.click(screen.getByRole('button', { name: '重置' }));
    await waitFor(() => expect(address).toBe('/user-management'));
  });

  test('without the codes there is no New, no edit, no delete; a refusal says what is missing; a failure shows the server’s words', async () => {
    await open('/user-management', ['cscp.user.query']);
    await rowOf('wangwei');
    for (const name of ['新增', '填写完整资料', '编辑 wangwei', '删除 wangwei'])
      expect(screen.queryByRole('button', { name }), name).toBeNull();
    cleanup();
    server.refuse(listUsers, 403, { message: '缺少权限 cscp.user.query' });
    await open();
    expect(await screen.findByText('缺少权限 cscp.user.query', undefined, find)).toBeTruthy();
    cleanup();
    server.refuse(listUsers, 500, { msg: '数据库没有应答', requestId: 'r-9' });
    await open();
    expect((await screen.findByRole('alert', undefined, find)).textContent).toMatch(
      /数据获取失败！.*数据库没有应答.*r-9/,
    );
  });

  test('who is not below the operator’s level, and the built-in account, say why they cannot be changed', async () => {
    server.answer(listUsers, { code: 0, msg: '', data: [admin, { ...wang, manageable: false }], recordsTotal: 2 });
    await open();
    const edit = (await rowOf('wangwei')).getByRole('button', { name: '编辑 wangwei' });
    expect(edit.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(edit);
    fireEvent.focus(edit);
    fireEvent.mouseEnter(edit);
    expect(await screen.findByText(/只有更高级别能更改/)).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect((await rowOf('admin')).getByRole('button', { name: '删除 admin' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
  });
});

describe('a new account', () => {
  const start = async () => {
    await open('/user-management?form=new');
    return dialog('新增用户');
  };
  const fill = async (form: Awaited<ReturnType<typeof start>>) => {
    fireEvent.change(form.getByLabelText(/^用户名/), { target: { value: ' zhangsan ' } });
    await choose(form.getByLabelText(/^账号级别/), 'D');
    await choose(form.getByLabelText(/^角色/), '访客');
  };

  test('everything that is missing is said at once, and nothing is sent', async () => {
    const form = await start();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await form.findAllByText('不能为空')).toHaveLength(3);
    expect(form.getByText('3 处需要修改')).toBeTruthy();
    fireEvent.change(form.getByLabelText(/^用户名/), { target: { value: '甲' } });
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '一'.repeat(21) } });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await form.findByText('用户名长度为 2 到 10 个字符')).toBeTruthy();
    expect(form.getByText('昵称最多 20 个字符')).toBeTruthy();
    expect(server.of(createUser)).toEqual([]);
  });

  test('its first password is shown once, to copy; only its own button closes it', async () => {
    server.answer(createUser, { code: 0, msg: '', data: { id: 12, password: 'Qx7-mute-lamp' } });
    const copied = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
    const form = await start();
    await fill(form);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    const shown = await dialog('初始密码：zhangsan');
    expect(JSON.parse(server.of(createUser)[0]!.body)).toEqual({
      username: 'zhangsan',
      nickname: null,
      roles: [5],
      treeLevel: 4,
    });
    expect(shown.getByText('Qx7-mute-lamp')).toBeTruthy();
    expect(shown.getByText(/只在现在显示这一次/)).toBeTruthy();
    fireEvent.click(shown.getByRole('button', { name: '复制密码' }));
    expect(copied).toHaveBeenCalledExactlyOnceWith('Qx7-mute-lamp');
    fireEvent.click(screen.getByText('Qx7-mute-lamp').closest('.ant-modal-wrap')!);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(screen.getByText('Qx7-mute-lamp')).toBeTruthy();
    fireEvent.click(shown.getByRole('button', { name: '我已保存，关闭' }));
    await waitFor(() => expect(screen.queryByText('Qx7-mute-lamp')).toBeNull());
  });

  test('what the server refuses by field stands beside its field; what was typed stays', async () => {
    server.refuse(createUser, 400, {
      code: 39,
      params: [
        { field: 'username', rule: 'taken', message: '该账号已存在' },
        { field: 'roles', rule: 'unknown', message: '没有这个角色' },
      ],
    });
    const form = await start();
    await fill(form);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await form.findByText('该账号已存在')).toBeTruthy();
    expect(form.getByText('没有这个角色')).toBeTruthy();
    expect((form.getByLabelText(/^用户名/) as HTMLInputElement).value).toBe(' zhangsan ');
  });

  test('the button rests while it runs; any other refusal is told in the dialog', async () => {
    let answer: (() => void) | undefined;
    server.on(
      createUser,
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 403, body: { status: 403, message: '不能授予这个角色' } });
        }),
    );
    const form = await start();
    await fill(form);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await waitFor(() => expect(answer).toBeDefined());
    expect(form.getByRole('button', { name: /保存/ }).hasAttribute('disabled')).toBe(true);
    answer?.();
    expect(await form.findByText('添加用户失败 · 不能授予这个角色')).toBeTruthy();
    expect(form.getByRole('button', { name: '保存' }).hasAttribute('disabled')).toBe(false);
  });

  test('closing with something typed asks; opened again the dialog is empty', async () => {
    const form = await start();
    fireEvent.change(form.getByLabelText(/^用户名/), { target: { value: 'zhangsan' } });
    fireEvent.click(form.getByRole('button', { name: '取消' }));
    fireEvent.click(await screen.findByRole('button', { name: '留在这里' }, find));
    expect((form.getByLabelText(/^用户名/) as HTMLInputElement).value).toBe('zhangsan');
    fireEvent.click(form.getByRole('button', { name: '取消' }));
    fireEvent.click(await screen.findByRole('button', { name: '放弃并继续' }, find));
    await waitFor(() => expect(address).toBe('/user-management'));
    fireEvent.click(screen.getByRole('button', { name: '新增' }));
    expect(((await dialog('新增用户')).getByLabelText(/^用户名/) as HTMLInputElement).value).toBe('');
  });
});

describe('changing an account', () => {
  const edit = async () => {
    await open('/user-management?form=7');
    const form = await dialog('编辑用户 wangwei');
    await form.findByLabelText('昵称', undefined, find);
    return form;
  };

  test('the name is locked and not sent; only what changed goes, with the version', async () => {
    server.answer(updateUser, { code: 0, msg: '' });
    const form = await edit();
    expect((form.getByLabelText(/^用户名/) as HTMLInputElement).disabled).toBe(true);
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await screen.findByText('更新用户成功')).toBeTruthy();
    expect(JSON.parse(server.of(updateUser)[0]!.body)).toEqual({ id: 7, nickname: '王师傅', version: 5 });
  });

  test('the second operator sees both versions and keeps his own, or takes over what is there', async () => {
    server.refuse(updateUser, 409, { message: '已被修改' });
    const form = await edit();
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    server.answer(getUserDetails, { ...detail, nickname: '王队', treeLevel: 3, roleIds: '5', version: 8 });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await form.findByText('别人刚刚修改了这个账号')).toBeTruthy();
    const cells = form
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('th,td')].map((cell) => cell.textContent));
    expect(cells).toEqual([
      ['项目', '您填的', '现在的'],
      ['昵称', '王师傅', '王队'],
      ['账号级别', 'B', 'C'],
      ['角色', '值班员、巡检员', '访客'],
    ]);
    fireEvent.click(form.getByRole('button', { name: '保留我填的' }));
    server.answer(updateUser, { code: 0, msg: '' });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await waitFor(() =>
      expect(JSON.parse(server.of(updateUser).at(-1)!.body)).toEqual({
        id: 7,
        nickname: '王师傅',
        treeLevel: 2,
        roles: [3, 4],
        version: 8,
      }),
    );
  });

  test('taking over shows what was saved', async () => {
    server.refuse(updateUser, 409, { message: '已被修改' });
    const form = await edit();
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    server.answer(getUserDetails, { ...detail, nickname: '王队', version: 8 });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    fireEvent.click(await form.findByRole('button', { name: '采用现在的' }, find));
    expect((form.getByLabelText('昵称') as HTMLInputElement).value).toBe('王队');
    expect(form.queryByText('别人刚刚修改了这个账号')).toBeNull();
  });
});

describe('what is done with an account', () => {
  test('deleting names what is lost; a failure says so and stays', async () => {
    server.refuse(deleteUser, 400, { message: '不能移除最后一个管理员' });
    await open();
    fireEvent.click((await rowOf('wangwei')).getByRole('button', { name: '删除 wangwei' }));
    const asked = await dialog('确定删除账号 wangwei 吗？');
    expect(asked.getByText('2 个打开的会话，立即结束')).toBeTruthy();
    fireEvent.click(asked.getByRole('button', { name: '删除' }));
    expect(await asked.findByText('删除失败 · 不能移除最后一个管理员')).toBeTruthy();
    server.answer(deleteUser, { code: 0, msg: '' });
    fireEvent.click(asked.getByRole('button', { name: '删除' }));
    expect(await screen.findByText('删除成功')).toBeTruthy();
    expect(server.of(deleteUser).at(-1)?.path).toBe('/api/tbUsers/7');
  });

  test('a reset asks first and shows the new password', async () => {
    server.answer(resetUserPassword, { code: 0, msg: '', data: { id: 7, password: 'Neu-4711-lamp' } });
    await open();
    fireEvent.click(await menuItem('wangwei', '重置密码'));
    const asked = await dialog('重置 wangwei 的密码？');
    expect(server.of(resetUserPassword)).toEqual([]);
    fireEvent.click(asked.getByRole('button', { name: '重置密码' }));
    expect((await dialog('初始密码：wangwei')).getByText('Neu-4711-lamp')).toBeTruthy();
  });

  test('disabling asks and sends the version; a locked account is unlocked at once', async () => {
    server.answer(listUsers, {
      code: 0,
      msg: '',
      data: [{ ...wang, lockedUntil: '2999-01-01T00:00:00.000Z' }],
      recordsTotal: 1,
    });
    server.answer(setAccountDisabled, { id: 7, disabled: true, version: 6 });
    server.on(unlockAccount, () => ({ status: 204, body: '' }));
    await open();
    fireEvent.click(await menuItem('wangwei', '解除锁定'));
    expect(await screen.findByText('wangwei 已解除锁定')).toBeTruthy();
    fireEvent.click(await menuItem('wangwei', '停用'));
    fireEvent.click((await dialog('停用账号 wangwei？')).getByRole('button', { name: '停用' }));
    expect(await screen.findByText('wangwei 已停用')).toBeTruthy();
    expect(JSON.parse(server.of(setAccountDisabled)[0]!.body)).toEqual({ disabled: true, version: 5 });
  });

  test('sessions say device, browser and address; the own one is marked; one or all can be ended', async () => {
    server.answer(listAccountSessions, {
      data: [
        session,
        { ...session, id: 32, own: true, userAgent: null, remember: false },
        { ...session, id: 33, previewBy: '周敏' },
      ],
      recordsTotal: 3,
    });
    for (const route of [endAccountSession, endAccountSessions]) server.on(route, () => ({ status: 204, body: '' }));
    await open();
    fireEvent.click((await rowOf('wangwei')).getByRole('button', { name: /查看 wangwei 的会话/ }));
    const drawer = await dialog('wangwei 的会话');
    expect(await drawer.findAllByText('Chrome 141 · Windows', undefined, find)).toHaveLength(2);
    expect(address).toBe('/user-management?open=7');
    const own = within(drawer.getByText('您的会话').closest('li')!);
    expect(own.getByText('未知设备')).toBeTruthy();
    expect(own.queryByRole('button')).toBeNull();
    expect(drawer.getByText('周敏 正在预览')).toBeTruthy();
    fireEvent.click(drawer.getAllByRole('button', { name: '结束 Chrome 141 · Windows 的会话' })[0]!);
    expect(await screen.findByText('会话已结束')).toBeTruthy();
    expect(server.of(endAccountSession)[0]?.path).toBe('/api/v1/accounts/7/sessions/31');
    fireEvent.click(drawer.getByRole('button', { name: '全部结束' }));
    fireEvent.click((await dialog('结束 wangwei 的全部会话？')).getByRole('button', { name: '全部结束' }));
    expect(await screen.findByText('全部会话已结束')).toBeTruthy();
  });

  test('the full screen gets the account through the hand-over slot, never in the address', async () => {
    const tabs = await open();
    const handed = vi.spyOn(tabs, 'handOver');
    fireEvent.click(await menuItem('wangwei', '编辑完整资料'));
    await waitFor(() => expect(address).toBe('/user-edit'));
    expect(handed).toHaveBeenCalledExactlyOnceWith('/user-edit', { id: 7 });
  });
});

describe('preview as this account', () => {
  test('opens a tab whose address names nobody, and hands the token to that tab', async () => {
    server.answer(beginPreview, { token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
    const posted: unknown[] = [];
    const tab = { postMessage: (data: unknown) => posted.push(data), close: vi.fn() };
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    await open();
    fireEvent.click(await menuItem('wangwei', '以此账号预览'));
    expect(opened).toHaveBeenCalledExactlyOnceWith('/preview', '_blank');
    const ready = new MessageEvent('message', {
      data: { type: 'lampyris-preview-ready' },
      origin: window.location.origin,
    });
    Object.defineProperty(ready, 'source', { value: tab });
    window.dispatchEvent(ready);
    await waitFor(() =>
      expect(posted).toEqual([
        { type: 'lampyris-preview-token', token: 'Bearer preview', username: 'wangwei', displayName: '王伟' },
      ]),
    );
  });

  test('a refused preview closes the tab and says why', async () => {
    server.refuse(beginPreview, 403, { message: '级别太高' });
    const tab = { postMessage: () => undefined, close: vi.fn() };
    vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    await open();
    fireEvent.click(await menuItem('wangwei', '以此账号预览'));
    expect(await screen.findByText('没有打开预览 · 级别太高')).toBeTruthy();
    expect(tab.close).toHaveBeenCalledOnce();
  });

  test('is offered to administrators only, not for the own account, and not inside of a preview', async () => {
    server.answer(getCurrentUser, { ...detail, id: 20, userId: 20, treeLevel: 1 });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'wangwei 的更多操作' }, find));
    await screen.findByRole('menuitem', { name: '查看会话' }, find);
    expect(screen.queryByRole('menuitem', { name: /预览/ })).toBeNull();
    cleanup();
    startPreview({ token: 'Bearer preview', username: 'admin', displayName: 'admin' });
    server.answer(getCurrentUser, { ...detail, id: 1, userId: 1, treeLevel: 0 });
    await open();
    expect((await screen.findByRole('button', { name: '新增' }, find)).hasAttribute('disabled')).toBe(true);
    expect((await rowOf('wangwei')).getByRole('button', { name: '编辑 wangwei' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    fireEvent.click(screen.getByRole('button', { name: 'wangwei 的更多操作' }));
    await screen.findByRole('menuitem', { name: '查看会话' }, find);
    expect(screen.queryByRole('menuitem', { name: /以此账号预览/ })).toBeNull();
  });
});
