import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { getUserDetails, updateUserDetails } from '../../../../../contract/specified/users.ts';
import { asked } from '../../../frame/ask.ts';
import EditUser from './edit.tsx';
import { userPage } from './testing/user-page.tsx';

const page = userPage();
const { detail, me, decrypt, key, open, field, type, hasFocus, submit, texts, bodies, closed } = page;

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
    expect(page.tabs.getState().tabs[0]?.title).toBe('编辑用户 chenhui');
    expect(page.server.of(getUserDetails)[0]?.query.get('userId')).toBe('7');
    fireEvent.focus(screen.getByRole('button', { name: '密码规则' }));
    expect(await screen.findByText('8–20 个字符')).toBeTruthy();
  });

  test('sends what changed with its version and both passwords encrypted; then the page closes', async () => {
    page.server.answer(updateUserDetails, { ...detail, version: 5 });
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
    page.server.refuse(updateUserDetails, 400, { detail: '管理员密码不正确！', message: 'Mot de passe', code: 2010 });
    await edit();
    await submit();
    expect(await screen.findByText('不能为空')).toBeTruthy();
    await type('当前登录密码', 'wrong');
    await submit();
    expect(await screen.findByText('登录密码错误，请重新填写')).toBeTruthy();
    expect(texts()).toEqual(['当前登录密码错误']);
    await hasFocus('当前登录密码');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '提交' }).disabled).toBe(false);
    page.server.refuse(updateUserDetails, 500, { message: '出错了' });
    await submit();
    expect(await screen.findByText(/更新用户失败/)).toBeTruthy();
    expect(screen.queryByText('登录密码错误，请重新填写')).toBeNull();
    expect(texts()).toEqual([]);
  });

  test('somebody else saved first: both versions line by line, and the chosen ones are sent with the new version', async () => {
    page.server.refuse(updateUserDetails, 409, { message: '已被修改' });
    await edit();
    await type('姓', '成');
    await type('描述标题', '白班');
    await type('当前登录密码', 'Lantern#7x');
    page.server.answer(getUserDetails, { ...detail, familyName: '程', mobile: '13900139000', version: 9 });
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
    page.server.answer(updateUserDetails, { ...detail, version: 10 });
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
    page.server.refuse(updateUserDetails, 409);
    await edit();
    await type('当前登录密码', 'Lantern#7x');
    page.server.refuse(getUserDetails, 404);
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
    expect(page.tabs.getState().unsaved.size).toBe(0);
  });

  test('Back closes the page; what was typed asks first', async () => {
    await edit();
    await type('姓', '成');
    expect(page.tabs.getState().unsaved.has(key)).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: '返回' }));
    expect(screen.queryByText('closed')).toBeNull();
    expect(asked.getState().current?.question).toEqual({
      kind: 'unsaved',
      pages: [{ title: '编辑用户 chenhui', language: null }],
    });
    asked.getState().current?.answer(false);
    await type('姓', '陈');
    fireEvent.click(screen.getByRole('button', { name: '返回' }));
    await closed();
  });

  test('one’s own account: no passwords, level and roles stay', async () => {
    page.server.answer(getUserDetails, { ...detail, ...me, roleIds: '2' });
    page.server.answer(updateUserDetails, detail);
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
    page.server.answer(getCurrentUser, { ...me, treeLevel: 3 });
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
    page.server.refuse(getUserDetails, 500, { message: '出错了', requestId: 'r-8' });
    await open(<EditUser />, { id: 7 });
    expect(await screen.findByText('获取用户信息失败')).toBeTruthy();
    page.server.answer(getUserDetails, detail);
    fireEvent.click(await screen.findByRole('button', { name: '重试' }));
    expect(await field('当前登录密码')).toBeTruthy();
  });
});
