import axe from 'axe-core';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getDemo } from '../../../../../contract/shell/demo.ts';
import { exportHistory, getHistoryQuantities, getHistorySeries } from '../../../../../contract/history/history.ts';
import { getPreferences } from '../../../../../contract/people/me.ts';
import { search } from '../../../../../contract/register/search.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { contractServer, type ContractServer, type SeenRequest } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import HistoryCurves from './index.tsx';

type Reply = ReplyOf<typeof getHistorySeries>;
const hour = 3_600_000;
const quantity = (key: string, unit: string, reported = true) => ({
  key,
  kind: 'measured' as const,
  unit,
  decimals: 1,
  options: null,
  reported,
});
const about = (ids: readonly number[]) => ({
  data: ids.map((id) => ({
    id,
    family: 'single-lamp-controller',
    code: `BJ-${id}`,
    name: null,
    timeZone: 'Asia/Shanghai',
    quantities: [quantity('voltage', 'V'), quantity('power', 'W'), quantity('snr', 'dB', false)],
  })),
  since: { raw: null, hour: null, day: null },
});
/** Hours of a lamp that was silent from the third to the sixth. */
function told({ query }: SeenRequest): Reply {
  const [from, to] = [Date.parse(query.get('from')!), Date.parse(query.get('to')!)];
  const first = Math.ceil(from / hour) * hour;
  const points = [0, 1, 2, 6, 7].map((index): Reply['series'][number]['points'][number] => [
    first + index * hour,
    100 + index,
    90,
    110,
    4,
    index === 7 ? 1 : 0,
  ]);
  return {
    resolution: 'hour',
    seconds: 3600,
    possible: ['raw'],
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    truncated: false,
    series: query
      .get('deviceIds')!
      .split(',')
      .map(Number)
      .flatMap((deviceId) =>
        query
          .get('quantities')!
          .split(',')
          .map((key) => ({
            deviceId,
            quantity: key,
            kind: 'measured' as const,
            unit: key === 'power' ? 'W' : 'V',
            options: null,
            points,
            gaps: [[first + 2 * hour, first + 6 * hour]] as [number, number][],
            quality: { measured: 16, estimated: 4, stale: 0, invalid: 0 },
          })),
      ),
  };
}
let server: ContractServer;
let address: () => string;
const own = 'from=2026-11-19T16:00:00.000Z&to=2026-11-20T00:00:00.000Z';
const open = async (path: string, codes: readonly string[] = ['device.export'], live = false) => {
  ({ address } = await renderInShell(<HistoryCurves />, { address: path, codes, ...(live ? { live: server } : {}) }));
};
const asked = () => server.of(getHistorySeries).map(({ query }) => query);
const chart = () => screen.findByRole('application');
async function key(name: string): Promise<void> {
  const curves = await chart();
  await act(async () => void fireEvent.keyDown(curves, { key: name }));
}
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  server = await contractServer();
  server.answer(getPreferences, { preferences: {}, warnings: [] });
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
  server.answer(getHistoryQuantities, ({ query }) => about(query.get('deviceIds')!.split(',').map(Number)));
  server.answer(getHistorySeries, told);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('without devices it says how to begin, and asks nothing', async () => {
  await open('/x');
  expect(await screen.findByText('还没有选择设备')).toBeTruthy();
  expect(asked()).toEqual([]);
});

