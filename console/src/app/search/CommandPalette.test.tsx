import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patchPreferences } from '../../../../contract/people/me.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { search } from '../../../../contract/register/search.ts';
import { createQueryClient } from '../../api/index.ts';
import { startI18n } from '../../locales/i18n.ts';
import { namesFor } from '../../locales/catalogue-names.ts';
import { romanise } from '../../locales/pinyin.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { buildMenu, type MenuEntry } from '../../frame/menu/menu.ts';
import { MenuContext } from '../../frame/menu/menu-context.ts';
import { preferences } from '../../frame/preferences.ts';
import { createTabStore } from '../../frame/tabs/tab-store.ts';
import { TabStoreContext } from '../../frame/tabs/tab-context.ts';
import CommandPalette from './CommandPalette.tsx';
import { countLamps, getLampFilters } from '../../../../contract/light/lamps.ts';
import { settings } from '../settings/settings.ts';
import { askCommand, askedCommand } from './asked-command.ts';
import { addressOf } from './places.ts';

const entry = (id: number, title: string, screenName: string, url = `/${screenName}`): MenuEntry => ({
  id,
  parentId: 0,
  type: url.includes(':') ? 'non-menu' : 'menu2',
  name: screenName,
  title,
  icon: null,
  url,
  component: screenName,
  permissionCode: null,
  orderby: id,
  language: null,
});
const entries = [
  entry(1, '单灯监控', 'lamp/monitor'),
  entry(2, '路灯', 'lamp/device', '/lamp/device/:id'),
  entry(3, '灯杆管理', 'pole/poles'),
  entry(4, '集控管理', 'lamp/central-controllers'),
  entry(5, '道路', 'asset/roads'),
];
const menuOf = (list: MenuEntry[]) =>
  buildMenu(list, { builtIn: new Set(), components: new Set(list.map(({ component }) => component ?? '')) });
const menu = menuOf(entries);
vi.mock('../../locales/pinyin.ts', { spy: true });
type Groups = ReplyOf<typeof search>['groups'];
const pole = { id: 5, family: 'lamp-pole', code: 'P-12', name: '滨江大道 12号杆', place: '滨江大道' };
const lamp = { id: 7, family: 'single-lamp-controller', code: 'L-0118', name: '滨江灯', place: null };
const road = { id: 3, family: null, code: 'BJDD', name: '滨江大道', place: '滨江新区' };
const all: Groups = [
  { kind: 'pole', items: [pole] },
  { kind: 'device', items: [lamp] },
  { kind: 'road', items: [road] },
];
let server: ContractServer;
let address = '';
const find = { timeout: 8_000 };
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

function Address() {
  const { pathname, search: query } = useLocation();
  useEffect(() => {
    address = pathname + query;
  }, [pathname, query]);
  return null;
}

const closed = vi.fn();
async function open(codes: readonly string[] = []) {
  const i18n = await startI18n('zh-CN');
  await namesFor('zh-CN');
  await act(async () =>
    render(
      <ConfigProvider theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter>
              <MenuContext value={{ ...menu, codes: new Set(codes) }}>
                <TabStoreContext value={createTabStore()}>
                  <Suspense fallback="…">
                    <CommandPalette onClose={closed} />
                  </Suspense>
                  <Address />
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    ),
  );
  return screen.findByRole('combobox', undefined, find);
}
const type = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });
// The router turns the page in a transition, a moment after the key.
const press = (box: HTMLElement, key: string) => act(async () => fireEvent.keyDown(box, { key }));
const chosen = (): string | undefined =>
  screen.getAllByRole('option').find((one) => one.getAttribute('aria-selected') === 'true')?.textContent ?? undefined;

