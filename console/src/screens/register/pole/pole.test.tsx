import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { listAttachments } from '../../../../../contract/register/attachments.ts';
import { getDeviceTimeline, getPoleTimeline } from '../../../../../contract/register/device-history.ts';
import { getDevicePaths } from '../../../../../contract/register/topology.ts';
import { getDevice, listDevices } from '../../../../../contract/register/devices.ts';
import { getHistoryQuantities } from '../../../../../contract/history/history.ts';
import { createQueryClient } from '../../../api/index.ts';
import { buildMenu, type MenuEntry } from '../../../frame/menu/menu.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { commandItem } from '../../../testing/commands.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import type { Entry } from '../../../parts/devices/Timeline.tsx';
import DevicePage from '../device/index.tsx';
import PolePage from './index.tsx';

const at = '2026-11-20T13:00:00.000Z';
const common = {
  version: 1,
  createTime: at,
  updateTime: at,
  fault: null,
  since: at,
  latchedPosition: '120.200000, 30.200000',
  labels: { workId: '滨江新区', roadId: '滨江大道' },
  secrets: [],
  status: 'enabled',
};
const pole = {
  ...common,
  id: 5,
  family: 'lamp-pole',
  isOnline: null,
  state: null,
  latest: null,
  equipmentCode: 'P-5',
  equipmentName: '5 号杆',
};
const lamp = {
  ...common,
  id: 7,
  family: 'single-lamp-controller',
  isOnline: true,
  state: 'dimmed',
  equipmentCode: 'L-7',
  equipmentName: null,
  lamppostId: 5,
  labels: { ...common.labels, lamppostId: 'P-5' },
  latest: { at, receivedAt: at, values: { level: 60, power: 87.4, relay: true }, connected: null },
};
const camera = {
  ...common,
  id: 8,
  family: 'security-camera',
  isOnline: false,
  state: 'offline',
  equipmentCode: 'C-8',
  equipmentName: '球机',
  lamppostId: 5,
  latest: null,
};
const entry = (key: string, more: Partial<Entry>): Entry => ({
  key,
  at,
  device: { id: 7, family: 'single-lamp-controller', code: 'L-7', name: null, gone: false },
  episode: null,
  command: null,
  change: null,
  ...more,
});
const item = commandItem({
  deviceId: 7,
  code: 'L-7',
  state: 'confirmed',
  queuedAt: at,
  sentAt: at,
  acknowledgedAt: at,
  endedAt: at,
  proof: { at, level: 60, power: 87.4, relay: true },
});
const command = entry('2', {
  command: { id: 17, command: 'dim', args: { level: 60 }, reason: '路口施工', actorName: '周敏', item },
});
const change = entry('1', {
  change: {
    kind: 'updated',
    source: 'import',
    importId: 3,
    note: '灯杆.xlsx',
    actorName: '王强',
    left: false,
    fields: [
      { field: 'manufacturer', from: '甲厂', to: '乙厂', fromLabel: null, toLabel: null, masked: false },
      { field: 'password', from: null, to: null, fromLabel: null, toLabel: null, masked: true },
    ],
  },
});
const gone = entry('0', {
  device: { id: 9, family: 'wifi', code: 'W-9', name: null, gone: true },
  change: { kind: 'deleted', source: 'edit', importId: null, note: null, actorName: '王强', left: true, fields: [] },
});

const episode = (key: string, more: Partial<NonNullable<Entry['episode']>>): Entry => {
  const beganAt = more.beganAt ?? at;
  return entry(key, {
    at: beganAt,
    episode: {
      kind: 'offline',
      fault: null,
      reason: 'silent',
      via: null,
      address: null,
      beganAt,
      endedAt: null,
      seconds: null,
      times: 1,
      lastAt: beganAt,
      ...more,
    },
  });
};
const page = (id: number, name: string, url: string): MenuEntry => ({
  id,
  parentId: 0,
  type: 'non-menu',
  name,
  title: name,
  icon: null,
  url,
  component: name,
  permissionCode: null,
  orderby: id,
  language: null,
});
const entries = [
  page(1, 'pole', '/pole/:id'),
  page(2, 'device', '/device/:id'),
  page(3, 'lamp/device', '/lamp/device/:id'),
  page(4, 'asset/topology', '/who-feeds-whom'),
];
const menu = buildMenu(entries, { builtIn: new Set(), components: new Set(entries.map(({ name }) => name)) });
let server: ContractServer;
let address = '';
const find = { timeout: 8_000 };
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

function Address() {
  const { pathname } = useLocation();
  useEffect(() => {
    address = pathname;
  }, [pathname]);
  return null;
}
async function open(path: string) {
  const i18n = await startI18n('zh-CN');
  await namesFor('zh-CN');
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter initialEntries={[path]}>
            <MenuContext value={menu}>
              <TabStoreContext value={createTabStore()}>
                <TabKeyContext value="/x">
                  <Suspense fallback="…">
                    <Routes>
                      <Route path="/pole/:id" element={<PolePage />} />
                      <Route path="/device/:id" element={<DevicePage />} />
                      <Route path="*" element={null} />
                    </Routes>
                  </Suspense>
                  <Address />
                </TabKeyContext>
              </TabStoreContext>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
}

