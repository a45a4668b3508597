import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import {
  createWorkGroup,
  deleteWorkGroup,
  getWorkGroup,
  listUserOptions,
  listWorkGroups,
  updateWorkGroup,
} from '../../../../../contract/specified/work-groups.ts';
import { asked } from '../../../frame/ask.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, renderInShell } from '../../../testing/shell.tsx';
import AddWorkGroup from './add.tsx';
import EditWorkGroup from './edit.tsx';
import WorkGroups from './index.tsx';
import { problemsOf, type Group } from './values.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const group: Group = {
  id: 5,
  groupName: '夜班抢修组',
  description: '滨江路段夜间抢修',
  orgId: null,
  workId: 2,
  workName: '滨江作业区',
  userDetail: [{ userId: 7 }],
  users: [7],
  version: 3,
};
const row = {
  id: 5,
  groupName: '夜班抢修组',
  description: '滨江路段夜间抢修',
  orgId: null,
  workId: 2,
  workName: '滨江作业区',
  members: 1,
  version: 3,
};
const chen = { id: 7, userId: 7, familyName: '陈', name: '慧敏', username: 'chenhui', mobile: '13800138000' };
const zhou = { id: 8, userId: 8, familyName: '周', name: '敏', username: 'zhoumin', mobile: null };

let server: ContractServer;
const every = ['cscp.wg.query', 'cscp.wg.add', 'cscp.wg.edit', 'cscp.wg.del'];
const open = (
  what: ReactNode,
  {
    handOver,
    codes = every,
    pages = ['workgroup-management', 'workgroup-add', 'workgroup-edit'],
  }: { handOver?: unknown; codes?: readonly string[]; pages?: readonly string[] } = {},
) => renderInShell(what, { address: '/system/work-group', handOver, codes, pages });
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
// A button that works on something is named otherwise meanwhile.
const submit = async () => fireEvent.click(await screen.findByRole('button', { name: '提交' }));
const texts = () => toasts.getState().map((toast) => toast.text);
const choose = async (label: string, text: string) => chooseOption(await field(label), text);

beforeEach(async () => {
  server = await contractServer();
  server.answer(listWorkGroups, { data: [row], recordsTotal: 1, recordsFiltered: 1 });
  server.answer(getWorkGroup, group);
  server.answer(getWorkAreaOptions, {
    success: true,
    msg: '',
    data: [
      { value: 2, label: '滨江作业区' },
      { value: 3, label: '老城作业区' },
    ],
  });
  server.answer(listUserOptions, ({ query }) => {
    const found = [chen, zhou].filter((one) =>
      query.get('ids')
        ? query.get('ids')?.split(',').includes(String(one.id))
        : one.username.includes(query.get('username') ?? ''),
    );
    return { data: found, recordsTotal: found.length };
  });
});
afterEach(async () => {
  cleanup();
  toasts.setState([], true);
  asked.setState({ current: undefined });
  await server.close();
});

