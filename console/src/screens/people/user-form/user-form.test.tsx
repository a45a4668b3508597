import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { listRoles } from '../../../../../contract/specified/roles.ts';
import { getPasswordRule, getPublicKey } from '../../../../../contract/specified/sign-in.ts';
import {
  createUserDetails,
  getLevels,
  getUserDetails,
  updateUserDetails,
  userExists,
} from '../../../../../contract/specified/users.ts';
import { asked } from '../../../frame/ask.ts';
import type { TabStore } from '../../../frame/tabs/tab-store.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import AddUser from './add.tsx';
import EditUser from './edit.tsx';
import type { Detail } from '../../../parts/people/user-form/values.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-20T13:00:00.000Z';
const detail: Detail = {
  id: 7,
  userId: 7,
  did: null,
  username: 'chenhui',
  nickname: null,
  familyName: '陈',
  name: '慧敏',
  mobile: '13800138000',
  email: 'chenhui@example.com',
  imgPath: null,
  discTitle: '夜班',
  discDetail: null,
  treeLevel: 3,
  roleIds: '2',
  roleNames: '值守',
  createTime: at,
  updateTime: at,
  registerTime: at,
  lastLogin: null,
  version: 4,
};
const me = { ...detail, id: 1, userId: 1, username: 'admin', treeLevel: 0 };
const role = {
  id: 2,
  name: '值守',
  icon: 'moon',
  roleExtent: '滨江',
  parentId: 0,
  creatorName: 'admin',
  version: 1,
  createTime: at,
  updateTime: at,
  manageable: true,
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const decrypt = (cipher: string): string =>
  privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(cipher, 'base64'),
  ).toString('utf8');
const levels = { code: 0 as const, msg: '', data: { 0: '管理员', 1: 'A', 2: 'B', 3: 'C', 4: 'D', 5: 'E' } };

let server: ContractServer;
let tabs: TabStore;
const key = '/system/user';
async function open(what: ReactNode, handOver?: unknown) {
  ({ tabs } = await renderInShell(what, {
    address: key,
    handOver,
    codes: ['cscp.user.add', 'cscp.user.edit'],
    pages: ['user-management'],
  }));
}
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
async function type(label: string, value: string): Promise<HTMLInputElement> {
  const input = await field(label);
  fireEvent.change(input, { target: { value } });
  return input;
}
const leave = async (label: string, value: string) => fireEvent.blur(await type(label, value));
// A button that works on something is named otherwise meanwhile.
/** The first wrong field gets the focus with the next picture, when the words are there already. */
const hasFocus = async (label: string) => {
  const asked = await field(label);
  await waitFor(() => expect(document.activeElement).toBe(asked));
};
const submit = async () => fireEvent.click(await screen.findByRole('button', { name: '提交' }));
const texts = () => toasts.getState().map((toast) => toast.text);
const bodies = (route: typeof updateUserDetails | typeof createUserDetails) =>
  server.of(route).map((request) => JSON.parse(request.body) as Record<string, unknown>);
const closed = () => screen.findByText('closed');

beforeEach(async () => {
  server = await contractServer();
  server.answer(getCurrentUser, me);
  server.answer(getLevels, levels);
  server.answer(listRoles, { data: [role], recordsTotal: 1, recordsFiltered: 1 });
  server.answer(getUserDetails, detail);
  server.answer(userExists, { success: false, msg: '' });
  server.answer(getPublicKey, { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') });
  server.on(getPasswordRule, () => ({
    status: 200,
    body: '8–20 个字符',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }));
});
afterEach(async () => {
  cleanup();
  toasts.setState([], true);
  asked.setState({ current: undefined });
  await server.close();
});

async function chooseRole() {
  const box = await field('角色');
  fireEvent.mouseDown(box);
  await waitFor(() => expect(document.querySelector('.ant-select-item-option')).not.toBeNull());
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13, which: 13 });
}
async function fillIn() {
  await type('用户名', ' chenhui ');
  await type('姓', '陈');
  await type('名', '慧敏');
  await type('手机号码', '13800138000');
  await type('邮箱', 'chenhui@example.com');
  await chooseRole();
}

