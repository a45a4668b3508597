import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { createUserDetails, userExists } from '../../../../../contract/specified/users.ts';
import AddUser from './add.tsx';
import { userPage } from './testing/user-page.tsx';

const page = userPage();
const { detail, open, field, leave, hasFocus, submit, texts, bodies, closed, fillIn } = page;

describe('a new account', () => {
  test('shows every problem at once and asks nothing of the server', async () => {
    await open(<AddUser />);
    await field('用户名');
    await submit();
    expect(await screen.findAllByText('不能为空')).toHaveLength(5);
    expect(screen.getByText('请选择角色')).toBeTruthy();
    expect(screen.getByText('6 处需要修改')).toBeTruthy();
    expect([...page.server.of(createUserDetails), ...page.server.of(userExists)]).toEqual([]);
    expect(screen.queryByLabelText(/^新密码/)).toBeNull();
    expect(screen.queryByLabelText(/^当前登录密码/)).toBeNull();
  });

  test('is sent with level 5, shows its first password once with a copy button, then the page closes', async () => {
    page.server.answer(createUserDetails, { ...detail, password: 'Kv8#mPq2wX' });
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
    page.server.on(
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
    await waitFor(() => expect(page.server.of(createUserDetails)).toHaveLength(1));
    fireEvent.submit(button.form!);
    fail();
    expect((await screen.findByText(/添加用户失败/)).textContent).toContain('r-7');
    expect(button.disabled).toBe(false);
    expect(page.server.of(createUserDetails)).toHaveLength(1);
  });

  test('what the server refuses stands at its fields, all at once, and what was typed stays', async () => {
    page.server.refuse(createUserDetails, 400, {
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
    expect(page.server.of(userExists).map(({ query }) => query.get('username'))).toEqual(['abc']);
  });

  test('yes: the account already exists, and the submit stops there', async () => {
    page.server.answer(userExists, { success: true, msg: '' });
    await open(<AddUser />);
    await fillIn();
    fireEvent.blur(await field('用户名'));
    expect(await screen.findByText('该账号已存在')).toBeTruthy();
    await submit();
    await waitFor(() => expect(screen.getByText('1 处需要修改')).toBeTruthy());
    expect(page.server.of(createUserDetails)).toEqual([]);
  });

  test('no answer: the check failed, and the submit stops there; asked again it may pass', async () => {
    page.server.refuse(userExists, 500);
    page.server.answer(createUserDetails, { ...detail, password: 'Kv8#mPq2wX' });
    await open(<AddUser />);
    await fillIn();
    await submit();
    expect(await screen.findByText('异步校验失败')).toBeTruthy();
    expect(await screen.findByText('1 处需要修改')).toBeTruthy();
    expect(page.server.of(createUserDetails)).toEqual([]);
    page.server.answer(userExists, { success: false, msg: '' });
    await submit();
    expect(await screen.findByText('Kv8#mPq2wX')).toBeTruthy();
  });

  test('only the answer to the last question counts, whenever it comes', async () => {
    const answers = new Map<string, (taken: boolean) => void>();
    page.server.on(
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
