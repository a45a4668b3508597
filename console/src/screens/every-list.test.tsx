import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { records } from '../../../catalogue/records/index.ts';
import type { RouteShape } from '../../../contract/route.ts';
import { getDevice, listDevices } from '../../../contract/register/devices.ts';
import { getPreferences, patchPreferences } from '../../../contract/people/me.ts';
import { listRecords } from '../../../contract/register/records.ts';
import { getCurrentUser } from '../../../contract/specified/account.ts';
import { listLoginLog, listOperationLog } from '../../../contract/specified/logs.ts';
import { getLevels, listUsers } from '../../../contract/specified/users.ts';
import { listWorkGroups } from '../../../contract/specified/work-groups.ts';
import { createQueryClient } from '../api/index.ts';
import { MenuContext } from '../frame/menu/menu-context.ts';
import { loadPreferences, preferences } from '../frame/preferences.ts';
import { TabKeyContext, TabStoreContext } from '../frame/tabs/tab-context.ts';
import { createTabStore } from '../frame/tabs/tab-store.ts';
import { startI18n } from '../locales/i18n.ts';
import { namesFor } from '../locales/catalogue-names.ts';
import { DeviceTable } from '../parts/declared/DeviceTable.tsx';
import { RecordScreen } from '../parts/declared/RecordScreen.tsx';
import { contractServer, type ContractServer } from '../testing/contract-server.ts';
import LoginLog from './people/logs/login.tsx';
import OperationLog from './people/logs/operation.tsx';
import UserManagement from './people/users/index.tsx';
import WorkGroups from './people/work-groups/index.tsx';

/** Every list of the console has the same parts and the same states (design: "Every list, form and page"). */
const at = '2026-11-20T13:00:00.000Z';
const user = {
  id: 7,
  username: 'wangwei',
  nickname: null,
  roleNames: null,
  roles: '',
  treeLevel: 2,
  createTime: at,
  updateTime: at,
  registerTime: at,
  lastLogin: at,
  version: 5,
  disabled: false,
  lockedUntil: null,
  passwordInitial: false,
  sessions: 0,
  manageable: true,
};
const log = { id: 7, ip: '10.0.0.8', time: at, message: 'x', times: 1, sealed: true };
const declaredRow = { id: 7, version: 1, createTime: at, updateTime: at, labels: {}, latest: null };
const lists: [name: string, view: ReactNode, route: RouteShape, row: object, several: boolean][] = [
  ['users', <UserManagement key="1" />, listUsers, user, true],
  [
    'work-groups',
    <WorkGroups key="2" />,
    listWorkGroups,
    { id: 7, groupName: 'a', description: 'b', orgId: null, workId: 1, workName: 'c', members: 1, version: 1 },
    true,
  ],
  ['logs/login', <LoginLog key="3" />, listLoginLog, { ...log, userName: 'a', status: 'success' }, false],
  [
    'logs/operation',
    <OperationLog key="4" />,
    listOperationLog,
    { ...log, username: 'a', uri: 'POST /x', params: null, status: 200 },
    false,
  ],
  // Every family and record has the one declared list: one that reports, one that does not, and two records stand for
  // all.
  ...['lamp-pole', 'single-lamp-controller'].map((key): (typeof lists)[number] => [
    key,
    <DeviceTable key={key} family={key} screen="pole/poles" />,
    listDevices,
    { ...declaredRow, equipmentCode: 'X-1' },
    true,
  ]),
  ...records
    .filter(({ key }) => ['road', 'work-area'].includes(key))
    .map(({ key, codeField }): (typeof lists)[number] => [
      key,
      <RecordScreen key={key} record={key} screen="asset/roads" />,
      listRecords,
      { ...declaredRow, [codeField]: 'X-1' },
      true,
    ]),
];
const codes = [
  'cscp.user.query',
  'cscp.user.add',
  'cscp.user.edit',
  'cscp.user.del',
  'cscp.wg.query',
  'cscp.wg.add',
  'cscp.wg.edit',
  'cscp.wg.del',
  'device.add',
  'device.edit',
  'device.del',
  'record.add',
  'record.edit',
  'record.del',
];