describe('a new account', () => {
  test('shows every problem at once and asks nothing of the server', async () => {
    await open(<AddUser />);
    await field('用户名');
    await submit();
    expect(await screen.findAllByText('不能为空')).toHaveLength(5);
    expect(screen.getByText('请选择角色')).toBeTruthy();
    expect(screen.getByText('6 处需要修改')).toBeTruthy();
    expect([...server.of(createUserDetails), ...server.of(userExists)]).toEqual([]);
    expect(screen.queryByLabelText(/^新密码/)).toBeNull();
    expect(screen.queryByLabelText(/^当前登录密码/)).toBeNull();
  });

  test('is sent with level 5, shows its first password once with a copy button, then the page closes', async () => {
    server.answer(createUserDetails, { ...detail, password: 'Kv8#mPq2wX' });
    await open(<AddUser />);
    await fillIn();
    await submit();
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Kv8#mPq2wX')).toBeTruthy();
    expect(dialog.getByRole('button', { name: '复制密码' })).toBeTruthy();
    expect(texts()).toEqual(['新建用户成功']);
    expect(bodies(createUserDetails)).toEqual([
      {
        username: 'chenhui',
        familyName: '陈',
        name: '慧敏',
        mobile: '13800138000',
        email: 'chenhui@example.com',
        imgPath: null,
        discTitle: null,
        discDetail: null,
        treeLevel: 5,
        roles: [2],
      },
    ]);
    fireEvent.click(dialog.getByRole('button', { name: '我已保存，关闭' }));
    await closed();
  });

  test('the button rests from submit on and wakes when the call fails', async () => {
    let fail = (): void => undefined;
    server.on(
      createUserDetails,
      () =>
        new Promise((resolve) => {
          fail = () => resolve({ status: 500, body: { status: 500, message: '出错了', requestId: 'r-7' } });
        }),
    );
    await open(<AddUser />);
    await fillIn();
    await submit();
    expect(await screen.findByText('正在创建新用户')).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /提交/ });
    expect(button.disabled).toBe(true);
    await waitFor(() => expect(server.of(createUserDetails)).toHaveLength(1));
    fireEvent.submit(button.form!);
    fail();
    expect((await screen.findByText(/添加用户失败/)).textContent).toContain('r-7');
    expect(button.disabled).toBe(false);
    expect(server.of(createUserDetails)).toHaveLength(1);
  });

  test('what the server refuses stands at its fields, all at once, and what was typed stays', async () => {
    server.refuse(createUserDetails, 400, {
      code: 1001,
      message: '输入有误',
      params: [
        { field: 'username', rule: 'taken', message: '已被占用' },
        { field: 'mobile', rule: 'pattern', message: '号码不对' },
      ],
    });
    await open(<AddUser />);
    await fillIn();
    await submit();
    expect(await screen.findByText('已被占用')).toBeTruthy();
    expect(screen.getByText('号码不对')).toBeTruthy();
    expect(screen.getByText('添加用户失败')).toBeTruthy();
    expect((await field('手机号码')).value).toBe('13800138000');
    await hasFocus('用户名');
  });
});