beforeEach(async () => {
  server = await contractServer();
  server.answer(getDevice, ({ path }) => (path.endsWith('/5') ? pole : path.endsWith('/7') ? lamp : camera));
  server.answer(listDevices, { data: [camera, lamp], recordsTotal: 2 });
  server.answer(getPoleTimeline, ({ query }) =>
    query.has('before') ? { data: [gone], more: false } : { data: [command, change], more: true },
  );
  server.answer(listAttachments, { data: [], recordsTotal: 0 });
  server.answer(getDevicePaths, {
    power: {
      above: [
        { key: 'device:1', kind: 'device', id: 1, family: 'transformer', code: 'TR-1', name: null },
        { key: 'loop:4', kind: 'loop', id: 4, family: null, code: 'L1', name: '一路' },
      ],
      below: 3,
    },
    communication: null,
    mounting: null,
  });
  server.answer(getDeviceTimeline, { data: [], more: false });
  server.answer(getHistoryQuantities, { data: [], since: { raw: null, hour: null, day: null } });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('a pole shows what is on it, the lamp first, each with state, readings and a way to its page', async () => {
  await open('/pole/5');
  expect(await screen.findByRole('heading', { level: 1, name: 'P-5' }, find)).toBeTruthy();
  await screen.findByRole('link', { name: 'C-8' }, find);
  const [first, second] = screen.getByText('杆上设备').closest('section')!.querySelectorAll('li');
  expect(within(first!).getByText('调光 60%')).toBeTruthy();
  expect(within(first!).getByText('87.4')).toBeTruthy();
  expect(within(second!).getByText('离线')).toBeTruthy();
  expect(within(second!).getByText('还没有收到过读数')).toBeTruthy();
  expect(server.of(listDevices)[0]?.query.get('poleId')).toBe('5');
  fireEvent.click(within(first!).getByRole('link', { name: 'L-7' }));
  await waitFor(() => expect(address).toBe('/device/7'));
});

test('its line of time tells commands with what became of them, changes with who and why, and goes on where the page ends', async () => {
  await open('/pole/5');
  expect(await screen.findByText('周敏：路口施工', undefined, find)).toBeTruthy();
  expect(screen.getByText('王强，导入 灯杆.xlsx')).toBeTruthy();
  expect(screen.getByText('甲厂')).toBeTruthy();
  expect(screen.getByText('已更换（内容不显示）')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '更早的经过' }));
  const deleted = await screen.findByText('删除', undefined, find);
  expect(deleted.closest('li')!.textContent).toContain('W-9');
  // What is gone has no page.
  expect(within(deleted.closest('li')!).queryByRole('link')).toBeNull();
  expect(server.of(getPoleTimeline).map(({ query }) => query.get('before'))).toContain('1');
  expect(screen.queryByRole('button', { name: '更早的经过' })).toBeNull();
});

test('older pages are asked again too: what they hold may still end', async () => {
  // The page's clock stands still: what it asks every so often it asks when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await open('/pole/5');
  const more = await screen.findByRole('button', { name: '更早的经过' }, find);
  await act(async () => void fireEvent.click(more));
  await screen.findByText('删除', undefined, find);
  const older = () => server.of(getPoleTimeline).filter(({ query }) => query.get('before') === '1').length;
  expect(older()).toBe(1);
  act(() => void vi.advanceTimersByTime(30_000));
  await fetch('/api/v1/nothing');
  expect(older()).toBe(2);
});

test('what lasts stands with its end and how long, what is over says so, what goes on says since when', async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  // Years are written when they differ from this one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  server.answer(getPoleTimeline, {
    more: false,
    data: [
      episode('9', {
        beganAt: '2026-11-22T20:10:00.000Z',
        reason: 'gatewayLost',
        via: { id: 4, family: 'gateway', code: 'GW-4', name: null },
      }),
      episode('8', { beganAt: '2026-11-21T20:10:00.000Z', endedAt: '2026-11-21T21:01:00.000Z', seconds: 3060 }),
      episode('7', {
        kind: 'fault',
        fault: 'L101',
        reason: null,
        beganAt: '2026-11-20T15:50:00.000Z',
        endedAt: '2026-11-20T16:20:00.000Z',
        seconds: 1800,
      }),
      episode('6', {
        kind: 'link',
        reason: 'network',
        beganAt: '2026-11-19T10:00:00.000Z',
        endedAt: '2026-11-19T10:30:00.000Z',
        seconds: 65,
        times: 3,
      }),
      episode('5', { kind: 'fault', fault: 'L105', reason: null, beganAt: '2026-11-18T10:00:00.000Z' }),
      episode('3', {
        kind: 'fault',
        fault: 'L105',
        reason: null,
        beganAt: '2025-12-31T15:50:00.000Z',
        endedAt: '2025-12-31T16:20:00.000Z',
        seconds: 1800,
      }),
      episode('4', {
        kind: 'refused',
        reason: 'wrongPassword',
        address: '10.0.0.7',
        beganAt: '2026-11-17T10:00:00.000Z',
        endedAt: '2026-11-17T10:00:00.000Z',
        seconds: 0,
      }),
    ],
  });
  await open('/pole/5');
  await screen.findByText('网络断开', undefined, find);
  const lines = [...screen.getByText('网络断开').closest('ol')!.querySelectorAll('li')].map((line) => line.textContent);
  expect(lines).toEqual([
    expect.stringMatching(/^11-23 04:10.*离线所属网关或集控离线 · GW-4.*04:10 起，至今 /) as string,
    expect.stringMatching(/^11-22 04:10.*离线 已结束未按时上报11-22 04:10 – 05:0151分钟$/) as string,
    expect.stringMatching(/^11-20 23:50.* L101 已结束11-20 23:50 – 11-21 00:2030分钟$/) as string,
    expect.stringMatching(/^11-19 18:00.*链路中断 已结束网络断开11-19 18:00 – 18:301分钟 5秒3 次$/) as string,
    expect.stringMatching(/^11-18 18:00.* L10511-18 18:00 起，至今 /) as string,
    expect.stringMatching(/^2025-12-31 23:50.* L105 已结束2025-12-31 23:50 – 2026-01-01 00:2030分钟$/) as string,
    expect.stringMatching(/^11-17 18:00.*拒绝接入密码错误 · 10\.0\.0\.7$/) as string,
  ]);
  expect(screen.getByText(/^04:10 起，至今 /, { selector: 'time' })).toHaveProperty(
    'dateTime',
    '2026-11-22T20:10:00.000Z',
  );
});

