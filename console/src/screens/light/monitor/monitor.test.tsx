import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import antdWords from 'antd/locale/zh_CN';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommand, getCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { getCommandSettings, policyDefaults } from '../../../../../contract/light/command-settings.ts';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import {
  countLamps,
  getLamp,
  getLampCurve,
  getLampFilters,
  getLampMap,
  lampIds,
  listLamps,
} from '../../../../../contract/light/lamps.ts';
import { getMe, getPreferences } from '../../../../../contract/people/me.ts';
import { getCurrentUser, getMenus, getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { getLoginAppearance } from '../../../../../contract/specified/sign-in.ts';
import { connectLive, createQueryClient, reactToRefusals, type LiveConnection } from '../../../api/index.ts';
import { App } from '../../../app/App.tsx';
import type { MenuEntry } from '../../../frame/menu/menu.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { storeToken } from '../../../session/index.ts';
import { commandItem, commandTask } from '../../../testing/commands.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import type { Lamp } from '../../../parts/lamp/lamp.ts';

configure({ asyncUtilTimeout: 8_000 });

const entry = (
  id: number,
  parentId: number,
  type: MenuEntry['type'],
  name: string,
  more: Partial<MenuEntry> = {},
): MenuEntry => ({
  id,
  parentId,
  type,
  name,
  title: name,
  icon: null,
  url: null,
  component: null,
  permissionCode: null,
  orderby: id,
  language: null,
  ...more,
});
const menu = (control: boolean): MenuEntry[] => [
  entry(1, 0, 'menu1', 'lamp', { url: '/lamp', component: 'layout' }),
  entry(2, 1, 'menu2', 'lamp-monitor', {
    url: '/lamp/monitor',
    component: 'lamp/monitor',
    permissionCode: 'lamp.monitor',
  }),
  ...(control ? [entry(3, 2, 'button', 'lamp-monitor-control', { permissionCode: 'lamp.control' })] : []),
  entry(4, 1, 'menu2', 'lamp-publish', {
    url: '/lamp/publish',
    component: 'lamp/publish',
    permissionCode: 'plan.publish',
  }),
];
const lamp = (id: number, more: Partial<Lamp> = {}): Lamp => ({
  id,
  code: `BJ-000${id}`,
  name: null,
  workAreaId: 1,
  roadId: 1,
  roadName: '滨江大道',
  groupId: null,
  controllerId: null,
  controllerCode: null,
  poleId: null,
  poleCode: null,
  location: `滨江大道 北侧 ${id} 号杆`,
  longitude: 120.2,
  latitude: 30.2,
  ratedWatts: 120,
  enabled: true,
  state: 'on',
  fault: null,
  faultSince: null,
  online: true,
  level: 100,
  power: 118.2,
  voltage: 226.1,
  current: 0.53,
  powerFactor: 0.96,
  temperature: 31,
  energyTonight: 0.58,
  at: new Date().toISOString(),
  manual: null,
  ...more,
});
const lamps = [
  lamp(1, { poleId: 4, poleCode: 'DG-0017' }),
  lamp(2, { state: 'alarm', fault: 'L101', power: 2.4 }),
  lamp(3, {
    state: 'offline',
    fault: 'N301',
    online: false,
    level: 60,
    power: null,
    voltage: null,
    energyTonight: null,
    at: null,
  }),
];
const at = '2026-11-20T13:46:31.000Z';

let server: ContractServer;
let live: LiveConnection;

beforeEach(async () => {
  storeToken('Bearer test');
  server = await contractServer();
  // Its path has a parameter that other paths fit into: they are answered after it and win.
  server.answer(getLamp, {
    lamp: {
      ...lamps[0]!,
      level: 60,
      state: 'dimmed',
      manual: { level: 60, until: '2026-11-20T22:26:00.000Z', commandId: 17 },
    },
    values: { power: 70.1 },
    plan: {
      switches: [{ at: '2026-11-20T22:26:00.000Z', level: 0 }],
      shouldBeLit: true,
      night: {
        day: '2026-11-20',
        steps: [
          { at: '2026-11-20T09:02:00.000Z', level: 100, byPattern: false },
          { at: '2026-11-20T15:00:00.000Z', level: 0, byPattern: true },
          { at: '2026-11-20T21:30:00.000Z', level: 60, byPattern: false },
          { at: '2026-11-20T22:26:00.000Z', level: 0, byPattern: false },
        ],
      },
      ratedWatts: 120,
    },
    connected: true,
    connectionChangedAt: null,
    clockAheadSeconds: 259_200,
    clockWrongSince: '2026-11-19T01:00:00.000Z',
    episodes: [],
    row: null,
  });
  server.answer(getWorkAreaOptions, { success: true, msg: '', data: [] });
  server.answer(getCurrentUser, {
    id: 1,
    userId: 1,
    username: 'admin',
    nickname: null,
    familyName: '周',
    name: '敏',
    mobile: null,
    email: null,
    imgPath: null,
    discTitle: null,
    discDetail: null,
    treeLevel: 0,
    roleIds: '1',
    roleNames: 'admin',
    createTime: at,
    updateTime: null,
    registerTime: at,
    lastLogin: null,
  });
  server.answer(getMe, {
    accountId: 1,
    username: 'admin',
    displayName: '周敏',
    level: 0,
    permissions: [],
    warnings: [],
    workAreas: 1,
    timeZone: 'Asia/Shanghai',
  });
  server.answer(getPreferences, {});
  server.answer(getLoginAppearance, {
    code: 0,
    data: { name: '滨江照明', logo: null, title: '滨江照明平台', ico: null },
  });
  server.answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 3 }], groups: [], controllers: [] });
  server.answer(getLampMap, {
    at,
    ids: [1, 2, 3],
    codes: ['BJ-0001', 'BJ-0002', 'BJ-0003'],
    longitudes: [120.2, 120.2, 120.2],
    latitudes: [30.2, 30.2, 30.2],
    ratedWatts: [120, 120, 120],
    cct: [3000, 3000, 3000],
    states: [0, 3, 4],
    levels: [100, 100, -1],
    poleIds: [1, 2, 3],
    unplaced: 0,
  });
  server.answer(getBaseMap, { type: 'FeatureCollection', features: [] });
  server.answer(listLamps, { data: lamps, recordsTotal: 120 });
  server.answer(countLamps, {
    at,
    total: 120,
    online: 119,
    states: { on: 118, alarm: 1, offline: 1 },
    faults: { L101: 1, N301: 1 },
  });
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  server.answer(lampIds, { ids: Array.from({ length: 120 }, (_, index) => index + 1), truncated: false });
  server.answer(createCommand, { id: 17, total: 120, state: 'running' });
  server.answer(getCommandSettings, {
    version: 1,
    policy: { ...policyDefaults },
    limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
  });
  server.answer(getCommand, {
    ...commandTask(),
    recordsTotal: 120,
    items: [
      commandItem({
        state: 'confirmed',
        sentAt: at,
        acknowledgedAt: at,
        endedAt: at,
        proof: { at, level: 60, power: 71.2, relay: true },
      }),
      commandItem({ deviceId: 3, code: 'BJ-0003', state: 'timedOut', sentAt: at, endedAt: at, error: 'noAnswer' }),
    ],
  });
});
afterEach(async () => {
  cleanup();
  live.stop();
  reactToRefusals(undefined);
  await server.close();
});

