import { cleanup, configure, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getDemo } from '../../../../../contract/shell/demo.ts';
import { getEnergy, getHistoryQuantities, getHistorySeries } from '../../../../../contract/history/history.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { Curves } from './Curves.tsx';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { Energy } from './Energy.tsx';
import { energyAsked, energySteps, type EnergyRow } from './energy.ts';

const device: Device = {
  id: 7,
  family: 'single-lamp-controller',
  version: 1,
  createTime: '2026-01-01T00:00:00Z',
  updateTime: null,
  isOnline: true,
  state: 'on',
  fault: null,
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: null,
  equipmentCode: 'BJ-7',
};
const sums = (measured: number, estimated = 0) => ({
  kwh: measured + estimated,
  measured,
  estimated,
  calculated: 0,
  invalidSeconds: 0,
  resets: 0,
});
const row = (step: string, measured: number, estimated = 0): EnergyRow => ({
  step,
  deviceId: null,
  devices: 1,
  ...sums(measured, estimated),
});
let server: ContractServer;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  server = await contractServer();
  server.answer(getDemo, {
    active: false,
    demoEvening: false,
    since: null,
    workAreaId: null,
    sunOffsetMinutes: 0,
    places: null,
    lamps: 0,
    history: { day: 0, week: 0 },
    stories: [],
  });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('what is asked for', () => {
  const now = Date.parse('2026-03-01T01:00:00+08:00');
  test.each([
    ['month', '2026-03-01', '2026-03-31', 'day'],
    ['lastMonth', '2026-02-01', '2026-02-28', 'day'],
    ['year', '2026-01-01', '2026-12-31', 'month'],
  ] as const)('%s', (span, from, to, by) => expect(energyAsked(span, now, 'Asia/Shanghai')).toEqual({ from, to, by }));
  test('steps of which nothing is known stay, as unknown', () => {
    expect(
      energySteps({ from: '2026-02-27', to: '2026-03-01', by: 'day' }, [row('2026-02-28', 1)]).map(
        ({ step, row: one }) => [step, one?.kwh ?? null],
      ),
    ).toEqual([
      ['2026-02-27', null],
      ['2026-02-28', 1],
      ['2026-03-01', null],
    ]);
    expect(energySteps({ from: '2026-01-01', to: '2026-12-31', by: 'month' }, [])).toHaveLength(12);
  });
});

test('energy is told with what of it was measured, and every figure in a table', async () => {
  server.answer(getEnergy, ({ query }): ReplyOf<typeof getEnergy> => {
    const from = query.get('from')!;
    return {
      definition: 'e1',
      by: 'day',
      from,
      to: query.get('to')!,
      countedTo: null,
      rows: [row(from, 3, 1)],
      total: { ...sums(3, 1), invalidSeconds: 3600, resets: 1 },
      devices: { count: 1, silent: 0, data: [] },
    };
  });
  await renderInShell(<Energy device={device} />);
  expect(await screen.findByText('合计 4.000 kWh')).toBeTruthy();
  expect(screen.getByText('其中实测 75.0%，估算 25.0%，推算 0.0%')).toBeTruthy();
  expect(screen.getByText('另有 1小时 因电表读数不合理未计入')).toBeTruthy();
  expect(screen.getByText('电表清零 1 次')).toBeTruthy();
  await press('查看数字');
  const rows = within(screen.getByRole('table', { name: '用电量表' }))
    .getAllByRole('row')
    .map((one) => [...one.children].map((cell) => cell.textContent));
  expect(rows[1]?.slice(1)).toEqual(['4.000', '3.000', '1.000', '0.000']);
  expect(rows[2]?.slice(1)).toEqual(['—', '—', '—', '—']);
});

test('nothing known is said', async () => {
  server.answer(getEnergy, ({ query }): ReplyOf<typeof getEnergy> => ({
    definition: 'e1',
    by: 'day',
    from: query.get('from')!,
    to: query.get('to')!,
    countedTo: null,
    rows: [],
    total: sums(0),
    devices: { count: 1, silent: 1, data: [] },
  }));
  await renderInShell(<Energy device={device} />);
  expect(await screen.findByText('这段时间没有用电数据')).toBeTruthy();
});

test('a device shows the curves it reports, four first, with a way to all of them and to the full page', async () => {
  const keys = ['voltage', 'current', 'power', 'level', 'temperature', 'rssi'];
  server.answer(getHistoryQuantities, {
    data: [
      {
        id: 7,
        family: device.family,
        code: 'BJ-7',
        name: null,
        timeZone: 'Asia/Shanghai',
        quantities: keys.map((key) => ({
          key,
          kind: 'measured' as const,
          unit: 'V',
          decimals: 1,
          options: null,
          reported: key !== 'rssi',
        })),
      },
    ],
    since: { raw: null, hour: null, day: null },
  });
  server.answer(getHistorySeries, ({ query }): ReplyOf<typeof getHistorySeries> => {
    const from = Date.parse(query.get('from')!);
    return {
      resolution: 'raw',
      seconds: 0,
      possible: [],
      from: query.get('from')!,
      to: query.get('to')!,
      truncated: false,
      series: query
        .get('quantities')!
        .split(',')
        .map((quantity) => ({
          deviceId: 7,
          quantity,
          kind: 'measured' as const,
          unit: 'V',
          options: null,
          points: [[from + 60_000, 1, null, null, 1, 0]] as [number, number, null, null, number, number][],
          gaps: [],
          quality: { measured: 1, estimated: 0, stale: 0, invalid: 0 },
        })),
    };
  });
  await renderInShell(<Curves device={device} />, { pages: ['lamp/history'] });
  const chart = await screen.findByRole('application');
  expect(
    within(chart)
      .getAllByRole('heading')
      .map((one) => one.textContent),
  ).toEqual(['有功功率', '电压', '实际亮度', '温度']);
  expect(screen.getByRole('link', { name: '打开历史曲线' }).getAttribute('href')).toBe(
    '/lamp/history?devices=7&quantities=power%2Cvoltage%2Clevel%2Ctemperature&span=24h',
  );
  await press('全部 5 项');
  expect(await screen.findByRole('heading', { name: '电流' })).toBeTruthy();
});
