import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import antdWords from 'antd/locale/zh_CN';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getMe, getPreferences, patchPreferences } from '../../../contract/people/me.ts';
import { getCurrentUser, getMenus, getWorkAreaOptions } from '../../../contract/specified/account.ts';
import { getLoginAppearance, logout } from '../../../contract/specified/sign-in.ts';
import { connectLive, createQueryClient, reactToRefusals, type LiveConnection } from '../api/index.ts';
import { startI18n } from '../locales/i18n.ts';
import { leaveForSignIn, startPreview, storeToken, storeWorkId, takeUnsent } from '../session/index.ts';
import { heldCommands, holdCommand } from '../parts/commands/hold.ts';
import { toasts } from '../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../testing/contract-server.ts';
import { App } from './App.tsx';
import { menu, user } from './testing/account.ts';
import { createTabStore } from '../frame/tabs/tab-store.ts';

let server: ContractServer;
let live: LiveConnection;

// Two busy cores: what is waited for comes, but not within the libraries' usual second.
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  storeToken('Bearer test');
  toasts.setState([], true);
  server = await contractServer();
  server.answer(getMenus, menu);
  server.answer(getWorkAreaOptions, { success: true, msg: '', data: [{ value: 7, label: '滨江作业区' }] });
  server.answer(getCurrentUser, user);
  server.answer(getMe, {
    accountId: 1,
    username: 'admin',
    displayName: '周敏',
    level: 0,
    permissions: [],
    warnings: ['captchaOff'],
    workAreas: 1,
    timeZone: 'Asia/Tokyo',
  });
  server.answer(getPreferences, {});
  server.answer(patchPreferences, {});
  server.answer(getLoginAppearance, {
    code: 0,
    data: { name: '滨江照明', logo: null, title: '滨江照明平台', ico: null },
  });
});
afterEach(async () => {
  cleanup();
  live.stop();
  reactToRefusals(undefined);
  await server.close();
});

async function openConsole(path: string) {
  window.history.replaceState(null, '', path);
  const i18n = await startI18n('zh-CN');
  live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  const tabs = createTabStore();
  render(<App i18n={i18n} words={antdWords} client={createQueryClient()} live={live} tabs={tabs} />);
  await screen.findByRole('banner', undefined, { timeout: 10_000 });
  return tabs;
}

// Awaited: what leads to another page is drawn after the event.
const click = (one: HTMLElement): Promise<void> =>
  act(async () => {
    fireEvent.click(one);
  });
const menuLink = (name: string): HTMLElement =>
  within(screen.getByRole('navigation', { name: '侧边菜单' })).getByRole('link', { name });
const titled = (name: string): Promise<void> => waitFor(() => expect(document.title.startsWith(name)).toBe(true));
const go = async (name: string): Promise<void> => {
  await click(menuLink(name));
  await titled(name);
};
const tabStrip = (): HTMLElement => screen.getByRole('navigation', { name: '打开的页面' });
const shownInput = async (): Promise<HTMLInputElement> =>
  (await within(screen.getByRole('main')).findByPlaceholderText('E', undefined, {
    timeout: 10_000,
  })) as HTMLInputElement;