test('what is empty says why, what fails says its request id, what is no pole leads to its page', async () => {
  server.answer(listDevices, { data: [], recordsTotal: 0 });
  server.refuse(getPoleTimeline, 500, { message: '出错了', requestId: 'r-7' });
  await open('/pole/5');
  expect(await screen.findByText('杆上还没有设备', undefined, find)).toBeTruthy();
  expect((await screen.findByRole('alert', undefined, find)).textContent).toContain('r-7');
  cleanup();
  await open('/pole/8');
  fireEvent.click(await screen.findByRole('button', { name: '打开设备页' }, find));
  await waitFor(() => expect(address).toBe('/device/8'));
  cleanup();
  server.refuse(getDevice, 404, { message: '没有' });
  await open('/pole/6');
  expect(await screen.findByText('没有这根灯杆', undefined, find)).toBeTruthy();
});

test('a device has its values, empty curves in words, its commands, events and changes, and leads to its pole', async () => {
  await open('/device/7');
  expect(await screen.findByRole('heading', { level: 1, name: 'L-7' }, find)).toBeTruthy();
  expect(within(screen.getByText('最新读数').closest('section')!).getByText('87.4')).toBeTruthy();
  expect(await screen.findByText('这段时间没有读数', undefined, find)).toBeTruthy();
  expect(await screen.findByText('还没有对它下过命令', undefined, find)).toBeTruthy();
  expect(await screen.findByText('登记以来资料没有改过', undefined, find)).toBeTruthy();
  expect(
    server
      .of(getDeviceTimeline)
      .map(({ query }) => query.get('kinds'))
      .toSorted(),
  ).toEqual(['change', 'command', 'episode']);
  fireEvent.click(screen.getByRole('link', { name: 'P-5' }));
  await waitFor(() => expect(address).toBe('/pole/5'));
  const fed = await screen.findByText('TR-1');
  expect([fed.closest('a')?.getAttribute('href'), screen.getByText('L1').closest('a')]).toEqual(['/device/1', null]);
  expect(screen.getByText('下挂 3 个')).toBeTruthy();
});

test('a device whose clock is wrong says by how much, since when, and what becomes of its readings', async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  // Years are written when they differ from this one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  server.answer(getDevice, {
    ...lamp,
    clock: {
      aheadSeconds: 259_200,
      wrongSince: '2026-11-19T01:00:00.000Z',
      waiting: 12,
      waitingSince: '2026-11-20T13:00:00.000Z',
    },
  });
  await open('/device/7');
  const note = await screen.findByRole('note', undefined, find);
  expect(note.textContent).toBe(
    '这台设备的时钟快了 3天，读数时间已按此校正。请给它对时。自 11-19 09:00 起不准。这台设备的时钟暂时无法判断：11-20 21:00 起有 12 条消息在等待，时间确认后写入历史。',
  );
});

test('its links lead where the menu has the page, also in a window of their own', async () => {
  await open('/device/7');
  const link = await screen.findByRole('link', { name: '在树中查看' });
  expect(link.getAttribute('href')).toBe('/who-feeds-whom?at=device%3A7');
  // What the page leaves to the browser; jsdom can open nothing, so that it stops here.
  const taken: boolean[] = [];
  const browser = (event: Event): void => {
    taken.push(event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener('click', browser);
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey']) fireEvent.click(link, { [key]: true });
  expect([taken, address]).toEqual([[false, false, false], '/device/7']);
  fireEvent.click(link);
  document.removeEventListener('click', browser);
  expect(taken.at(-1)).toBe(true);
  await waitFor(() => expect(address).toBe('/who-feeds-whom'));
});
