import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exportConnections } from '../../../../../contract/desk/exports.ts';
import {
  getConnectionDrops,
  getConnectionFigures,
  getDeviceAvailability,
  listConnections,
  listDeviceConnections,
} from '../../../../../contract/wires/connections.ts';
import { getPreferences } from '../../../../../contract/people/me.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import type { Entry } from '../../../parts/connections/words.ts';
import { Connections as OfDevice } from '../../register/device/Connections.tsx';
import type { Told } from './Figures.tsx';
import { filtersOf, spanOf } from './filters.tsx';
import Connections from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;

const at = '2026-11-20T13:00:00.000Z';
const entry = (id: number, more: Partial<Entry> = {}): Entry => ({
  id,
  kind: 'offline',
  reason: 'silent',
  device: { id, family: 'wifi', code: `W-${id}`, name: null, workAreaName: '滨江', roadName: null },
  beganAt: at,
  endedAt: '2026-11-20T13:47:00.000Z',
  noticedAt: at,
  lastAt: at,
  times: 1,
  seconds: 2820,
  via: null,
  address: null,
  ...more,
});
const shares = { due: 600_000, online: 597_180, offline: 2820, unpowered: 0, unknown: 1200 };
const figures: Told = {
  at,
  now: { devices: 12, online: 9, offline: 2, behind: 1, unpowered: 1, unknown: 0 },
  span: shares,
  reasons: [
    { kind: 'refused', reason: 'wrongPassword', count: 264, devices: 22 },
    { kind: 'offline', reason: 'gatewayLost', count: 3, devices: 3 },
  ],
  gaps: [{ from: at, to: '2026-11-20T13:20:00.000Z' }],
};

beforeEach(async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(getConnectionFigures, figures);
  server.answer(getConnectionDrops, {
    from: '2026-11-20T04:00:00.000Z',
    to: '2026-11-21T00:00:00.000Z',
    stepSeconds: 3600,
    steps: [{ at: '2026-11-20T13:00:00.000Z', count: 31 }],
    peaks: [
      { at: '2026-11-20T13:04:00.000Z', count: 29 },
      { at: '2026-11-20T13:02:00.000Z', count: 2 },
    ],
  });
  server.answer(listConnections, {
    data: [
      entry(1),
      entry(2, { kind: 'link', reason: 'network', seconds: 20, times: 3 }),
      entry(3, {
        endedAt: null,
        seconds: null,
        reason: 'gatewayLost',
        via: { id: 9, family: 'gateway', code: 'GW-9', name: null },
      }),
    ],
    recordsTotal: 3,
  });
  server.answer(getDeviceAvailability, {
    from: at,
    to: '2026-11-21T13:00:00.000Z',
    span: shares,
    days: [
      { day: '2026-11-20', from: at, to: at, ...shares },
      { day: '2026-11-21', from: at, to: at, due: 0, online: 0, offline: 0, unpowered: 60, unknown: 0 },
    ],
    outages: [{ kind: 'offline', from: at, to: '2026-11-20T13:47:00.000Z', reason: 'silent' }],
  });
  server.answer(listDeviceConnections, { data: [entry(1, { reason: 'keepAlive' })], recordsTotal: 1 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('the page tells how devices are connected now, in the span, why not, and each line in words', async () => {
  await renderInShell(<Connections />, { address: '/x', codes: ['device.export'] });
  // The line above the list opens the rest.
  const line = await screen.findByRole('button', { name: /在线率 81.81%.*离线 2/ });
  expect(screen.queryByText('在线 9 / 应在线 11 台')).toBeNull();
  fireEvent.click(line);
  expect(await screen.findByText('在线 9 / 应在线 11 台')).toBeTruthy();
  expect(screen.getAllByText('81.81%')[0], 'never rounded up').toBeTruthy();
  expect(screen.getByText('99.53%')).toBeTruthy();
  expect(screen.getByText('其中 1 台因网关或集控离线')).toBeTruthy();
  expect(screen.getByText('264 次，22 台')).toBeTruthy();
  expect(await screen.findByText('W-1')).toBeTruthy();
  const lines = screen.getAllByRole('row').map((row) => row.textContent ?? '');
  expect(lines.find((line) => line.includes('W-1'))).toMatch(/离线.*未按时上报.*47分钟/);
  expect(lines.find((line) => line.includes('W-2'))).toMatch(/链路中断.*网络断开.*20秒.*3/);
  expect(lines.find((line) => line.includes('W-3'))).toMatch(/进行中.*GW-9/);
  // What is only behind a lost gateway is left out until somebody asks for it; without days the last week is.
  const [asked] = server.of(listConnections);
  expect([
    asked?.query.get('behind'),
    Date.parse(asked?.query.get('to') ?? '') - Date.parse(asked?.query.get('from') ?? ''),
  ]).toEqual(['false', 7 * 86_400_000]);
  await press('其中 1 台因网关或集控离线');
  await waitFor(() =>
    expect(
      server
        .of(listConnections)
        .some(
          ({ query }) =>
            query.get('reason') === 'gatewayLost' && query.get('open') === 'true' && query.get('kind') === 'offline',
        ),
    ).toBe(true),
  );
  await press('所属网关或集控离线');
  await waitFor(() =>
    expect(
      server
        .of(listConnections)
        .some(({ query }) => query.get('reason') === 'gatewayLost' && query.get('behind') === 'true'),
    ).toBe(true),
  );
});

test('a busy minute, from the menu of peaks, is the time of the list', async () => {
  await renderInShell(<Connections />, { address: '/x?days=2026-11-20_2026-11-20', codes: [] });
  await screen.findByText('W-1');
  const spans = () => server.of(listConnections).map(({ query }) => [query.get('from'), query.get('to')] as const);
  const peaks = await screen.findByRole('button', { name: /记录高峰/ });
  // The strip is the span that was counted, whatever was asked: 13:00 is 9 of its 20 hours in.
  const strip = screen.getByTitle('每段时间开始的记录；点击或拖动，只看那段时间');
  expect(strip.querySelector('i')?.style.left).toBe('45%');
  fireEvent.click(peaks);
  fireEvent.click(await screen.findByRole('menuitem', { name: /11-20 21:04 · 29 条/ }));
  await waitFor(() => expect(spans()).toContainEqual(['2026-11-20T13:04:00.000Z', '2026-11-20T13:05:00.000Z']));
});

test('what fails says so in its place, and nothing is exported without the right', async () => {
  server.refuse(getConnectionFigures, 500, { message: '坏了', requestId: 'r1' });
  server.refuse(listConnections, 500, { message: '坏了', requestId: 'r2' });
  await renderInShell(<Connections />, { address: '/x', codes: [] });
  expect(await screen.findByText('统计没有取到')).toBeTruthy();
  expect(await screen.findByText('连接日志没有取到')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /导出/ })).toBeNull();
});

test('what is filtered is exported as a task; of a device its lines', async () => {
  server.answer(exportConnections, {
    id: 4,
    kind: 'export.connections',
    state: 'queued',
    done: 0,
    total: 1,
    params: { workAreaId: null },
    error: null,
    file: null,
    createdAt: at,
    endedAt: null,
  });
  await renderInShell(<Connections />, {
    address: '/x?reason=network&days=2026-11-18_2026-11-18',
    codes: ['device.export'],
  });
  await screen.findByText('W-1');
  await press('导出');
  cleanup();
  await renderInShell(<OfDevice id={5} />, { address: '/x', codes: ['device.export'] });
  await screen.findByText('心跳超时');
  await press('导出');
  await waitFor(() =>
    expect(server.of(exportConnections).map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      { reason: 'network', from: '2026-11-17T16:00:00.000Z', to: '2026-11-18T16:00:00.000Z', behind: false },
      { deviceId: 5 },
    ]),
  );
});