test('devices alone show what they usually report; what is shown is said in words, with its gaps; axe finds nothing', async () => {
  await open(`/x?devices=7&${own}`);
  expect((await chart()).getAttribute('aria-label')).toBe(
    '有功功率、电压，2026-11-20 00:00:00 至 2026-11-20 08:00:00，共 2 条曲线，缺数 2 段',
  );
  expect(asked().map((query) => [query.get('quantities'), query.get('from'), query.get('resolution')])).toEqual([
    ['power,voltage', '2026-11-19T16:00:00.000Z', null],
  ]);
  const row = within(screen.getByRole('table', { name: '曲线说明' })).getAllByRole('row')[1]!;
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['90.0 W', '103.2 W', '110.0 W', '107.0 W', '1 段 · 3小时', '实测 80.0%估算 20.0%']);
  const { violations } = await axe.run(document.body, {
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'landmark-one-main': { enabled: false },
    },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('keys go along the readings over the gap, and tell each exactly', async () => {
  await open(`/x?devices=7&quantities=power&${own}`);
  await chart();
  await key('Home');
  expect((await screen.findByRole('status')).textContent).toBe('2026-11-20 00:00–01:00有功功率100.0 W90.0 – 110.0');
  for (let index = 0; index < 3; index += 1) await key('ArrowRight');
  expect(screen.getByRole('status').textContent).toContain('06:00–07:00有功功率106.0 W');
  await key('End');
  expect(screen.getByRole('status').textContent).toContain('107.0 W90.0 – 110.0估算');
  await key('Escape');
  expect(screen.queryByRole('status')).toBeNull();
});

test('zooming by keys and buttons asks for the new span, and goes back step by step', async () => {
  await open(`/x?devices=7&quantities=power&${own}`);
  await chart();
  await press('放大');
  await waitFor(() =>
    expect(address()).toBe(
      '/x?devices=7&quantities=power&from=2026-11-19T18%3A00%3A00.000Z&to=2026-11-19T22%3A00%3A00.000Z',
    ),
  );
  await key('PageDown');
  await waitFor(() => expect(address()).toContain('from=2026-11-19T20%3A00%3A00.000Z'));
  await key('Backspace');
  await waitFor(() => expect(address()).toContain('from=2026-11-19T18%3A00%3A00.000Z'));
  await press('返回上一时段');
  await waitFor(() => expect(address()).toContain('from=2026-11-19T16%3A00%3A00.000Z'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '返回上一时段' }).disabled).toBe(true);
});

test('the table has the same values, and the gap as a line', async () => {
  await open(`/x?devices=7&quantities=power&${own}&view=table`);
  const rows = within(await screen.findByRole('table', { name: '读数表' }))
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows[6]).toBe('2026-11-20 00:00–01:00100.090.0 – 110.0');
  expect(rows[3]).toBe('2026-11-20 03:00:00 至 2026-11-20 06:00:00 无读数（3小时）');
  expect(rows).toHaveLength(7);
});

test('another period is laid over with its own dates', async () => {
  await open(`/x?devices=7&quantities=power&${own}`);
  await chart();
  await chooseOption(screen.getByLabelText('对比'), '上周同期');
  await waitFor(() => expect(address()).toContain('compare=week'));
  expect(await screen.findByRole('rowheader', { name: '有功功率 · 自 2026-11-13' })).toBeTruthy();
  expect(asked().at(-1)?.get('from')).toBe('2026-11-12T16:00:00.000Z');
  // As fine as what it is compared with.
  expect(asked().at(-1)?.get('resolution')).toBe('hour');
  await key('Home');
  expect((await screen.findByRole('status')).textContent).toContain('2026-11-13 00:00–01:00');
});

test('a hidden curve leaves the picture, the last one says so', async () => {
  await open(`/x?devices=7,8&quantities=power&${own}`);
  await chart();
  fireEvent.click(screen.getByRole('checkbox', { name: '显示 BJ-7' }));
  await key('Home');
  expect((await screen.findByRole('status')).textContent).not.toContain('BJ-7');
  fireEvent.click(screen.getByRole('checkbox', { name: '显示 BJ-8' }));
  expect(await screen.findByText('所有曲线都已隐藏')).toBeTruthy();
  await press('全部显示');
  expect(await chart()).toBeTruthy();
});

test('devices are found by what is typed; quantities are chosen; both stand in the address', async () => {
  server.answer(search, {
    groups: [
      { kind: 'device', items: [{ id: 9, family: 'gateway', code: 'GW-9', name: '网关', place: '滨江路' }] },
      { kind: 'pole', items: [{ id: 1, family: 'lamp-pole', code: 'P-1', name: null, place: null }] },
    ],
  });
  await open(`/x?devices=7&${own}`);
  await chart();
  fireEvent.change(screen.getByLabelText('设备'), { target: { value: 'GW' } });
  await chooseOption(screen.getByLabelText('设备'), 'GW-9 网关');
  await waitFor(() => expect(address()).toContain('devices=7%2C9'));
  await chooseOption(screen.getByLabelText('数据项'), '信噪比');
  await waitFor(() => expect(address()).toContain('quantities=power%2Cvoltage%2Csnr'));
});