let server: ContractServer;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

async function open(view: ReactNode) {
  await namesFor('zh-CN');
  const i18n = await startI18n('zh-CN');
  await act(async () => {
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter initialEntries={['/x']}>
              <MenuContext value={{ top: [], pages: [], codes: new Set(codes) }}>
                <TabStoreContext value={createTabStore()}>
                  <TabKeyContext value="/x">
                    <Suspense fallback="…">{view}</Suspense>
                  </TabKeyContext>
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    await Promise.resolve();
  });
}
const reply = (data: readonly object[]) => ({
  status: 200,
  body: { code: 0, msg: '', data, recordsTotal: data.length, recordsFiltered: data.length },
});
const refresh = async () => fireEvent.click(await screen.findByRole('button', { name: '刷新' }));
const head = () =>
  within(screen.getAllByRole('table')[0]!)
    .getAllByRole('columnheader')
    .map((cell) => cell.textContent);

beforeEach(async () => {
  preferences.setState({ values: undefined, unsaved: false, arriving: false });
  server = await contractServer();
  server.answer(getLevels, { code: 0, msg: '', data: {} });
  server.refuse(getCurrentUser, 404);
  server.answer(patchPreferences, {});
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test.each(lists)(
  '%s: loading, failing, refused, empty and full are all told; the tools and pages are there',
  async (_name, view, route, row, several) => {
    let answer: (() => void) | undefined;
    const held = (then: ReturnType<typeof reply>) => () =>
      new Promise<ReturnType<typeof reply>>((resolve) => {
        answer = () => resolve(then);
      });
    server.on(
      route,
      held({ status: 500, body: { status: 500, message: '数据库没有应答', requestId: 'r-77' } as never }),
    );
    await open(view);
    await waitFor(() => expect(screen.getByRole('status', { name: '正在载入' })).toBeTruthy());
    await waitFor(() => expect(answer).toBeDefined());
    answer?.();
    expect((await screen.findByRole('alert')).textContent).toMatch(/数据库没有应答.*r-77/);

    server.refuse(route, 403, { message: '缺少权限 some.code' });
    fireEvent.click(await screen.findByRole('button', { name: '重试' }));
    expect(await screen.findByText('缺少权限 some.code')).toBeTruthy();

    server.on(route, () => reply([]));
    await refresh();
    await screen.findByText(/^(还没有|没有).+/);

    server.on(route, () => reply([row, { ...row, id: 8 }]));
    await refresh();
    const table = (await screen.findAllByRole('row'))[0]?.closest('.ant-table');
    expect(table?.querySelector('.ant-table-sticky-holder')).not.toBeNull();
    expect(head()).toContain('序号');
    expect(screen.getAllByRole('status').some((line) => /共.*2/.test(line.textContent ?? ''))).toBe(true);
    expect(document.querySelector('.ant-table-column-has-sorters')).not.toBeNull();
    expect(document.querySelector('.ant-pagination-options')?.textContent).toContain('50');
    expect(screen.getByRole('button', { name: '列设置' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: '选择本页' }) !== null).toBe(several);

    answer = undefined;
    server.on(route, held(reply([row])));
    await refresh();
    await waitFor(() => expect(answer).toBeDefined());
    expect(await screen.findByRole('progressbar', { name: '正在刷新' })).toBeTruthy();
    (answer as (() => void) | undefined)?.();
    await waitFor(() => expect(screen.queryByRole('progressbar', { name: '正在刷新' })).toBeNull());
  },
);

describe('a device list', () => {
  const family = 'single-lamp-controller';
  const one = { ...declaredRow, equipmentCode: 'BJ-7', equipmentName: '七号灯', isOnline: true };
  const other = { ...one, id: 8, equipmentCode: 'BJ-8', equipmentName: '八号灯', isOnline: false };
  const rowOf = (code: string): HTMLElement => screen.getByText(code).closest('tr')!;
  const openList = async (rows: readonly object[] = [one, other]) => {
    server.on(listDevices, () => reply(rows));
    await open(<DeviceTable family={family} screen="asset/single-lamp-controllers" />);
    await screen.findByText(/^共/);
  };

  test('folds away what is empty in every row, shows it on a press, and never the code or the state', async () => {
    await openList();
    const folded = head();
    expect(folded.slice(1, 5)).toEqual(['序号', '设备编号', '设备名称', '在线']);
    expect(folded).not.toContain('IP 地址');
    const chip = screen.getByRole('button', { name: /^\d+ 个空列$/, pressed: false });
    fireEvent.click(chip);
    expect(head().length).toBe(folded.length + Number.parseInt(chip.textContent ?? '', 10));
    fireEvent.click(chip);
    expect(head()).toEqual(folded);
  });

  test('an empty list folds nothing', async () => {
    await openList([]);
    expect(screen.queryByRole('button', { name: /个空列$/ })).toBeNull();
  });

  test('J and K walk, Space selects, V peeks, and the row that is looked at is marked', async () => {
    await openList();
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement).toBe(rowOf('BJ-7'));
    fireEvent.keyDown(rowOf('BJ-7'), { key: 'j' });
    expect(document.activeElement).toBe(rowOf('BJ-8'));
    fireEvent.keyDown(rowOf('BJ-8'), { key: 'k' });
    fireEvent.keyDown(rowOf('BJ-7'), { key: ' ' });
    expect(screen.getByRole('toolbar', { name: '批量操作' }).textContent).toContain('已选 1 项');
    server.on(getDevice, () => ({ status: 200, body: one }));
    fireEvent.keyDown(rowOf('BJ-7'), { key: 'v' });
    await waitFor(() => expect(rowOf('BJ-7').className).toContain('peeked'));
    expect(await screen.findByText(/详情$/)).toBeTruthy();
  });

  test('what takes away stands one step further than what is at hand', async () => {
    await openList();
    const row = within(rowOf('BJ-7'));
    expect(row.getByRole('button', { name: '编辑 BJ-7' })).toBeTruthy();
  });
});

describe('a list without a drawer of its own', () => {
  beforeEach(() =>
    server.on(listUsers, () => reply([user, { ...user, id: 8, username: 'zhaomin', nickname: '赵敏' }])),
  );
  const panel = () => screen.queryByRole('complementary', { name: '详情预览' });

  test('a click on free space shows every column beside the list; the keys go on, Esc closes', async () => {
    await open(<UserManagement />);
    const cell = (await screen.findByText('wangwei')).closest('td')!;
    fireEvent.click(screen.getByRole('button', { name: '编辑 wangwei' }));
    expect(panel()).toBeNull();
    fireEvent.click(cell.nextElementSibling!);
    expect(within(panel()!).getByText('wangwei')).toBeTruthy();
    expect(within(panel()!).getByText('创建时间')).toBeTruthy();
    expect(document.activeElement).toBe(cell.closest('tr'));
    fireEvent.keyDown(document.activeElement!, { key: 'j' });
    expect(within(panel()!).getAllByText('zhaomin')).toHaveLength(1);
    expect(document.activeElement?.className).toContain('peeked');
    fireEvent.keyDown(document.activeElement!, { key: 'v' });
    expect(document.activeElement).toBe(panel());
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(panel()).toBeNull();
    expect(document.activeElement?.textContent).toContain('zhaomin');
  });

  test('a row that left the page takes the panel with it, and does not bring it back', async () => {
    await open(<UserManagement />);
    fireEvent.click((await screen.findByText('wangwei')).closest('td')!.nextElementSibling!);
    expect(panel()).toBeTruthy();
    const other = { ...user, id: 8, username: 'zhaomin' };
    server.on(listUsers, () => reply([other]));
    await refresh();
    await waitFor(() => expect(panel()).toBeNull());
    server.on(listUsers, () => reply([user, other]));
    await refresh();
    await screen.findByText('wangwei');
    expect(panel()).toBeNull();
  });

  test('its request is copied with a placeholder for the token', async () => {
    const written = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator) as Navigator, { clipboard: { writeText: written } }),
    );
    localStorage.setItem('token', 'a-real-token');
    await open(<UserManagement />);
    await screen.findByText('wangwei');
    fireEvent.click(screen.getByRole('button', { name: '更多列表操作' }));
    fireEvent.click(await screen.findByText('复制为 curl 命令'));
    await waitFor(() => expect(written).toHaveBeenCalledOnce());
    const [line = ''] = written.mock.calls[0] ?? [];
    expect(line).toMatch(/^curl .*-H "Authorization: \$TOKEN".* "http[^"]+page=1[^"]*size=50[^"]*"$/);
    expect(line).not.toContain('a-real-token');
    localStorage.removeItem('token');
    vi.unstubAllGlobals();
  });
});