async function openMonitor(path: string, control = true): Promise<void> {
  server.answer(getMenus, menu(control));
  window.history.replaceState(null, '', path);
  const i18n = await startI18n('zh-CN');
  live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  render(<App i18n={i18n} words={antdWords} client={createQueryClient()} live={live} tabs={createTabStore()} />);
  // In the list, and in the drawer where the address opens it: whichever comes first.
  await screen.findAllByText('BJ-0001', undefined, { timeout: 20_000 });
}

const rowOf = (code: string): HTMLElement => screen.getByText(code).closest('tr')!;

test('without WebGL the list opens in the map’s place and says so; missing is a dash, a fault has its name', async () => {
  await openMonitor('/lamp/monitor');
  expect(screen.getByText(/不支持 WebGL/)).toBeTruthy();
  expect(within(rowOf('BJ-0002')).getByText('灯具故障')).toBeTruthy();
  // The lamp's own code and the pole's stand in columns of their own.
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['灯编号', '灯杆编号']),
  );
  expect(within(rowOf('BJ-0001')).getByText('DG-0017')).toBeTruthy();
  const silent = within(rowOf('BJ-0003'));
  expect(silent.getByText('控制器离线')).toBeTruthy();
  // The pole's code, level, power, voltage, energy and the time of the report: nothing is known, so nothing is shown as
  // a number.
  expect(silent.getAllByText('—')).toHaveLength(6);
});

