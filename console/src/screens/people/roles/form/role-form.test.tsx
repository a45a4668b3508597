import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createRole,
  getRole,
  getRoleMenus,
  listRoleOptions,
  listRoles,
  updateRole,
  type RoleDetail,
  type RoleMenuNode,
} from '../../../../../../contract/specified/roles.ts';
import { asked } from '../../../../frame/ask.ts';
import type { TabStore } from '../../../../frame/tabs/tab-store.ts';
import { toasts } from '../../../../frame/toast-store.ts';
import { leavePreview, startPreview } from '../../../../session/index.ts';
import { contractServer, type ContractServer, type SeenRequest } from '../../../../testing/contract-server.ts';
import { chooseOption, renderInShell } from '../../../../testing/shell.tsx';
import AddRole from './add.tsx';
import EditRole from './edit.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-20T13:00:00.000Z';
const night: RoleDetail = {
  id: 2,
  name: '夜间值守',
  icon: 'moon',
  roleExtent: '滨江',
  parentId: 0,
  creatorName: '王伟',
  version: 4,
  createTime: at,
  updateTime: at,
  manageable: true,
};
const node = (id: number, title: string, checked: boolean, ...items: RoleMenuNode[]): RoleMenuNode => ({
  id,
  title,
  language: null,
  checked,
  type: items.length === 0 ? 'button' : 'menu1',
  permissionCode: null,
  ...(items.length === 0 ? {} : { items }),
});
const tree = (...granted: number[]): RoleMenuNode[] => {
  const leaf = (id: number, title: string) => node(id, title, granted.includes(id));
  return [
    node(
      10,
      '系统',
      false,
      node(11, '账号', granted.includes(12) && granted.includes(13), leaf(12, '查看账号'), leaf(13, '新增账号')),
    ),
    node(20, '资产', granted.includes(21), leaf(21, '查看道路')),
  ];
};
const answerOf = (items: RoleMenuNode[]) => ({ items });

let server: ContractServer;
let tabs: TabStore;
const key = '/system/role';
async function open(
  what: ReactNode,
  handOver?: unknown,
  codes: readonly string[] = ['cscp.role.query', 'cscp.role.add', 'cscp.role.edit'],
) {
  ({ tabs } = await renderInShell(<main>{what}</main>, { address: key, handOver, codes, pages: ['role-management'] }));
}
const edit = (codes?: string[]) => open(<EditRole />, { id: 2 }, codes);
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
const item = (name: string) => screen.findByRole('treeitem', { name });
const tick = async (name: string) => fireEvent.click(await item(name));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name: new RegExp(`${name}$`) });
const submit = () => fireEvent.click(button('提交'));
const submitted = async () => {
  await waitFor(() => expect(button('提交').disabled).toBe(false));
  submit();
};
const texts = () => toasts.getState().map(({ text }) => text);
const bodies = (route: typeof createRole | typeof updateRole) =>
  server.of(route).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const form = (request: SeenRequest) => Object.fromEntries(new URLSearchParams(request.body));
const unsavedTabs = () => [...tabs.getState().unsaved];
const closed = () => screen.findByText('closed');
const chooseParent = async (name: string) => chooseOption(await field('上级角色'), name);

beforeEach(async () => {
  server = await contractServer();
  const roles = [night, { ...night, id: 3, name: '道路登记', parentId: 2 }, { ...night, id: 5, name: '总值班' }];
  server.answer(listRoles, { data: roles, recordsTotal: 3, recordsFiltered: 3 });
  server.answer(listRoleOptions, {
    data: roles.map(({ id, name, icon }) => ({ id, name, icon })),
    recordsTotal: 3,
    recordsFiltered: 3,
  });
  server.answer(getRole, night);
  server.answer(getRoleMenus, ({ body }) =>
    answerOf(new URLSearchParams(body).get('roles') === '2' ? tree(12) : tree()),
  );
  server.answer(createRole, { code: 0, msg: '', id: 9 });
  server.answer(updateRole, { code: 0, msg: '', id: 2 });
});
afterEach(async () => {
  cleanup();
  leavePreview();
  toasts.setState([], true);
  asked.setState({ current: undefined });
  await server.close();
});