beforeEach(async () => {
  closed.mockClear();
  preferences.setState({ values: {} });
  server = await contractServer();
  server.answer(search, { groups: all });
  server.answer(patchPreferences, {});
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('things are found in groups, each with its code, its kind and its place; the keys go through all of them', async () => {
  const box = await open();
  type(box, 'bjdd');
  const poles = within(await screen.findByRole('group', { name: '灯杆' }, find));
  expect(poles.getByRole('option').textContent).toBe('P-12滨江大道 12号杆滨江大道');
  expect(within(screen.getByRole('group', { name: '设备' })).getByRole('option').textContent).toBe(
    'L-0118滨江灯单灯控制器',
  );
  expect(within(screen.getByRole('group', { name: '道路' })).getByRole('option').textContent).toBe(
    'BJDD滨江大道滨江新区',
  );
  expect(server.of(search).map(({ query }) => query.get('q'))).toEqual(['bjdd']);
  // The road stands before what stands at it.
  expect(chosen()).toContain('BJDD');
  await press(box, 'ArrowUp');
  expect(chosen()).toContain('L-0118');
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option').at(-1)?.id);
  await press(box, 'ArrowDown');
  await press(box, 'Enter');
  await waitFor(() => expect(address).toBe('/lamp/monitor?view=list&roads=3'));
  expect(closed).toHaveBeenCalledOnce();
});

test('Enter before the answer opens what the answer puts first, never what was there before', async () => {
  const box = await open();
  type(box, 'p-12');
  await screen.findByRole('group', { name: '灯杆' }, find);
  server.answer(search, { groups: [{ kind: 'device', items: [lamp] }] });
  type(box, 'l-0118');
  await press(box, 'Enter');
  await waitFor(() => expect(address).toBe('/lamp/device/7'));
});

test('a menu that is meant stands first and opens at once; one that only has the letters in order comes last', async () => {
  const box = await open();
  type(box, '灯杆');
  expect(chosen()).toContain('灯杆管理');
  await screen.findByRole('group', { name: '灯杆' }, find);
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby')?.split('-of-')[1])).toEqual([
    'pages',
    'road',
    'pole',
    'device',
  ]);
  await press(box, 'Enter');
  await waitFor(() => expect(address).toBe('/pole/poles'));
});

test('what was opened stands first the next time, and is kept for the account', async () => {
  const box = await open();
  type(box, 'p-12');
  const option = await screen.findByRole('option', { name: /P-12/ }, find);
  await act(async () => fireEvent.click(option));
  await waitFor(() => expect(address).toBe('/pole/poles?open=5'));
  cleanup();
  await open();
  expect(within(screen.getByRole('group', { name: '最近打开' })).getByRole('option').textContent).toBe(
    'P-12滨江大道 12号杆',
  );
  expect(preferences.getState().values).toEqual({
    'search.recent': [{ kind: 'pole', id: 5, family: 'lamp-pole', code: 'P-12', name: '滨江大道 12号杆' }],
  });
  preferences.setState({ values: { 'search.recent': [{ kind: 'pole' }, 7, { kind: 'page', path: '/gone' }] } });
  await waitFor(() => expect(screen.queryByRole('group', { name: '最近打开' })).toBeNull());
});

test('nothing found is said; a failing server leaves the menus and offers another try', async () => {
  server.answer(search, { groups: [] });
  const box = await open();
  type(box, 'zzzz');
  await waitFor(() => expect(screen.getAllByText('没有找到“zzzz”')).toHaveLength(2));
  server.refuse(search, 500, { message: '出错了', requestId: 'r-9' });
  type(box, '道路');
  expect((await screen.findByText(/暂时搜不到/, undefined, find)).textContent).toContain('出错了');
  expect(screen.getByRole('option').textContent).toContain('道路');
  server.answer(search, { groups: [{ kind: 'road', items: [road] }] });
  fireEvent.click(screen.getByRole('button', { name: '重试搜索' }));
  expect(await screen.findByText('BJDD', undefined, find)).toBeTruthy();
});

test('a thing without a page of its own for the account is not offered', () => {
  const only = (...names: string[]) => menuOf(entries.filter(({ component }) => names.includes(component ?? '')));
  expect(addressOf(menu, 'device', { id: 9, family: 'central-controller' })).toBe('/lamp/central-controllers?open=9');
  expect(addressOf(only('asset/roads'), 'road', { id: 3, family: null })).toBe('/asset/roads?open=3');
  expect(addressOf(only('asset/roads'), 'pole', pole)).toBeUndefined();
  expect(addressOf(only('asset/roads'), 'device', { id: 1, family: 'gateway' })).toBeUndefined();
});

const filters = {
  roads: [
    { id: 3, name: '滨江大道', lamps: 240 },
    { id: 4, name: '人民路', lamps: 60 },
  ],
  groups: [{ id: 8, name: 'G04 景观', lamps: 30 }],
  controllers: [],
};
const control = ['lamp.control', 'lamp.monitor'];
const offered = () => within(screen.getByRole('group', { name: '控制路灯' })).getAllByRole('option');