test('the filters of the address are what is asked, and the reset asks for everything', async () => {
  await openMonitor('/lamp/monitor?view=list&roads=1&states=alarm,offline&q=BJ&sort=state,asc&page=2');
  expect(Object.fromEntries(server.of(listLamps)[0]!.query)).toEqual({
    roadIds: '1',
    states: 'alarm,offline',
    q: 'BJ',
    sort: 'state,asc',
    page: '2',
    size: '50',
  });
  fireEvent.click(screen.getByRole('button', { name: '重置' }));
  await waitFor(() =>
    expect(server.of(listLamps).some((request) => !request.query.has('roadIds') && !request.query.has('states'))).toBe(
      true,
    ),
  );
});

test('taking away the last visible condition keeps the one that a link brought; the reset takes it too', async () => {
  await openMonitor('/lamp/monitor?view=list&q=BJ&lit=notLit');
  const asked = () => Object.fromEntries(server.of(listLamps).at(-1)!.query);
  expect(screen.getByText(/^\d\d:\d\d:\d\d 更新$/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /^移除条件/ }));
  await waitFor(() => expect(asked()).toEqual({ lit: 'notLit', page: '1', size: '50' }));
  fireEvent.click(screen.getByRole('button', { name: '重置' }));
  await waitFor(() => expect(asked()).toEqual({ page: '1', size: '50' }));
});

test('without the right to control nothing can be selected or sent', async () => {
  await openMonitor('/lamp/monitor?view=list', false);
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('按道路、分组控制')).toBeNull();
});