test('the list: number, name, description, project, members, count; the one box looks into both texts', async () => {
  await open(<WorkGroups />);
  expect(await screen.findByText('共找到 1 条结果')).toBeTruthy();
  const cells = within(screen.getByRole('row', { name: /夜班抢修组/ }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
  expect(cells.slice(1, 6)).toEqual(['1', '夜班抢修组', '滨江路段夜间抢修', '滨江作业区', '1 人']);
  fireEvent.change(screen.getByLabelText('名称'), { target: { value: ' 夜班 ' } });
  fireEvent.click(screen.getByRole('button', { name: '查询' }));
  await waitFor(() => expect(server.of(listWorkGroups)).toHaveLength(2));
  const [first, second] = server.of(listWorkGroups).map(({ query }) => Object.fromEntries(query));
  expect(first).toEqual({ sort: 'id', page: '1', size: '50' });
  expect(second).toMatchObject({ groupName: '夜班', description: '夜班', page: '1' });
});

test('buttons by right: the codes of accounts count too, nothing without either', async () => {
  await open(<WorkGroups />, {
    codes: ['cscp.wg.query', 'cscp.user.edit', 'cscp.user.del'],
    pages: ['workgroup-management'],
  });
  expect(await screen.findByRole('button', { name: '编辑 夜班抢修组' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '删除 夜班抢修组' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: '新增' })).toBeNull();
  // Without the page of its own the form opens here.
  fireEvent.click(screen.getByRole('button', { name: '编辑 夜班抢修组' }));
  expect((await field('工作组名称')).value).toBe('夜班抢修组');
  cleanup();
  await open(<WorkGroups />, { codes: ['cscp.wg.query'] });
  await screen.findByText('夜班抢修组');
  expect(screen.queryByRole('button', { name: /夜班抢修组/ })).toBeNull();
});

test('delete asks, names what is lost, and says how it ended', async () => {
  server.refuse(deleteWorkGroup, 403, { title: '没有权限' });
  await open(<WorkGroups />);
  fireEvent.click(await screen.findByRole('button', { name: '删除 夜班抢修组' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('确定删除该条数据？')).toBeTruthy();
  expect(dialog.getByText(/1 名成员.*滨江作业区/)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: '删除' }));
  expect(await dialog.findByText('删除失败！ · 没有权限')).toBeTruthy();
  server.answer(deleteWorkGroup, { success: true, msg: '' });
  fireEvent.click(dialog.getByRole('button', { name: '删除' }));
  await waitFor(() => expect(texts()).toEqual(['删除成功！']));
  await waitFor(() => expect(server.of(listWorkGroups)).toHaveLength(2));
});

test('a list that cannot be had says so and can be tried again', async () => {
  server.refuse(listWorkGroups, 500, { message: '服务暂时不可用' });
  await open(<WorkGroups />);
  expect(await screen.findByText('数据获取失败！')).toBeTruthy();
  server.answer(listWorkGroups, { data: [], recordsTotal: 0, recordsFiltered: 0 });
  fireEvent.click(await screen.findByRole('button', { name: '重试' }));
  expect(await screen.findByText('还没有工作组')).toBeTruthy();
});

test('a new group: every problem at once, members looked for by the server, then saved and closed', async () => {
  server.answer(createWorkGroup, { success: true, msg: '', id: 9 });
  await open(<AddWorkGroup />);
  await field('工作组名称');
  await submit();
  expect(await screen.findAllByText('不能为空')).toHaveLength(4);
  expect(screen.getByText('4 处需要修改')).toBeTruthy();
  expect(server.of(createWorkGroup)).toEqual([]);
  await type('工作组名称', ' 早班巡检组 ');
  await type('工作组描述', '老城路段巡检');
  const members = await field('成员');
  fireEvent.mouseDown(members);
  fireEvent.change(members, { target: { value: 'zhou' } });
  const queries = () => server.of(listUserOptions).map(({ query }) => Object.fromEntries(query));
  await waitFor(() => expect(queries().some((query) => query.username === 'zhou')).toBe(true));
  await choose('成员', '周敏 zhoumin');
  expect(queries().find((query) => query.username === 'zhou')).toEqual({
    page: '0',
    size: '1000',
    username: 'zhou',
    familyName: 'zhou',
    name: 'zhou',
    mobile: 'zhou',
    email: 'zhou',
    discTitle: 'zhou',
    discDetail: 'zhou',
  });
  await choose('所属项目', '老城作业区');
  await submit();
  expect(await screen.findByText('closed')).toBeTruthy();
  expect(texts()).toEqual(['新建工作组成功！']);
  expect(bodyOf(server, createWorkGroup)).toEqual({
    groupName: '早班巡检组',
    description: '老城路段巡检',
    userDetail: [{ userId: 8 }],
    workId: 3,
  });
});

test('an existing group: shown with its members by name, changed with its version', async () => {
  server.answer(updateWorkGroup, { success: true, msg: '', id: 5 });
  await open(<EditWorkGroup />, { handOver: { id: 5 } });
  expect(await screen.findByText('陈慧敏 chenhui 13800138000')).toBeTruthy();
  expect(await screen.findByText('滨江作业区')).toBeTruthy();
  await type('工作组描述', '滨江路段抢修');
  fireEvent.click(screen.getByRole('button', { name: '重置' }));
  expect((await field('工作组描述')).value).toBe('滨江路段夜间抢修');
  await type('工作组描述', '滨江路段抢修');
  await submit();
  expect(await screen.findByText('closed')).toBeTruthy();
  expect(texts()).toEqual(['更新工作组成功！']);
  expect(bodyOf(server, updateWorkGroup)).toMatchObject({
    id: 5,
    version: 3,
    description: '滨江路段抢修',
    userDetail: [{ userId: 7 }],
    workId: 2,
  });
});

test('a refusal shows the response title and stands at its fields; what was typed stays', async () => {
  server.refuse(updateWorkGroup, 400, {
    title: '成员已不存在',
    params: [{ field: 'userDetail.0.userId', rule: 'notFound', message: '用户不存在' }],
  });
  await open(<EditWorkGroup />, { handOver: { id: 5 } });
  await type('工作组名称', '夜班维修组');
  await submit();
  expect(await screen.findByText('用户不存在')).toBeTruthy();
  expect(texts()).toEqual(['成员已不存在']);
  expect((await field('工作组名称')).value).toBe('夜班维修组');
  expect(await screen.findByRole('button', { name: '提交' })).toHaveProperty('disabled', false);
});

test('somebody else saved first: both versions, and the chosen one is sent with the new version', async () => {
  server.refuse(updateWorkGroup, 409, { title: '已被修改' });
  await open(<EditWorkGroup />, { handOver: { id: 5 } });
  await type('工作组名称', '夜班维修组');
  server.answer(getWorkGroup, { ...group, description: '全部路段抢修', version: 4 });
  await submit();
  expect(await screen.findByText('别人刚刚修改了这个工作组')).toBeTruthy();
  expect(screen.getByText('全部路段抢修')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: '按所选继续' }));
  server.answer(updateWorkGroup, { success: true, msg: '', id: 5 });
  await submit();
  expect(await screen.findByText('closed')).toBeTruthy();
  expect(bodyOf(server, updateWorkGroup, 1)).toMatchObject({
    version: 4,
    groupName: '夜班维修组',
    description: '全部路段抢修',
  });
});