describe('whether the name is taken', () => {
  test('is asked when the field is left, once, for a name that keeps the rules', async () => {
    await open(<AddUser />);
    await leave('用户名', 'a');
    expect(await screen.findByText('长度为 2 到 10 个字符')).toBeTruthy();
    await leave('用户名', 'ab');
    await leave('用户名', 'abc');
    expect(await screen.findByText('可以使用')).toBeTruthy();
    expect(server.of(userExists).map(({ query }) => query.get('username'))).toEqual(['abc']);
  });

  test('yes: the account already exists, and the submit stops there', async () => {
    server.answer(userExists, { success: true, msg: '' });
    await open(<AddUser />);
    await fillIn();
    fireEvent.blur(await field('用户名'));
    expect(await screen.findByText('该账号已存在')).toBeTruthy();
    await submit();
    await waitFor(() => expect(screen.getByText('1 处需要修改')).toBeTruthy());
    expect(server.of(createUserDetails)).toEqual([]);
  });

  test('no answer: the check failed, and the submit stops there; asked again it may pass', async () => {
    server.refuse(userExists, 500);
    server.answer(createUserDetails, { ...detail, password: 'Kv8#mPq2wX' });
    await open(<AddUser />);
    await fillIn();
    await submit();
    expect(await screen.findByText('异步校验失败')).toBeTruthy();
    expect(await screen.findByText('1 处需要修改')).toBeTruthy();
    expect(server.of(createUserDetails)).toEqual([]);
    server.answer(userExists, { success: false, msg: '' });
    await submit();
    expect(await screen.findByText('Kv8#mPq2wX')).toBeTruthy();
  });

  test('only the answer to the last question counts, whenever it comes', async () => {
    const answers = new Map<string, (taken: boolean) => void>();
    server.on(
      userExists,
      ({ query }) =>
        new Promise((resolve) => {
          answers.set(query.get('username') ?? '', (success) => resolve({ status: 200, body: { success, msg: '' } }));
        }),
    );
    await open(<AddUser />);
    await leave('用户名', 'older');
    await waitFor(() => expect(answers.has('older')).toBe(true));
    await leave('用户名', 'newer');
    await waitFor(() => expect(answers.has('newer')).toBe(true));
    answers.get('newer')?.(false);
    expect(await screen.findByText('可以使用')).toBeTruthy();
    answers.get('older')?.(true);
    // Another answer of the same server: the older one has arrived by then.
    await fetch('/arrived');
    expect(screen.queryByText('该账号已存在')).toBeNull();
    expect(screen.getByText('可以使用')).toBeTruthy();
  });
});

