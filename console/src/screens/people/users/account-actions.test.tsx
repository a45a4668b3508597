import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import {
  beginPreview,
  endAccountSession,
  endAccountSessions,
  listAccountSessions,
  setAccountDisabled,
  unlockAccount,
} from '../../../../../contract/people/accounts.ts';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { deleteUser, listUsers, resetUserPassword } from '../../../../../contract/specified/users.ts';
import { startPreview } from '../../../session/index.ts';
import { usersPage } from './testing/users-page.tsx';

const site = usersPage();
const { wang, detail, session, find, open, rowOf, dialog, menuItem } = site;

describe('what is done with an account', () => {
  test('deleting names what is lost; a failure says so and stays', async () => {
    site.server.refuse(deleteUser, 400, { message: '不能移除最后一个管理员' });
    await open();
    fireEvent.click((await rowOf('wangwei')).getByRole('button', { name: '删除 wangwei' }));
    const asked = await dialog('确定删除账号 wangwei 吗？');
    expect(asked.getByText('2 个打开的会话，立即结束')).toBeTruthy();
    fireEvent.click(asked.getByRole('button', { name: '删除' }));
    expect(await asked.findByText('删除失败 · 不能移除最后一个管理员')).toBeTruthy();
    site.server.answer(deleteUser, { code: 0, msg: '' });
    fireEvent.click(asked.getByRole('button', { name: '删除' }));
    expect(await screen.findByText('删除成功')).toBeTruthy();
    expect(site.server.of(deleteUser).at(-1)?.path).toBe('/api/tbUsers/7');
  });

  test('a reset asks first and shows the new password', async () => {
    site.server.answer(resetUserPassword, { code: 0, msg: '', data: { id: 7, password: 'Neu-4711-lamp' } });
    await open();
    fireEvent.click(await menuItem('wangwei', '重置密码'));
    const asked = await dialog('重置 wangwei 的密码？');
    expect(site.server.of(resetUserPassword)).toEqual([]);
    fireEvent.click(asked.getByRole('button', { name: '重置密码' }));
    expect((await dialog('初始密码：wangwei')).getByText('Neu-4711-lamp')).toBeTruthy();
  });

  test('disabling asks and sends the version; a locked account is unlocked at once', async () => {
    site.server.answer(listUsers, {
      code: 0,
      msg: '',
      data: [{ ...wang, lockedUntil: '2999-01-01T00:00:00.000Z' }],
      recordsTotal: 1,
    });
    site.server.answer(setAccountDisabled, { id: 7, disabled: true, version: 6 });
    site.server.on(unlockAccount, () => ({ status: 204, body: '' }));
    await open();
    fireEvent.click(await menuItem('wangwei', '解除锁定'));
    expect(await screen.findByText('wangwei 已解除锁定')).toBeTruthy();
    fireEvent.click(await menuItem('wangwei', '停用'));
    fireEvent.click((await dialog('停用账号 wangwei？')).getByRole('button', { name: '停用' }));
    expect(await screen.findByText('wangwei 已停用')).toBeTruthy();
    expect(JSON.parse(site.server.of(setAccountDisabled)[0]!.body)).toEqual({ disabled: true, version: 5 });
  });

  test('sessions say device, browser and address; the own one is marked; one or all can be ended', async () => {
    site.server.answer(listAccountSessions, {
      data: [
        session,
        { ...session, id: 32, own: true, userAgent: null, remember: false },
        { ...session, id: 33, previewBy: '周敏' },
      ],
      recordsTotal: 3,
    });
    for (const route of [endAccountSession, endAccountSessions])
      site.server.on(route, () => ({ status: 204, body: '' }));
    await open();
    fireEvent.click((await rowOf('wangwei')).getByRole('button', { name: /查看 wangwei 的会话/ }));
    const drawer = await dialog('wangwei 的会话');
    expect(await drawer.findAllByText('Chrome 141 · Windows', undefined, find)).toHaveLength(2);
    expect(site.address).toBe('/user-management?open=7');
    const own = within(drawer.getByText('您的会话').closest('li')!);
    expect(own.getByText('未知设备')).toBeTruthy();
    expect(own.queryByRole('button')).toBeNull();
    expect(drawer.getByText('周敏 正在预览')).toBeTruthy();
    fireEvent.click(drawer.getAllByRole('button', { name: '结束 Chrome 141 · Windows 的会话' })[0]!);
    expect(await screen.findByText('会话已结束')).toBeTruthy();
    expect(site.server.of(endAccountSession)[0]?.path).toBe('/api/v1/accounts/7/sessions/31');
    fireEvent.click(drawer.getByRole('button', { name: '全部结束' }));
    fireEvent.click((await dialog('结束 wangwei 的全部会话？')).getByRole('button', { name: '全部结束' }));
    expect(await screen.findByText('全部会话已结束')).toBeTruthy();
  });

  test('the full screen gets the account through the hand-over slot, never in the address', async () => {
    const tabs = await open();
    const handed = vi.spyOn(tabs, 'handOver');
    fireEvent.click(await menuItem('wangwei', '编辑完整资料'));
    await waitFor(() => expect(site.address).toBe('/user-edit'));
    expect(handed).toHaveBeenCalledExactlyOnceWith('/user-edit', { id: 7 });
  });
});

describe('preview as this account', () => {
  test('opens a tab whose address names nobody, and hands the token to that tab', async () => {
    site.server.answer(beginPreview, { token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
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
    site.server.refuse(beginPreview, 403, { message: '级别太高' });
    const tab = { postMessage: () => undefined, close: vi.fn() };
    vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    await open();
    fireEvent.click(await menuItem('wangwei', '以此账号预览'));
    expect(await screen.findByText('没有打开预览 · 级别太高')).toBeTruthy();
    expect(tab.close).toHaveBeenCalledOnce();
  });

  test('is offered to administrators only, not for the own account, and not inside of a preview', async () => {
    site.server.answer(getCurrentUser, { ...detail, id: 20, userId: 20, treeLevel: 1 });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'wangwei 的更多操作' }, find));
    await screen.findByRole('menuitem', { name: '查看会话' }, find);
    expect(screen.queryByRole('menuitem', { name: /预览/ })).toBeNull();
    cleanup();
    startPreview({ token: 'Bearer preview', username: 'admin', displayName: 'admin' });
    site.server.answer(getCurrentUser, { ...detail, id: 1, userId: 1, treeLevel: 0 });
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