describe('columns and row height', () => {
  const settings = async () => {
    fireEvent.click(await screen.findByRole('button', { name: '列设置' }));
    return within((await screen.findByText('行高：随设置')).closest<HTMLElement>('.ant-popover')!);
  };
  const sent = () => JSON.parse(server.of(patchPreferences).at(-1)?.body ?? 'null') as unknown;
  beforeEach(() => server.on(listUsers, () => reply([{ ...user, nickname: '小王', roleNames: '值班' }])));

  test('shown, hidden and moved by the buttons, by drag, and back again; kept for the account', async () => {
    await open(<UserManagement />);
    await screen.findByText('wangwei');
    const own = head();
    const panel = await settings();
    expect(panel.getByRole<HTMLInputElement>('checkbox', { name: '用户名' }).disabled).toBe(true);
    fireEvent.click(panel.getByRole('checkbox', { name: '角色' }));
    expect(head()).toEqual(own.filter((name) => name !== '角色'));
    const down = panel.getByRole('button', { name: '下移 昵称' });
    down.focus();
    fireEvent.click(down);
    expect(head().slice(2, 5)).toEqual(['用户名', '账号级别', '昵称']);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('下移 昵称');
    expect(panel.getByRole('status').textContent).toBe('昵称：第 3 列，共 7 列');
    const item = (name: string) => panel.getByRole('checkbox', { name }).closest('li')!;
    fireEvent.dragStart(item('创建时间'));
    fireEvent.dragOver(item('用户名'));
    fireEvent.drop(item('用户名'));
    expect(head()[2]).toBe('创建时间');
    await waitFor(
      () =>
        expect(sent()).toEqual({
          'columns:users': {
            columns: ['createTime', 'username', 'treeLevel', 'nickname', 'state', 'sessions', 'lastLogin'],
          },
        }),
      { timeout: 8_000 },
    );
    fireEvent.click(panel.getByRole('button', { name: '恢复默认' }));
    expect(head()).toEqual(own);
    await waitFor(() => expect(sent()).toEqual({ 'columns:users': null }), { timeout: 8_000 });
  });

  test('the table waits for what the account chose, so that it never changes under the eyes', async () => {
    let answer: (() => void) | undefined;
    server.on(
      getPreferences,
      () =>
        new Promise((resolve) => {
          answer = () =>
            resolve({ status: 200, body: { 'columns:users': { columns: ['username', 'state'], density: 'compact' } } });
        }),
    );
    const loaded = loadPreferences();
    await open(<UserManagement />);
    await screen.findByText('共 1 个账号');
    expect(screen.queryByRole('table')).toBeNull();
    await waitFor(() => expect(answer).toBeDefined());
    await act(async () => {
      answer?.();
      await loaded;
    });
    expect(head()).toEqual(['', '序号', '用户名', '状态', '操作']);
    expect(screen.getAllByRole('table')[0]?.closest('[data-density="compact"]')).not.toBeNull();
  });
});