describe('a new role', () => {
  test('has the specified defaults, asks for the tree of no role in a form, and shows every problem at once', async () => {
    await open(<AddRole />);
    await item('系统');
    expect(form(server.of(getRoleMenus)[0]!)).toEqual({ roles: '0', parentId: '0' });
    expect(server.of(getRoleMenus)[0]!.headers['content-type']).toContain('application/x-www-form-urlencoded');
    await submitted();
    expect(await screen.findAllByText('不能为空')).toHaveLength(2);
    expect(screen.getByText('有 2 处需要修改')).toBeTruthy();
    expect(server.of(createRole)).toEqual([]);
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  test('is created with half-checked parents in the same call, says so and closes its page', async () => {
    await open(<AddRole />);
    await type('角色名称', ' 登记员 ');
    await type('角色范围', '滨江');
    // All of the page, then one taken back: the page and what is above it are half-checked.
    await tick('账号');
    fireEvent.click(button('全部展开'));
    await tick('查看账号');
    expect((await item('系统')).getAttribute('aria-checked')).toBe('mixed');
    expect((await item('账号')).getAttribute('aria-checked')).toBe('mixed');
    await submitted();
    await closed();
    expect(bodies(createRole)).toEqual([
      { name: '登记员', icon: 'md-key', roleExtent: '滨江', parentId: 0, menus: [10, 11, 13] },
    ]);
    expect(texts()).toEqual(['提交成功']);
  });

  test('rests while it is saved, and wakes with the generic text when that failed', async () => {
    let fail = (): void => undefined;
    server.on(
      createRole,
      () =>
        new Promise((answer) => {
          fail = () => answer({ status: 500, body: { status: 500, message: '服务暂时不可用' } });
        }),
    );
    await open(<AddRole />);
    await type('角色名称', '登记员');
    await type('角色范围', '滨江');
    await item('系统');
    await submitted();
    await waitFor(() => expect(button('提交').disabled).toBe(true));
    submit();
    await waitFor(() => expect(server.of(createRole)).toHaveLength(1));
    fail();
    expect(await screen.findByText(/^提交失败/)).toBeTruthy();
    await waitFor(() => expect(button('提交').disabled).toBe(false));
    expect(server.of(createRole)).toHaveLength(1);
  });

  test('code 39: the server’s message at the name, nothing closes, Submit wakes', async () => {
    server.answer(createRole, { code: 39, msg: '角色名称已存在', id: null });
    await open(<AddRole />);
    await type('角色名称', '夜间值守');
    await type('角色范围', '滨江');
    await item('系统');
    await submitted();
    await waitFor(() => expect(texts()).toEqual(['角色名称已存在']));
    const name = await field('角色名称');
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(name.getAttribute('aria-describedby')!)?.textContent).toBe('角色名称已存在');
    expect(button('提交').disabled).toBe(false);
    expect(screen.queryByText('closed')).toBeNull();
    expect(screen.queryByText(/^提交失败/)).toBeNull();
  });

  test('the server’s words stand at their fields', async () => {
    server.refuse(createRole, 400, {
      code: 1001,
      params: [
        { field: 'roleExtent', rule: 'maxLength', message: '范围太长' },
        { field: 'parentId', rule: 'notFound', message: '没有这个角色' },
      ],
    });
    await open(<AddRole />);
    await type('角色名称', '登记员');
    await type('角色范围', '滨江');
    await item('系统');
    await submitted();
    expect(await screen.findByText('范围太长')).toBeTruthy();
    expect(screen.getByText('没有这个角色')).toBeTruthy();
    await type('角色范围', '江');
    expect(screen.queryByText('范围太长')).toBeNull();
  });
});

describe('the tree', () => {
  test('is asked again in the bounds of the chosen parent; until it came nothing can be saved, and what is checked stays', async () => {
    let come = (): void => undefined;
    server.on(getRoleMenus, ({ body }) =>
      new URLSearchParams(body).get('parentId') === '5'
        ? new Promise((answer) => {
            come = () => answer({ status: 200, body: answerOf([tree(12)[0]!]) });
          })
        : { status: 200, body: answerOf(tree(12)) },
    );
    await edit();
    await tick('查看道路');
    await chooseParent('总值班');
    await waitFor(() => expect(server.of(getRoleMenus).map(form)).toContainEqual({ roles: '2', parentId: '5' }));
    expect(button('提交').disabled).toBe(true);
    come();
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: '资产' })).toBeNull());
    await submitted();
    await closed();
    expect(bodies(updateRole)).toMatchObject([{ parentId: 5, menus: [10, 11, 12] }]);
  });

  test('that does not come is never saved as an empty one: an error with retry, Submit rests', async () => {
    server.refuse(getRoleMenus, 500, { message: '服务暂时不可用' });
    await edit();
    const retry = await screen.findByRole('button', { name: '重试' });
    expect(button('提交').disabled).toBe(true);
    server.answer(getRoleMenus, answerOf(tree(12)));
    fireEvent.click(retry);
    await item('账号');
    expect(button('提交').disabled).toBe(false);
  });

  test('all, none, fold, unfold and the filter', async () => {
    await edit();
    await item('账号');
    fireEvent.click(button('全选'));
    expect(screen.getByText('已选 3 / 3 项')).toBeTruthy();
    fireEvent.click(button('全不选'));
    expect(screen.getByText('已选 0 / 3 项')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('筛选菜单'), { target: { value: '道路' } });
    expect(screen.getAllByRole('treeitem').map(({ textContent }) => textContent)).toEqual(['资产', '查看道路']);
    fireEvent.change(screen.getByLabelText('筛选菜单'), { target: { value: '' } });
    fireEvent.click(screen.getByRole('button', { name: /^全部(展开|折叠)$/ }));
    const folded = screen.getAllByRole('treeitem').length;
    fireEvent.click(screen.getByRole('button', { name: /^全部(展开|折叠)$/ }));
    expect([folded, screen.getAllByRole('treeitem').length].toSorted()).toEqual([2, 6]);
  });

  test('offers neither the role itself nor one below it as parent; names do not need the right to see roles', async () => {
    server.refuse(listRoles, 403);
    server.answer(getRole, { ...night, parentId: 5 });
    await edit(['cscp.role.edit']);
    expect(await screen.findByText('总值班')).toBeTruthy();
    expect(server.of(listRoles)).toEqual([]);
    cleanup();
    server.answer(getRole, night);
    server.answer(listRoles, {
      data: [night, { ...night, id: 3, name: '道路登记', parentId: 2 }],
      recordsTotal: 2,
      recordsFiltered: 2,
    });
    await edit();
    await item('系统');
    await waitFor(() => expect(server.of(listRoles)).toHaveLength(1));
    fireEvent.mouseDown(await field('上级角色'));
    await waitFor(() =>
      expect([...document.querySelectorAll('.ant-select-item-option')].map(({ textContent }) => textContent)).toEqual([
        '无',
        '总值班',
      ]),
    );
  });
});