describe('an existing account', () => {
  const edit = async () => {
    await open(<EditUser />, { id: 7 });
    await field('当前登录密码');
  };

  test('shows what is stored; the name is locked, the times are read-only, the tab is called after it', async () => {
    await edit();
    expect((await field('用户名')).disabled).toBe(true);
    expect((await field('邮箱')).value).toBe('chenhui@example.com');
    expect(screen.getByText('从未登录')).toBeTruthy();
    expect(screen.getByText('注册时间').nextSibling?.textContent).toMatch(/^2026-11-\d\d \d\d:\d\d:\d\d$/);
    expect(tabs.getState().tabs[0]?.title).toBe('编辑用户 chenhui');
    expect(server.of(getUserDetails)[0]?.query.get('userId')).toBe('7');
    fireEvent.focus(screen.getByRole('button', { name: '密码规则' }));
    expect(await screen.findByText('8–20 个字符')).toBeTruthy();
  });

  test('sends what changed with its version and both passwords encrypted; then the page closes', async () => {
    server.answer(updateUserDetails, { ...detail, version: 5 });
    await edit();
    await type('描述标题', '白班');
    await type('当前登录密码', 'Lantern#7x');
    await type('新密码', ' Sp ace-9 ');
    await submit();
    await closed();
    const [body] = bodies(updateUserDetails) as [
      { cscpUserDetailDTO: unknown; currentUserPwd: string; newPassword: string },
    ];
    expect(body.cscpUserDetailDTO).toEqual({ id: 7, userId: 7, discTitle: '白班', version: 4 });
    expect([decrypt(body.currentUserPwd), decrypt(body.newPassword)]).toEqual(['Lantern#7x', ' Sp ace-9 ']);
    expect(texts()).toEqual(['更新用户成功']);
  });

  test('the operator’s own wrong password: flagged inline and told; the flag goes at the next submit', async () => {
    server.refuse(updateUserDetails, 400, { detail: '管理员密码不正确！', message: 'Mot de passe', code: 2010 });
    await edit();
    await submit();
    expect(await screen.findByText('不能为空')).toBeTruthy();
    await type('当前登录密码', 'wrong');
    await submit();
    expect(await screen.findByText('登录密码错误，请重新填写')).toBeTruthy();
    expect(texts()).toEqual(['当前登录密码错误']);
    await hasFocus('当前登录密码');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '提交' }).disabled).toBe(false);
    server.refuse(updateUserDetails, 500, { message: '出错了' });
    await submit();
    expect(await screen.findByText(/更新用户失败/)).toBeTruthy();
    expect(screen.queryByText('登录密码错误，请重新填写')).toBeNull();
    expect(texts()).toEqual([]);
  });

  test('somebody else saved first: both versions line by line, and the chosen ones are sent with the new version', async () => {
    server.refuse(updateUserDetails, 409, { message: '已被修改' });
    await edit();
    await type('姓', '成');
    await type('描述标题', '白班');
    await type('当前登录密码', 'Lantern#7x');
    server.answer(getUserDetails, { ...detail, familyName: '程', mobile: '13900139000', version: 9 });
    await submit();
    const rows = within(await screen.findByRole('region', { name: '别人刚刚修改了这个用户' }));
    expect(
      rows
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.children].map((cell) => cell.textContent)),
    ).toEqual([
      ['姓', '成', '程'],
      ['手机号码', '13800138000', '13900139000'],
      ['描述标题', '白班', '夜班'],
    ]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '提交' }).disabled).toBe(true);
    fireEvent.click(rows.getByRole('radio', { name: '夜班' }));
    fireEvent.click(rows.getByRole('button', { name: '按所选继续' }));
    expect([(await field('姓')).value, (await field('手机号码')).value, (await field('描述标题')).value]).toEqual([
      '成',
      '13900139000',
      '夜班',
    ]);
    server.answer(updateUserDetails, { ...detail, version: 10 });
    await submit();
    await closed();
    expect(bodies(updateUserDetails).at(-1)?.['cscpUserDetailDTO']).toEqual({
      id: 7,
      userId: 7,
      familyName: '成',
      version: 9,
    });
  });

  test('an account deleted meanwhile cannot be saved', async () => {
    server.refuse(updateUserDetails, 409);
    await edit();
    await type('当前登录密码', 'Lantern#7x');
    server.refuse(getUserDetails, 404);
    await submit();
    expect(await screen.findByText('这个用户已被删除，无法保存。')).toBeTruthy();
  });

  test('Reset restores what was loaded', async () => {
    await edit();
    await type('姓', '');
    await type('邮箱', 'x');
    await type('当前登录密码', 'x');
    await submit();
    expect(await screen.findByText('请输入正确的邮箱')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '重置' }));
    expect([(await field('姓')).value, (await field('邮箱')).value, (await field('当前登录密码')).value]).toEqual([
      '陈',
      'chenhui@example.com',
      '',
    ]);
    expect(screen.queryByText('请输入正确的邮箱')).toBeNull();
    expect(tabs.getState().unsaved.size).toBe(0);
  });

  test('Back closes the page; what was typed asks first', async () => {
    await edit();
    await type('姓', '成');
    expect(tabs.getState().unsaved.has(key)).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: '返回' }));
    expect(screen.queryByText('closed')).toBeNull();
    expect(asked.getState().current?.question.pages).toEqual([{ title: '编辑用户 chenhui', language: null }]);
    asked.getState().current?.answer(false);
    await type('姓', '陈');
    fireEvent.click(screen.getByRole('button', { name: '返回' }));
    await closed();
  });

  test('one’s own account: no passwords, level and roles stay', async () => {
    server.answer(getUserDetails, { ...detail, ...me, roleIds: '2' });
    server.answer(updateUserDetails, detail);
    await open(<EditUser />, { id: 1 });
    await type('姓', '成');
    expect(screen.queryByLabelText(/^当前登录密码/)).toBeNull();
    expect((await field('角色')).disabled).toBe(true);
    await submit();
    await closed();
    expect(bodies(updateUserDetails)).toEqual([
      { cscpUserDetailDTO: { id: 1, userId: 1, familyName: '成', version: 4 }, currentUserPwd: '', newPassword: '' },
    ]);
  });

  test('somebody of no lower rank can be looked at, not saved', async () => {
    server.answer(getCurrentUser, { ...me, treeLevel: 3 });
    await edit();
    expect(screen.getByText('对方级别不低于您，只有更高级别能更改。')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '提交' }).disabled).toBe(true);
  });

  test('without an id it says so and leads back; a failed fetch says so and can be tried again', async () => {
    await open(<EditUser />);
    expect(await screen.findByText('没有选择要编辑的用户')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '去用户管理' }));
    await closed();
    cleanup();
    server.refuse(getUserDetails, 500, { message: '出错了', requestId: 'r-8' });
    await open(<EditUser />, { id: 7 });
    expect(await screen.findByText('获取用户信息失败')).toBeTruthy();
    server.answer(getUserDetails, detail);
    fireEvent.click(await screen.findByRole('button', { name: '重试' }));
    expect(await field('当前登录密码')).toBeTruthy();
  });
});
