import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getPreferences } from '../../../../../contract/people/me.ts';
import {
  getAssetStatistics,
  listControllerStatistics,
  listExpiries,
} from '../../../../../contract/register/statistics.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { filtersOf } from './filters.tsx';
import AssetStatistics from './index.tsx';

const group = (key: string | null, count: number, label: string | null = null) => ({ key, label, count });
const figure = (...groups: ReturnType<typeof group>[]) => ({ groups, omitted: { groups: 0, count: 0 } });
const told = {
  at: '2026-11-21T03:00:00.000Z',
  total: 8,
  enabled: 7,
  families: figure(group('single-lamp-controller', 5), group('lamp-pole', 3)),
  workAreas: figure(group('1', 8, '滨江')),
  roads: { groups: [group('2', 4, '滨江大道'), group(null, 1)], omitted: { groups: 2, count: 3 } },
  ages: figure(group('future', 1), group('0', 2), group('3', 1), group('10', 4)),
  vendors: figure(group('萤火', 6), group(null, 2)),
  states: figure(group('on', 5), group('online', 1), group(null, 2)),
};
const nothing = {
  ...told,
  total: 0,
  enabled: 0,
  families: figure(),
  workAreas: figure(),
  roads: figure(),
  ages: figure(),
  vendors: figure(),
  states: figure(),
};
const controller = {
  id: 9,
  family: 'central-controller',
  code: 'RTU-1',
  name: '一号',
  workAreaName: '滨江',
  roadName: null,
  state: 'online',
  lamps: 31,
  loops: 5,
  closedLoops: 2,
  knownSeconds: 2_592_000,
  onlineSeconds: 1_296_000,
};
const ending = {
  id: 12,
  family: 'gateway',
  code: 'GW-1',
  name: '网关',
  workAreaName: '滨江',
  roadName: null,
  manufacturer: null,
  model: null,
  simNum: '0086',
  day: '2026-12-01',
  days: 10,
};
let server: ContractServer;
let address: () => string;
async function open(path: string) {
  ({ address } = await renderInShell(<AssetStatistics />, { address: path, codes: ['device.export'] }));
}
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, { preferences: {}, warnings: [] });
  server.answer(getAssetStatistics, told);
  server.answer(listExpiries, ({ query }) => ({
    data: query.get('within') === 'past' ? [] : [ending],
    recordsTotal: query.get('within') === 'past' ? 0 : 1,
    counts: { past: 0, 30: 1, 60: 1, 90: 1, 180: 3 },
  }));
  server.answer(listControllerStatistics, { data: [controller], recordsTotal: 1 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

const rowsOf = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('every figure has its table: names in words, shares of all, what is left over summed up', async () => {
  await open('/x');
  expect(await rowsOf('设备类型统计表')).toEqual(['单灯控制器562.5 %', '灯杆337.5 %']);
  expect(await rowsOf('道路统计表')).toEqual(['滨江大道450.0 %', '未填写112.5 %', '其他 2 项337.5 %']);
  expect(await rowsOf('使用年限统计表')).toEqual([
    '尚未安装112.5 %',
    '不足 1 年225.0 %',
    '3–5 年112.5 %',
    '10 年以上450.0 %',
  ]);
  // What is no lamp is online, never lit.
  expect(await rowsOf('状态统计表')).toEqual(['亮灯562.5 %', '在线112.5 %', '不上报状态225.0 %']);
  expect(screen.getByRole('img', { name: '状态: 亮灯 5 · 在线 1 · 不上报状态 2' })).toBeTruthy();
  const row = within((await screen.findByText('RTU-1')).closest('tr') as HTMLElement);
  expect(row.getByText('360.0 / 720.0 小时 · 50.00 %')).toBeTruthy();
  expect(row.getByText('2 / 5')).toBeTruthy();
});

test('a table is put in order by its heads, what was left out last', async () => {
  await open('/x');
  const table = within(await screen.findByRole('table', { name: '道路统计表' }));
  fireEvent.click(table.getByRole('button', { name: '数量' }));
  fireEvent.click(table.getByRole('button', { name: '数量' }));
  expect(await rowsOf('道路统计表')).toEqual(['未填写112.5 %', '滨江大道450.0 %', '其他 2 项337.5 %']);
  expect(table.getByRole('columnheader', { name: '数量' }).getAttribute('aria-sort')).toBe('ascending');
});

test('filters stand in the address, and a road narrows the page to itself', async () => {
  await open('/x?status=enabled');
  await press('滨江大道');
  await waitFor(() => expect(address()).toBe('/x?status=enabled&roadId=2'));
  await waitFor(() =>
    expect(server.of(getAssetStatistics).map(({ query }) => [query.get('status'), query.get('roadId')])).toEqual([
      ['enabled', null],
      ['enabled', '2'],
    ]),
  );
});

test('an address that means nothing asks for nothing', () => {
  expect(filtersOf({ family: 'spaceship,lamp-pole', workId: '1,x', roadId: '3,4', status: 'lost' })).toEqual({
    family: 'lamp-pole',
    roadId: '3,4',
  });
});

test('nothing registered is said', async () => {
  server.answer(getAssetStatistics, nothing);
  await open('/x');
  expect(await screen.findByText('还没有登记设备')).toBeTruthy();
});

test('nothing that matches offers to clear the conditions', async () => {
  server.answer(getAssetStatistics, ({ query }) => (query.get('status') === null ? told : nothing));
  await open('/x?status=disabled');
  await press('清除条件');
  await waitFor(() => expect(address()).toBe('/x'));
});

test('what ends soon: by warranty or card, within so many days, in the address', async () => {
  await open('/x?status=enabled');
  const row = within((await screen.findByText('GW-1')).closest('tr') as HTMLElement);
  expect(row.getByText('还有 10 天')).toBeTruthy();
  expect(screen.getByRole('radio', { name: '180 天内 3' })).toBeTruthy();
  await act(async () => {
    fireEvent.click(screen.getByRole('radio', { name: 'SIM 卡到期' }));
  });
  expect(await screen.findByText('0086')).toBeTruthy();
  // What was told before stays until the answer: a choice made sooner leaves this one unasked.
  await waitFor(() => expect(server.of(listExpiries).length).toBe(2));
  await act(async () => {
    fireEvent.click(screen.getByRole('radio', { name: '已到期 0' }));
  });
  expect(await screen.findByText('没有已到期的设备')).toBeTruthy();
  expect(address()).toBe('/x?status=enabled&ends=simExpiry&within=past');
  expect(
    server.of(listExpiries).map(({ query }) => [query.get('field'), query.get('within'), query.get('status')]),
  ).toEqual([
    ['warrantyUntil', '90', 'enabled'],
    ['simExpiry', '90', 'enabled'],
    ['simExpiry', 'past', 'enabled'],
  ]);
});