test('a device tells its share, its days and its lines, of one kind when asked', async () => {
  await renderInShell(<OfDevice id={5} />, { address: '/x', codes: ['device.export'] });
  expect(await screen.findByText('99.53%')).toBeTruthy();
  expect(screen.getByRole('img', { name: /在线率 99.53%，离线 1 次/ })).toBeTruthy();
  expect(screen.getByText('2026-11-21：无需在线')).toBeTruthy();
  const line = (await screen.findByText('心跳超时')).closest('li');
  expect(line && within(line).getByText('47分钟')).toBeTruthy();
  fireEvent.click(screen.getByText('30 天'));
  await waitFor(() =>
    expect(
      server
        .of(getDeviceAvailability)
        .some(
          ({ query }) => Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '') === 30 * 86_400_000,
        ),
    ).toBe(true),
  );
});

test('days and moments are those of the shown zone; what an address means nothing by is left out', () => {
  expect(spanOf({ days: '2026-03-08_2026-03-08' }, '2026-11-20', 'America/New_York')).toEqual({
    from: '2026-03-08T05:00:00.000Z',
    to: '2026-03-09T04:00:00.000Z',
  });
  expect(spanOf({ days: '2026-11-18 18:00:00_2026-11-19 05:59:59' }, '2026-11-20', 'Asia/Shanghai')).toEqual({
    from: '2026-11-18T10:00:00.000Z',
    to: '2026-11-18T22:00:00.000Z',
  });
  expect(spanOf({ days: '2026-11-18_2026-11-19' }, '2026-11-20', 'Asia/Shanghai')).toEqual({
    from: '2026-11-17T16:00:00.000Z',
    to: '2026-11-19T16:00:00.000Z',
  });
  expect(spanOf({}, '2026-11-20', 'UTC')).toEqual({ from: '2026-11-14T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' });
  expect(
    filtersOf({ family: 'wifi,spaceship', kind: 'odd', reason: 'silent', going: 'x', workId: '1;2', deviceId: '7' }),
  ).toEqual({ family: 'wifi', reason: 'silent', behind: true, deviceId: 7 });
});