test.each([
  [
    '关灯 滨江',
    '关灯：滨江大道道路 · 240 盏',
    { start: { command: 'off' }, scope: { name: 'roadId', id: 3, lamps: 240 } },
  ],
  [
    'gd bjdd',
    '关灯：滨江大道道路 · 240 盏',
    { start: { command: 'off' }, scope: { name: 'roadId', id: 3, lamps: 240 } },
  ],
  [
    '调光45% 分组G04',
    '调光至 45%：G04 景观分组 · 30 盏',
    { start: { command: 'dim', level: 45 }, scope: { name: 'groupId', id: 8, lamps: 30 } },
  ],
])('“%s” is understood and only asked about', async (text, line, asked) => {
  server.answer(getLampFilters, filters);
  server.answer(countLamps, {
    at: '2026-11-20T13:46:31.000Z',
    total: 240,
    online: 228,
    states: { on: 228 },
    faults: {},
  });
  askCommand(null);
  const box = await open(control);
  type(box, text);
  await waitFor(() => expect(chosen()).toBe(line), find);
  await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false'));
  await press(box, 'Enter');
  expect(askedCommand.getState().current).toEqual(asked);
  expect(closed).toHaveBeenCalledOnce();
  expect(server.seen.filter(({ method, path }) => method === 'POST' && path.includes('commands'))).toEqual([]);
});

test('Enter while the places are on their way opens the dialog of the command that comes first', async () => {
  const gate = Promise.withResolvers<void>();
  server.on(getLampFilters, async () => {
    await gate.promise;
    return { status: 200, body: filters };
  });
  server.answer(search, { groups: [] });
  askCommand(null);
  const box = await open(control);
  type(box, '关灯 滨江');
  await press(box, 'Enter');
  expect(askedCommand.getState().current).toBeNull();
  gate.resolve();
  await waitFor(() => expect(askedCommand.getState().current).toMatchObject({ start: { command: 'off' } }));
});

test('a verb alone lets choose; a place that nobody has is not offered', async () => {
  server.answer(getLampFilters, filters);
  const box = await open(control);
  type(box, '关灯');
  await waitFor(() => expect(offered().map((one) => one.textContent)).toHaveLength(4), find);
  expect(offered()[0]?.textContent).toBe('关灯：选择范围…');
  type(box, '关灯 没有的路');
  await waitFor(() => expect(screen.queryByRole('group', { name: '控制路灯' })).toBeNull());
});

test('a place or an action is romanised once, however many keys follow, and only for a word that it has not written', async () => {
  server.answer(getLampFilters, filters);
  vi.mocked(romanise).mockClear();
  const box = await open(control);
  const asked = () => vi.mocked(romanise).mock.calls.map(([name]) => name);
  type(box, '关灯 人民');
  await waitFor(() => expect(chosen()).toContain('人民路'), find);
  await waitFor(() => expect(asked()).toContain('滨江大道'));
  expect(asked()).not.toContain('人民路');
  type(box, 'gd rm');
  await waitFor(() => expect(asked()).toContain('人民路'));
  vi.mocked(romanise).mockClear();
  type(box, 'gd rml');
  await waitFor(() => expect(chosen()).toContain('人民路'));
  expect(asked()).toEqual([]);
});

test('who may not control is offered no command, and asks for no places', async () => {
  const box = await open(['lamp.monitor']);
  type(box, '关灯 滨江');
  await screen.findByRole('group', { name: '道路' }, find);
  expect(screen.queryByRole('group', { name: '控制路灯' })).toBeNull();
  expect(server.of(getLampFilters)).toEqual([]);
});

test('what the console does itself is found by its words, its initials and its right', async () => {
  const box = await open(['record.add']);
  type(box, 'qhwss');
  await waitFor(() => expect(chosen()).toContain('切换为深色'), find);
  await press(box, 'Enter');
  expect(settings.getState().theme).toBe('dark');
  cleanup();
  const again = await open(['record.add']);
  type(again, '新建道路');
  await waitFor(() => expect(chosen()).toContain('新增道路'), find);
  await press(again, 'Enter');
  await waitFor(() => expect(address).toBe('/asset/roads?form=new'));
  cleanup();
  const without = await open();
  type(without, '新建道路');
  await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false'));
  expect(screen.queryByText('新增道路')).toBeNull();
});