const pane = (key: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-tab="${key}"]`);
  if (found === null) throw new Error(`no page ${key}`);
  return found;
};
const inputOf = (key: string): HTMLInputElement => within(pane(key)).getByPlaceholderText('E');

test('a page keeps what was typed while another one is shown and refreshed', async () => {
  const tabs = await openConsole('/gallery');
  fireEvent.change(await shownInput(), { target: { value: '写了一半' } });
  await go('另一页');
  await waitFor(() => expect(pane('/gallery').style.display).toBe('none'));
  fireEvent.change(inputOf('/other'), { target: { value: '别的' } });
  await act(async () => {
    tabs.refresh('/other');
  });
  await waitFor(() => expect(inputOf('/other').value).toBe(''));
  await click(within(tabStrip()).getByRole('link', { name: '陈列' }));
  await waitFor(() => expect(pane('/gallery').style.display).not.toBe('none'));
  expect(inputOf('/gallery').value).toBe('写了一半');
});

test('closing the shown tab shows its neighbour; the address follows', async () => {
  await openConsole('/gallery');
  await shownInput();
  await go('另一页');
  await click(within(tabStrip()).getByRole('button', { name: '关闭“另一页”' }));
  await waitFor(() => expect(window.location.pathname).toBe('/gallery'));
  expect(within(tabStrip()).queryByRole('link', { name: '另一页' })).toBeNull();
});

test('a page that is closed and gone back to before anything was drawn is open again', async () => {
  const tabs = await openConsole('/gallery');
  await shownInput();
  await go('另一页');
  await act(async () => {
    fireEvent.click(within(tabStrip()).getByRole('button', { name: '关闭“另一页”' }));
    expect(window.location.pathname).toBe('/gallery');
    fireEvent.click(menuLink('另一页'));
  });
  await titled('另一页');
  expect(tabs.getState().tabs.map(({ key, selected }) => [key, selected])).toEqual([
    ['/home', false],
    ['/gallery', false],
    ['/other', true],
  ]);
});

test('unsaved input asks before its tab is closed', async () => {
  const tabs = await openConsole('/gallery');
  await shownInput();
  act(() => tabs.setUnsaved('/gallery', true));
  fireEvent.click(within(tabStrip()).getByRole('button', { name: '关闭“陈列”' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('陈列');
  fireEvent.click(within(dialog).getByRole('button', { name: '留在这里' }));
  expect(within(tabStrip()).getByRole('link', { name: '陈列' })).toBeTruthy();
});

test('an address that no menu entry leads to goes to /404 and says which', async () => {
  await openConsole('/nowhere/7');
  await waitFor(() => expect(window.location.pathname).toBe('/404'));
  await screen.findByRole('heading', { name: '没有这个页面' });
  expect(screen.getByText(/\/nowhere\/7/)).toBeTruthy();
});

test('name and title come from the site’s settings; administrators are warned of a switched-off captcha', async () => {
  await openConsole('/gallery');
  await screen.findByText('滨江照明');
  await waitFor(() => expect(document.title).toBe('陈列 - 滨江照明平台'));
  await screen.findByText(/CAPTCHA=off/);
});

test('a stored work area that is no longer offered is dropped', async () => {
  storeWorkId(99);
  await openConsole('/gallery');
  await screen.findByText(/原来的项目已不再开放给您/);
  expect(localStorage.getItem('workId')).toBeNull();
});

test('the shell holds no hard-coded text: in the pseudo-language every word is a marked one', async () => {
  server.answer(getLoginAppearance, { code: 0, data: { name: '[x]', logo: null, title: '[x]', ico: null } });
  await openConsole('/self-edit?lang=pseudo');
  fireEvent.click(screen.getByRole('button', { name: /Šéţţíñĝš/i }));
  await screen.findByRole('dialog', undefined, { timeout: 10_000 });
  await within(screen.getByRole('main')).findByRole('heading', { level: 1 }, { timeout: 10_000 });
  const data = ['[x]', '周敏', '周', 'admin', '—', 'Ctrl K', '简中', '简体中文', '部件', '滨江作业区', '2026-11-01'];
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    if (/\p{L}/u.test(text) && node.parentElement?.closest('style, script') === null) texts.push(text);
  }
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => !/^\[.*\]$/.test(text) && !data.some((one) => text.includes(one)))).toEqual([]);
});

test('signing out in another tab is told without leaving the page', async () => {
  await openConsole('/gallery');
  fireEvent.change(await shownInput(), { target: { value: '写了一半' } });
  localStorage.removeItem('token');
  act(
    () =>
      void window.dispatchEvent(
        new StorageEvent('storage', { key: 'token', newValue: null, storageArea: localStorage }),
      ),
  );
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('已在别的页面退出登录');
  expect(inputOf('/gallery').value).toBe('写了一半');
});

test('a command that waits is not sent after the session ended in another tab, and says so', async () => {
  await openConsole('/gallery');
  await shownInput();
  const [send, notSent] = [vi.fn(() => Promise.resolve()), vi.fn<(why: string) => void>()];
  act(() => holdCommand({ what: '关灯', lamps: 30 }, { send, notSent }));
  localStorage.removeItem('token');
  act(
    () =>
      void window.dispatchEvent(
        new StorageEvent('storage', { key: 'token', newValue: null, storageArea: localStorage }),
      ),
  );
  expect([notSent.mock.calls, heldCommands.getState()]).toEqual([[['dropped']], []]);
});

test('signing out asks about commands that wait; an expired session sends none and the sign-in page names them', async () => {
  await openConsole('/gallery');
  await shownInput();
  const [send, notSent] = [vi.fn(() => Promise.resolve()), vi.fn<(why: string) => void>()];
  const hold = (): void => act(() => holdCommand({ what: '关灯', lamps: 30 }, { send, notSent }));
  fireEvent.click(await screen.findByRole('button', { name: /周敏/ }));
  const signOut = await screen.findByRole('menuitem', { name: /退出登录/ });
  hold();
  fireEvent.click(signOut);
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/^“关灯”即将下发/);
  await click(dialog.getByRole('button', { name: '留在这里' }));
  hold();
  const before = send.mock.calls.length;
  act(() => leaveForSignIn('expired', () => undefined));
  expect(heldCommands.getState()).toEqual([]);
  expect([notSent.mock.calls.at(-1), send.mock.calls.length]).toEqual([['dropped'], before]);
  expect(takeUnsent()).toMatch(/^关灯/);
});

test('times are those of the work area’s zone unless the account chose another', async () => {
  await openConsole('/self-edit');
  expect(await screen.findByText('2026-11-01 09:00:00', undefined, { timeout: 10_000 })).toBeTruthy();
});

test('settings of the account win over those of the browser', async () => {
  localStorage.setItem('theme', 'light');
  server.answer(getPreferences, { appearance: { theme: 'dark', accent: 'plum', fontSize: 'large' } });
  await openConsole('/gallery');
  await waitFor(() =>
    expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', accent: 'plum', fontSize: 'large' }),
  );
});

test('a preview says through whose eyes one looks, keeps what is tried out for itself, and ends without touching the own session', async () => {
  server.answer(logout, { success: true });
  startPreview({ token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
  const close = vi.spyOn(window, 'close').mockImplementation(() => undefined);
  const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await openConsole('/gallery');
  expect(await screen.findByText('以 王伟 的身份预览（只读）')).toBeTruthy();
  await waitFor(() => expect(document.title).toBe('陈列 - 预览：滨江照明平台'));
  expect(server.of(getMenus)[0]?.headers.authorization).toBe('Bearer preview');
  fireEvent.click(screen.getByRole('button', { name: /^账号菜单/ }));
  await screen.findByRole('menuitem', { name: '退出预览' });
  expect(screen.queryByRole('menuitem', { name: '修改密码' })).toBeNull();
  fireEvent.click(within(screen.getByRole('region', { name: '预览' })).getByRole('button', { name: '退出预览' }));
  await waitFor(() =>
    expect(server.of(logout).map((request) => request.headers.authorization)).toEqual(['Bearer preview']),
  );
  expect(close).toHaveBeenCalledOnce();
  expect([localStorage.getItem('token'), sessionStorage.getItem('preview.token')]).toEqual(['Bearer test', null]);
  failed.mockRestore();
});

test('another menu is taken over without losing open pages: what is gone closes with a note, what is renamed says so', async () => {
  const tabs = await openConsole('/gallery');
  fireEvent.change(await shownInput(), { target: { value: '写了一半' } });
  await go('另一页');
  // The administrator takes the shown page away and renames the other one.
  server.answer(
    getMenus,
    menu.filter(({ id }) => id !== 3).map((entry) => (entry.id === 2 ? { ...entry, title: '新陈列' } : entry)),
  );
  server.tell({ type: 'menus' });
  await screen.findByText('“另一页”已不再开放给您，页面已关闭');
  await waitFor(() => expect(window.location.pathname).toBe('/gallery'));
  expect(tabs.getState().tabs.map(({ title }) => title)).toEqual(['首页', '新陈列']);
  expect(inputOf('/gallery').value).toBe('写了一半');
  expect(
    within(await screen.findByRole('navigation', { name: '侧边菜单' })).queryByRole('link', { name: '另一页' }),
  ).toBeNull();
});

test('a page whose address changed is shown under its new one, without a note', async () => {
  await openConsole('/gallery');
  await shownInput();
  await go('另一页');
  server.answer(
    getMenus,
    menu.map((entry) => (entry.id === 3 ? { ...entry, url: '/moved' } : entry)),
  );
  server.tell({ type: 'menus' });
  await waitFor(() => expect(window.location.pathname).toBe('/moved'));
  expect(screen.queryByText(/已不再开放/)).toBeNull();
});

test('single keys go from tab to tab, list themselves, and can be switched off for the account', async () => {
  await openConsole('/gallery');
  await shownInput();
  await go('另一页');
  fireEvent.keyDown(document.body, { key: ',' });
  await waitFor(() => expect(document.title.startsWith('陈列')).toBe(true));
  fireEvent.keyDown(document.body, { key: '?' });
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('下一个页签')).toBeDefined();
  fireEvent.click(within(dialog).getByRole('switch', { name: '启用单键快捷键' }));
  await waitFor(() => expect(server.of(patchPreferences).at(-1)?.body).toBe('{"singleKeys":false}'));
  fireEvent.click(within(dialog).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Awaited: the router turns the page, and a dialog is drawn, after the event.
  await act(async () => void fireEvent.keyDown(document.body, { key: '.' }));
  await act(async () => void fireEvent.keyDown(document.body, { key: '?' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.title.startsWith('陈列')).toBe(true);
});

test('the main layout’s child is the home page, with whatever was asked of it', async () => {
  await openConsole('/main/home?x=1');
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/home?x=1'));
});

test('the menu of a tab closes what stands left or right of it; what cannot be closed is not offered', async () => {
  const tabs = await openConsole('/gallery');
  await shownInput();
  await go('另一页');
  const open = async (name: string): Promise<HTMLElement> => {
    fireEvent.contextMenu(within(tabStrip()).getByRole('link', { name }));
    return waitFor(() => {
      const shown = [...document.querySelectorAll<HTMLElement>('.ant-dropdown:not(.ant-dropdown-hidden)')].at(-1);
      expect(shown).toBeDefined();
      return shown!;
    });
  };
  const keys = (): string[] => tabs.getState().tabs.map(({ key }) => key);
  expect(keys()).toEqual(['/home', '/gallery', '/other']);
  const first = within(await open('陈列'));
  expect(first.getByRole('menuitem', { name: '关闭左侧' }).getAttribute('aria-disabled')).toBe('true');
  await click(first.getByRole('menuitem', { name: '关闭右侧' }));
  await waitFor(() => expect(keys()).toEqual(['/home', '/gallery']));
  expect(window.location.pathname).toBe('/gallery');
  await go('另一页');
  await click(within(await open('另一页')).getByRole('menuitem', { name: '关闭左侧' }));
  await waitFor(() => expect(keys()).toEqual(['/home', '/other']));
});

test.each<readonly [string, () => HTMLElement, (one: HTMLElement) => void]>([
  ['search', () => menuLink('陈列'), (one) => fireEvent.keyDown(one, { key: 'k', ctrlKey: true })],
  ['help', () => menuLink('陈列'), (one) => fireEvent.keyDown(one, { key: '?' })],
  ['settings', () => screen.getByRole('button', { name: '设置' }), (one) => fireEvent.click(one)],
  ['tasks', () => screen.getByRole('button', { name: /任务/ }), (one) => fireEvent.click(one)],
])(
  'Escape in what was opened by the keyboard (%s) leads back to where the focus was',
  async (_what, opener, opened) => {
    await openConsole('/gallery');
    await titled('陈列');
    const one = opener();
    await act(async () => {
      one.focus();
      opened(one);
    });
    const dialog = await screen.findByRole('dialog');
    // Where nothing is laid out, what is drawn with motion does not take the focus by itself.
    if (!dialog.contains(document.activeElement)) within(dialog).getAllByRole('button')[0]!.focus();
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    await act(async () => void fireEvent.keyDown(document.activeElement!, { key: 'Escape' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(one));
  },
);