test('projects that cannot be had: the server’s msg as a warning, and another try', async () => {
  server.answer(getWorkAreaOptions, { success: false, msg: '项目服务暂停', data: [] });
  await open(<AddWorkGroup />);
  await waitFor(() => expect(toasts.getState()).toMatchObject([{ kind: 'warning', text: '项目服务暂停' }]));
  expect(screen.getByRole('button', { name: '重试' })).toBeTruthy();
});

test('leaving with something typed asks first', async () => {
  await open(<AddWorkGroup />);
  await type('工作组名称', '早');
  fireEvent.click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(asked.getState().current).toBeDefined());
  expect(screen.queryByText('closed')).toBeNull();
  asked.getState().current?.answer(true);
  expect(await screen.findByText('closed')).toBeTruthy();
});

test('opened without a group: says so and leads to the list', async () => {
  await open(<EditWorkGroup />);
  fireEvent.click(await screen.findByRole('button', { name: '去工作组管理' }));
  expect(await screen.findByText('closed')).toBeTruthy();
});

test('lengths count characters, not halves of them, after trimming', () => {
  const good = { groupName: '工作组', description: '𠮷𠮷𠮷', userDetail: [1], workId: 1 };
  expect(problemsOf(good)).toEqual({});
  expect(problemsOf({ ...good, groupName: ' ab ', description: '一'.repeat(19) })).toEqual({
    groupName: { rule: 'length', min: 3, max: 10 },
    description: { rule: 'length', min: 3, max: 18 },
  });
  expect(problemsOf({ ...good, groupName: '𠮷'.repeat(10), description: '一'.repeat(18) })).toEqual({});
});