describe('an existing role', () => {
  test('is changed with its id and version; leaving asks when something is unsaved', async () => {
    await edit();
    expect((await field('角色名称')).value).toBe('夜间值守');
    expect(screen.getByText('创建人：王伟')).toBeTruthy();
    await tick('查看道路');
    expect(unsavedTabs()).toEqual([key]);
    fireEvent.click(button('返回'));
    await waitFor(() => expect(asked.getState().current?.question.kind).toBe('unsaved'));
    asked.getState().current?.answer(false);
    fireEvent.click(button('重置'));
    await waitFor(() => expect(unsavedTabs()).toEqual([]));
    await type('角色名称', '夜班');
    await submitted();
    await closed();
    expect(bodies(updateRole)).toEqual([
      { id: 2, version: 4, name: '夜班', icon: 'moon', roleExtent: '滨江', parentId: 0, menus: [10, 11, 12] },
    ]);
  });

  test('Back closes at once when nothing was changed', async () => {
    await edit();
    await item('系统');
    fireEvent.click(button('返回'));
    await closed();
    expect(asked.getState().current).toBeUndefined();
  });

  test('that was changed meanwhile shows both versions, menus too; theirs is taken over whole', async () => {
    const theirs = { ...night, name: '夜间巡查', version: 5 };
    await edit();
    await tick('查看道路');
    server.refuse(updateRole, 409, { code: 1401, message: '已被修改' });
    server.answer(getRole, theirs);
    server.answer(getRoleMenus, answerOf(tree(12, 13)));
    await submitted();
    const versions = within((await screen.findByText('别人刚刚修改了这个角色')).closest('section')!);
    expect(versions.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      '项目您填的现在保存的',
      '角色名称夜间值守夜间巡查',
      '只在这一方勾选的菜单资产 / 查看道路系统 / 账号 / 新增账号',
    ]);
    expect(button('提交').disabled).toBe(true);
    // Who touched a line keeps it unless he says otherwise; the name was changed by the other one only.
    expect(versions.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    fireEvent.click(versions.getAllByRole('radio')[3]!);
    server.answer(updateRole, { code: 0, msg: '', id: 2 });
    fireEvent.click(versions.getByRole('button', { name: '按所选继续' }));
    expect((await field('角色名称')).value).toBe('夜间巡查');
    expect(unsavedTabs()).toEqual([]);
    await submitted();
    await closed();
    expect(bodies(updateRole).at(-1)).toMatchObject({ version: 5, name: '夜间巡查', menus: [10, 11, 12, 13] });
  });

  test('or one’s own goes on over theirs', async () => {
    await edit();
    await tick('查看道路');
    server.refuse(updateRole, 409, { code: 1401, message: '已被修改' });
    server.answer(getRole, { ...night, version: 5 });
    server.answer(getRoleMenus, answerOf(tree(12, 13)));
    await submitted();
    fireEvent.click(await screen.findByRole('button', { name: '按所选继续' }));
    server.answer(updateRole, { code: 0, msg: '', id: 2 });
    await submitted();
    await closed();
    expect(bodies(updateRole).at(-1)).toMatchObject({ version: 5, name: '夜间值守', menus: [10, 11, 12, 20, 21] });
  });

  test('that is gone says so', async () => {
    await edit();
    await tick('查看道路');
    server.refuse(updateRole, 409, { code: 1401 });
    server.refuse(getRole, 404, { code: 1301 });
    await submitted();
    expect(await screen.findByText('这个角色已被删除，无法保存。')).toBeTruthy();
  });

  test('of somebody above is shown with the reason, and rests', async () => {
    server.answer(getRole, { ...night, manageable: false });
    await edit();
    expect(await screen.findByText('只能修改您所持角色之下的角色')).toBeTruthy();
    await tick('查看道路');
    expect((await item('查看道路')).getAttribute('aria-checked')).toBe('false');
    expect([(await field('角色名称')).disabled, button('提交').disabled]).toEqual([true, true]);
  });

  test('rests in a preview', async () => {
    startPreview({ token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
    await edit();
    expect(await screen.findByText('预览模式下只能查看，不能修改')).toBeTruthy();
    expect(button('提交').disabled).toBe(true);
  });

  test('cannot be guessed: without a handed-over id the page says where to choose one', async () => {
    await open(<EditRole />);
    fireEvent.click(await screen.findByRole('button', { name: '去角色管理' }));
    await closed();
    expect(server.of(getRole)).toEqual([]);
  });
});
