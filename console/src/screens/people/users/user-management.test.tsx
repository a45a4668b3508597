import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { createUser, getUserDetails, listUsers, updateUser } from '../../../../../contract/specified/users.ts';
import { usersPage } from './testing/users-page.tsx';

const site = usersPage();
const { wang, admin, detail, find, open, rowOf, dialog, choose } = site;

describe('the list', () => {
  test('asks as specified: the text in both names, the level, sort user_id, the page as it is, 50 a page', async () => {
    await open('/user-management?q=wang&treeLevel=2&page=3');
    await rowOf('wangwei');
    expect(Object.fromEntries(site.server.of(listUsers)[0]!.query)).toEqual({
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
    site.server.answer(listUsers, {
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
    await waitFor(() => expect(site.address).toBe('/user-management?q=%E7%8E%8B'));
    await choose(screen.getByLabelText('账号级别'), 'C');
    fireEvent.submit(text.closest('form')!);
    await waitFor(() => expect(site.address).toContain('treeLevel=3'));
    fireEvent.click(screen.getByRole('button', { name: '重置' }));
    await waitFor(() => expect(site.address).toBe('/user-management'));
  });

  test('without the codes there is no New, no edit, no delete; a refusal says what is missing; a failure shows the server’s words', async () => {
    await open('/user-management', ['cscp.user.query']);
    await rowOf('wangwei');
    for (const name of ['新增', '填写完整资料', '编辑 wangwei', '删除 wangwei'])
      expect(screen.queryByRole('button', { name }), name).toBeNull();
    cleanup();
    site.server.refuse(listUsers, 403, { message: '缺少权限 cscp.user.query' });
    await open();
    expect(await screen.findByText('缺少权限 cscp.user.query', undefined, find)).toBeTruthy();
    cleanup();
    site.server.refuse(listUsers, 500, { msg: '数据库没有应答', requestId: 'r-9' });
    await open();
    expect((await screen.findByRole('alert', undefined, find)).textContent).toMatch(
      /数据获取失败！.*数据库没有应答.*r-9/,
    );
  });

  test('who is not below the operator’s level, and the built-in account, say why they cannot be changed', async () => {
    site.server.answer(listUsers, { code: 0, msg: '', data: [admin, { ...wang, manageable: false }], recordsTotal: 2 });
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
    expect(site.server.of(createUser)).toEqual([]);
  });

  test('its first password is shown once, to copy; only its own button closes it', async () => {
    site.server.answer(createUser, { code: 0, msg: '', data: { id: 12, password: 'Qx7-mute-lamp' } });
    const copied = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
    const form = await start();
    await fill(form);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    const shown = await dialog('初始密码：zhangsan');
    expect(JSON.parse(site.server.of(createUser)[0]!.body)).toEqual({
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
    site.server.refuse(createUser, 400, {
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
    site.server.on(
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
    await waitFor(() => expect(site.address).toBe('/user-management'));
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
    site.server.answer(updateUser, { code: 0, msg: '' });
    const form = await edit();
    expect((form.getByLabelText(/^用户名/) as HTMLInputElement).disabled).toBe(true);
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(await screen.findByText('更新用户成功')).toBeTruthy();
    expect(JSON.parse(site.server.of(updateUser)[0]!.body)).toEqual({ id: 7, nickname: '王师傅', version: 5 });
  });

  test('the second operator sees both versions and keeps his own, or takes over what is there', async () => {
    site.server.refuse(updateUser, 409, { message: '已被修改' });
    const form = await edit();
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    site.server.answer(getUserDetails, { ...detail, nickname: '王队', treeLevel: 3, roleIds: '5', version: 8 });
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
    site.server.answer(updateUser, { code: 0, msg: '' });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await waitFor(() =>
      expect(JSON.parse(site.server.of(updateUser).at(-1)!.body)).toEqual({
        id: 7,
        nickname: '王师傅',
        treeLevel: 2,
        roles: [3, 4],
        version: 8,
      }),
    );
  });

  test('taking over shows what was saved', async () => {
    site.server.refuse(updateUser, 409, { message: '已被修改' });
    const form = await edit();
    fireEvent.change(form.getByLabelText('昵称'), { target: { value: '王师傅' } });
    site.server.answer(getUserDetails, { ...detail, nickname: '王队', version: 8 });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    fireEvent.click(await form.findByRole('button', { name: '采用现在的' }, find));
    expect((form.getByLabelText('昵称') as HTMLInputElement).value).toBe('王队');
    expect(form.queryByText('别人刚刚修改了这个账号')).toBeNull();
  });
});