test('select all that match, dim them, and the task names failures first in full words', async () => {
  await openMonitor('/lamp/monitor?view=list');
  fireEvent.click(screen.getByRole('checkbox', { name: '选择 BJ-0001' }));
  const bar = await screen.findByRole('toolbar', { name: '批量操作' });
  fireEvent.click(await within(bar).findByRole('button', { name: '选中全部 120 盏' }));
  await within(bar).findByText('已选 120 盏');
  fireEvent.click(within(bar).getByRole('button', { name: '调光…' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByRole('slider'), { target: { value: '60' } });
  fireEvent.click(within(dialog).getByRole('button', { name: '下发给 120 盏' }));
  const task = await screen.findByRole('complementary', { name: '任务' });
  expect(JSON.parse(server.of(createCommand)[0]!.body)).toEqual({
    requestId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
    deviceIds: Array.from({ length: 120 }, (_, index) => index + 1),
    command: 'dim',
    args: { level: 60 },
  });
  await within(task).findByText('应答超时');
  expect(
    within(task)
      .getAllByRole('listitem')
      .map((item) => within(item).getByRole('button').textContent),
  ).toEqual(['BJ-0003', 'BJ-0001']);
  expect(within(task).getByRole('button', { name: '重试失败的 2 盏' })).toBeTruthy();
  expect(within(task).getByText('进行中')).toBeTruthy();
});

test('a scheme is published to what was selected', async () => {
  await openMonitor('/lamp/monitor?view=list');
  fireEvent.click(screen.getByRole('checkbox', { name: '选择 BJ-0001' }));
  fireEvent.click(screen.getByRole('checkbox', { name: '选择 BJ-0003' }));
  const bar = await screen.findByRole('toolbar', { name: '批量操作' });
  fireEvent.click(within(bar).getByRole('button', { name: '发布方案…' }));
  await waitFor(() => expect(window.location.pathname).toBe('/lamp/publish'));
  // What the opened page begins with.
  await waitFor(() => expect(Object.values(sessionStorage).join(' ')).toContain('"handOver":{"deviceIds":[1,3]}'));
});

test('a command that the server refuses is told in the dialog, and what was chosen stays', async () => {
  server.refuse(createCommand, 400, { message: '命令的结束时间超过 24 小时。', requestId: '8f3c-21a9' });
  await openMonitor('/lamp/monitor?view=list');
  fireEvent.click(screen.getByRole('checkbox', { name: '选择 BJ-0001' }));
  fireEvent.click(
    within(await screen.findByRole('toolbar', { name: '批量操作' })).getByRole('button', { name: '调光…' }),
  );
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByRole('slider'), { target: { value: '35' } });
  fireEvent.click(within(dialog).getByRole('button', { name: '下发给 1 盏' }));
  expect((await within(dialog).findByRole('alert')).textContent).toContain('命令的结束时间超过 24 小时。');
  expect(within(dialog).getByRole<HTMLInputElement>('slider').value).toBe('35');
});

test('the drawer of a lamp: what it reports, its manual state, a command drawn only as far as it is proven', async () => {
  server.answer(getLampCurve, {
    from: at,
    to: at,
    gaps: [],
    at: [],
    level: [],
    power: [],
    voltage: [],
    current: [],
    powerFactor: [],
    temperature: [],
    nights: [],
    plan: [],
  });
  server.answer(listCommands, {
    recordsTotal: 1,
    data: [
      {
        ...commandTask({ reason: '路口施工', total: 1, states: { acknowledged: 1 }, scope: { devices: 1 } }),
        item: commandItem({
          state: 'acknowledged',
          sentAt: '2026-11-20T13:46:31.400Z',
          acknowledgedAt: '2026-11-20T13:46:33.100Z',
        }),
      },
    ],
  });
  await openMonitor('/lamp/monitor?view=list&lamp=1');
  const drawer = within(await screen.findByRole('complementary', { name: 'BJ-0001' }, { timeout: 10_000 }));
  expect(drawer.getByText('调光 60%')).toBeTruthy();
  expect(drawer.getByText(/手动中：60%/)).toBeTruthy();
  expect(drawer.getByText(/时钟快了 3\s?天/)).toBeTruthy();
  // In the account's time zone, once that is known.
  expect(await drawer.findByText(/^自 .*11-19 09:00 起不准/)).toBeTruthy();
  await drawer.findByText('待确认');
  expect(drawer.getByText('+0.4 s')).toBeTruthy();
  expect(drawer.queryByText('已确认')).toBeNull();
  expect(drawer.getByText('原因：路口施工')).toBeTruthy();
  const stretches = within(drawer.getByRole('list', { name: '今夜方案' })).getAllByRole('listitem');
  expect(stretches.map(({ textContent }) => textContent)).toEqual([
    '17:02–23:00100%',
    '23:00–05:30轮到熄灯',
    '05:30–06:2660%',
  ]);
  await drawer.findByText('这段时间没有读数');
});

test('a list that cannot be fetched says what happened, with the request’s id and a way to try again', async () => {
  server.refuse(listLamps, 500, { message: '服务器内部错误', requestId: '8f3c-21a9' });
  server.answer(getMenus, menu(true));
  window.history.replaceState(null, '', '/lamp/monitor?view=list');
  const i18n = await startI18n('zh-CN');
  live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  render(<App i18n={i18n} words={antdWords} client={createQueryClient()} live={live} tabs={createTabStore()} />);
  const alert = await screen.findByRole('alert', undefined, { timeout: 20_000 });
  expect(alert.textContent).toContain('8f3c-21a9');
  server.answer(listLamps, { data: lamps, recordsTotal: 3 });
  fireEvent.click(await within(alert).findByRole('button', { name: '重试' }));
  await screen.findByText('BJ-0001');
});