test('what is shown is exported as a task', async () => {
  server.on(exportHistory, () => ({
    status: 201,
    body: {
      id: 5,
      kind: 'export.history',
      state: 'queued',
      done: 0,
      total: null,
      params: {},
      error: null,
      file: null,
      createdAt: '2026-11-20T00:00:00Z',
      endedAt: null,
    },
  }));
  await open(`/x?devices=7&quantities=power&${own}`);
  await chart();
  await press('导出');
  fireEvent.click(await screen.findByText('导出为 CSV'));
  await waitFor(() =>
    expect(bodyOf(server, exportHistory)).toEqual({
      deviceIds: [7],
      quantities: ['power'],
      from: '2026-11-19T16:00:00.000Z',
      to: '2026-11-20T00:00:00.000Z',
      resolution: 'hour',
      format: 'csv',
    }),
  );
});

test('nothing reported, nothing to report, refused and failed are each said', async () => {
  server.answer(getHistorySeries, (request) => ({
    ...told(request),
    series: told(request).series.map((one) => ({ ...one, points: [], gaps: [] })),
  }));
  await open(`/x?devices=7&${own}`);
  expect(await screen.findByText('这段时间没有读数')).toBeTruthy();
  await press('看近 30 天');
  await waitFor(() => expect(address()).toBe('/x?devices=7&span=30d'));
  cleanup();
  server.answer(getHistoryQuantities, { ...about([]), data: [{ ...about([7]).data[0]!, quantities: [] }] });
  await open('/x?devices=7');
  expect(await screen.findByText('这些设备不上报数据')).toBeTruthy();
  cleanup();
  server.answer(getHistoryQuantities, about([7]));
  server.refuse(getHistorySeries, 500, { message: '坏了', requestId: 'r-1' });
  await open('/x?devices=7');
  expect((await screen.findByRole('alert')).textContent).toContain('r-1');
  server.answer(getHistorySeries, told);
  await press('重试');
  expect(await chart()).toBeTruthy();
});

test.each([
  ['a span of one’s own', own],
  ['a span that goes with the time', 'span=7d'],
])('what was shown stays when it cannot be asked for again, and says of when it is: %s', async (_, span) => {
  await open(`/x?devices=7&quantities=power&${span}`);
  await chart();
  const before = asked().length;
  server.refuse(getHistorySeries, 500, { message: '坏了', requestId: 'r-1' });
  await waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(asked()[0]?.get('to') ?? '')));
  await press('刷新');
  expect(await screen.findByTitle('之后没有新数据，恢复后自动补齐')).toBeTruthy();
  expect(await chart()).toBeTruthy();
  expect(screen.queryByTitle('新读数自动出现'), 'nothing comes by itself now').toBeNull();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.on(getHistorySeries, async (request) => {
    await answered;
    return { status: 200, body: told(request) };
  });
  await press('刷新');
  await waitFor(() => expect(asked().length).toBeGreaterThan(before + 1));
  expect(
    screen.getByTitle('之后没有新数据，恢复后自动补齐'),
    'while it is asked for again it is as old as before',
  ).toBeTruthy();
  expect(screen.queryByTitle('新读数自动出现')).toBeNull();
  answer();
  await waitFor(() => expect(screen.queryByTitle('之后没有新数据，恢复后自动补齐')).toBeNull());
});

test('what goes with the time is asked for anew once', async () => {
  await open('/x?devices=7&quantities=power');
  await chart();
  const before = asked().length;
  const earlier = Date.parse(asked().at(-1)?.get('to') ?? '');
  await waitFor(() => expect(Date.now()).toBeGreaterThan(earlier));
  await press('刷新');
  await waitFor(() => expect(Date.parse(asked().at(-1)?.get('to') ?? '')).toBeGreaterThan(earlier));
  expect(asked().length).toBe(before + 1);
});

test('new readings appear at the end without asking for everything again', async () => {
  await open('/x?devices=7&quantities=power', [], true);
  await chart();
  const before = asked().length;
  server.tell({ type: 'device', id: 7 });
  await waitFor(() => expect(asked().length).toBe(before + 1));
  const [base, tail] = [asked().at(-2), asked().at(-1)];
  expect(Date.parse(tail?.get('from') ?? '') - Date.parse(base?.get('from') ?? '')).toBeGreaterThan(20 * hour);
  expect(tail?.get('resolution')).toBe('hour');
});
