import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import { exportSimulation } from '../../../../../contract/desk/exports.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import { getScheme, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { getSimulation, listFindingLamps, simulatePlans } from '../../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import { cellsOfDay, inks, paintHeat } from './heat.ts';
import SchemePage from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-25T12:00:00.000Z';
const scheme: ReplyOf<typeof getScheme> = {
  id: 5,
  code: 'JN-01',
  name: '主干路',
  workAreaId: null,
  workAreaName: null,
  state: 'frozen',
  version: 3,
  draft: { by: 'admin', at, basedOn: 2 },
  newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
  lamps: { following: 120, unreported: 3, diverged: 1, byVersion: [] },
  editable: true,
  deletable: false,
  createdAt: at,
  updatedAt: at,
  mode: 'energySaving',
  content: exampleScheme(),
  findings: [],
};
const version = { number: 2, hash: '0123456789ab', note: null, basedOn: 1, by: 'admin', at };
const days = 31;
/** Full light from 18:00 to 06:00; on side B less from 23:00 on. */
const levels = (late: number) => {
  const bytes = new Uint8Array(days * cellsOfDay);
  for (let day = 0; day < days; day += 1)
    for (let cell = 36; cell < 108; cell += 1) bytes[day * cellsOfDay + cell] = cell < 66 ? 200 : late * 2;
  return bytes;
};
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const sums = (kwh: number) => ({ kwh, hours: 372, switches: 31, cost: kwh * 0.8, kgCo2: null });
const task = {
  id: 9,
  kind: 'plan.simulation' as const,
  state: 'running' as const,
  done: 40,
  total: 100,
  params: { simulationId: 7, lamps: 100, schemeId: 5, from: '2026-12-01', to: '2026-12-31' },
  error: null,
  file: null,
  createdAt: at,
  endedAt: null,
};
const begun: ReplyOf<typeof getSimulation> = {
  id: 7,
  createdAt: at,
  scope: {},
  from: '2026-12-01',
  to: '2026-12-31',
  a: null,
  b: { schemeId: 5, code: 'JN-01', name: '主干路', number: null },
  pricePerKwh: 0.8,
  kgCo2PerKwh: null,
  task,
  result: null,
};
const finding = { side: 'b' as const, plan: 'JN-01', programme: '平日', of: 31, first: '2026-12-01' };
const ended: ReplyOf<typeof getSimulation> = {
  ...begun,
  task: { ...task, state: 'done', done: 100, endedAt: at },
  result: {
    lamps: 100,
    withoutPlace: 2,
    watts: { learned: 60, nameplate: 38, unknown: 2 },
    days,
    levels: { a: base64(levels(100)), b: base64(levels(60)) },
    months: [{ month: '2026-12', nights: days, a: sums(5000), b: sums(4000) }],
    total: { a: sums(5000), b: sums(4000) },
    findings: [
      {
        ...finding,
        place: 0,
        code: 'belowFloor',
        severity: 'error',
        period: 1,
        roadClass: 'arterial',
        nights: 31,
        hours: 217,
        lamps: 40,
      },
      {
        ...finding,
        place: 1,
        side: 'a',
        code: 'periodUnused',
        severity: 'note',
        period: 2,
        roadClass: null,
        nights: 12,
        hours: null,
        lamps: 100,
      },
    ],
    testNights: [
      {
        kind: 'decemberSolstice',
        day: '2026-12-21',
        a: [
          { at: '16:59', level: 100 },
          { at: '06:53', level: 0 },
        ],
        b: [
          { at: '16:59', level: 100 },
          { at: '23:00', level: 60 },
          { at: '06:53', level: 0 },
        ],
      },
    ],
    madeAt: at,
  },
};

let server: ContractServer;
const open = (
  query = '',
  codes: readonly string[] = ['plan.edit', 'plan.query'],
  pages: readonly string[] = ['lamp/device'],
) =>
  renderInShell(
    <Routes>
      <Route path="/lamp/scheme/:id" element={<SchemePage />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { address: `/lamp/scheme/5?tab=simulation${query}`, codes, pages },
  );

beforeEach(async () => {
  server = await contractServer();
  server.refuse(getHome, 503, { message: '—' });
  server.answer(getScheme, scheme);
  server.answer(getWorkAreaOptions, { success: true, data: [], msg: '' });
  const counts = { following: 0, unreported: 0, diverged: 0 };
  server.answer(listSchemeVersions, { data: [{ ...version, ...counts }], recordsTotal: 1 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('a simulation is begun with what was chosen, says how far it is, and then what comes out', async () => {
  await open();
  server.answer(simulatePlans, begun);
  server.answer(getSimulation, begun);
  fireEvent.change(await screen.findByRole('spinbutton', { name: '电价（每 kWh）' }), { target: { value: '0.8' } });
  await press('开始模拟');
  await waitFor(() =>
    expect(bodyOf(server, simulatePlans)).toMatchObject({
      scope: {},
      b: { schemeId: 5 },
      pricePerKwh: 0.8,
      kgCo2PerKwh: 0.5366,
    }),
  );
  const { from, to } = bodyOf(server, simulatePlans) as { from: string; to: string };
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(364);
  await screen.findByText('正在计算 100 盏灯，40%');
  server.answer(getSimulation, ended);
  // The page asks again by itself while the work goes on.
  await screen.findByText('B 比 A 少用 1,000 kWh（20.0%）');
  expect(screen.getByText('2 盏灯没有位置，未计入。')).toBeTruthy();
});

test('publishing from a simulation begins with its lamps, its version and its first day', async () => {
  const scope = { roadIds: [3], groupIds: [4], controllerIds: [6], workAreaId: 1, deviceIds: [7, 8] };
  const year = new Date().getFullYear() + 1;
  const days = { from: `${year}-06-01`, to: `${year}-06-30` };
  server.answer(getSimulation, { ...begun, ...days, scope, b: { ...begun.b, number: 2 } });
  const { tabs, address } = await open('&simulation=7', ['plan.query', 'plan.publish'], ['lamp/publish']);
  await screen.findByText('另有单独选的 2 盏灯');
  await press('发布');
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=5&number=2'));
  const key = '/lamp/publish';
  tabs.visit({ key, name: 'lamp/publish', title: '', language: null, address: address() });
  const opened = tabs.getState().tabs.find((tab) => tab.key === key);
  expect(opened?.handOver).toEqual({ scheme: 5, number: 2, ...scope, day: days.from });
});

/** The page that publishes, as it is opened from here. */
async function publishing({ tabs, address }: Awaited<ReturnType<typeof open>>) {
  await press('发布');
  await waitFor(() => expect(address()).toMatch(/^\/lamp\/publish/));
  const key = '/lamp/publish';
  tabs.visit({ key, name: 'lamp/publish', title: '', language: null, address: address() });
  return { address: address(), handOver: tabs.getState().tabs.find((tab) => tab.key === key)?.handOver };
}
const publisher = [['plan.query', 'plan.publish'], ['lamp/publish']] as const;

test('publishing hands over what the shown simulation was made of, not what was typed since', async () => {
  server.answer(getSimulation, { ...ended, scope: { deviceIds: [7] }, b: { ...begun.b, number: 2 } });
  const page = await open('&simulation=7', ...publisher);
  await screen.findByText('另有单独选的 1 盏灯');
  await press('不要这些');
  await waitFor(() => expect(screen.queryByText('另有单独选的 1 盏灯')).toBeNull());
  const { address, handOver } = await publishing(page);
  expect(address).toBe('/lamp/publish?scheme=5&number=2');
  expect(handOver).toMatchObject({ deviceIds: [7], number: 2 });
});

test('without a simulation, and of one of another scheme, nothing is handed over', async () => {
  const { handOver } = await publishing(await open('', ...publisher));
  expect(handOver).toEqual({ scheme: 5 });
  cleanup();
  server.answer(getSimulation, { ...ended, scope: { deviceIds: [7] }, b: { ...begun.b, schemeId: 6, number: 2 } });
  const page = await open('&simulation=7', ...publisher);
  await screen.findByText('典型夜晚');
  expect(screen.queryByText('另有单独选的 1 盏灯')).toBeNull();
  expect((await publishing(page)).handOver).toEqual({ scheme: 5 });
});

test('of a simulated draft the lamps are handed over, and that it has to be frozen first is said', async () => {
  server.answer(getSimulation, { ...ended, scope: { deviceIds: [7] } });
  const page = await open('&simulation=7', ...publisher);
  await screen.findByText(/^模拟的是草稿。要发布它，请先定稿/);
  const { address, handOver } = await publishing(page);
  expect(address).toBe('/lamp/publish?scheme=5');
  expect(handOver).toMatchObject({ scheme: 5, deviceIds: [7] });
  expect(handOver).not.toHaveProperty('number');
});

test('what the server refuses stands beside its fields, all at once', async () => {
  server.answer(getSimulation, { ...begun, scope: { deviceIds: [7, 8] } });
  await open('&simulation=7');
  await screen.findByText('另有单独选的 2 盏灯');
  server.refuse(simulatePlans, 400, {
    message: '请求有误',
    params: [
      { field: 'from', rule: 'minimum', message: '不早于 2025-11-25' },
      { field: 'pricePerKwh', rule: 'minimum', message: '至少为 0' },
      { field: 'scope.deviceIds', rule: 'unknown', message: '没有这些灯' },
    ],
  });
  await press('开始模拟');
  await screen.findByText('不早于 2025-11-25');
  expect(screen.getByText('至少为 0')).toBeTruthy();
  expect(screen.getByText('没有这些灯').closest('p')?.textContent).toContain('另有单独选的 2 盏灯');
});

test('findings name what blocks first, and open their lamps page by page', async () => {
  server.answer(getSimulation, ended);
  const lamp = (id: number) => ({ id, code: `L-${id}`, name: null, roadId: 1, roadName: '滨江大道' });
  server.on(listFindingLamps, ({ query }) => ({
    status: 200,
    body: { data: [lamp(query.get('page') === '1' ? 21 : 1)], recordsTotal: 40 },
  }));
  await open('&simulation=7');
  const line = within((await screen.findByText('低于道路等级最低亮度')).closest('li')!);
  expect(line.getByText(/错误/)).toBeTruthy();
  expect(line.getByText('JN-01 · 平日 · 时段 2 · 主干路 · 31 夜 · 最多 217 小时 · 首次 12月1日')).toBeTruthy();
  expect(screen.queryByText('部分夜晚未到达的时段')).toBeNull();
  fireEvent.click(line.getByRole('button', { name: '40 盏灯' }));
  await screen.findByText('L-1');
  fireEvent.click(screen.getByTitle('2'));
  await screen.findByText('L-21');
  await press('A 的发现（1）');
  await screen.findByText('部分夜晚未到达的时段');
});

test('the picture is read by arrow keys, and the months say the same', async () => {
  server.answer(getSimulation, ended);
  await open('&simulation=7');
  const picture = await screen.findByRole('slider', { name: /每十分钟的平均亮度/ });
  // Midnight of the first night.
  expect(picture.getAttribute('aria-valuetext')).toBe('2026年12月1日星期二 00:00：A 100%，B 60%');
  await act(async () => void fireEvent.keyDown(picture, { key: 'ArrowRight' }));
  await act(async () => void fireEvent.keyDown(picture, { key: 'ArrowDown' }));
  expect(picture.getAttribute('aria-valuetext')).toBe('2026年12月2日星期三 00:10：A 100%，B 60%');
  const [row] = screen.getAllByRole('row', { name: /2026-12 / });
  const cells = within(row!)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  // Mean while lit: five hours of 100 and seven of 60.
  expect(cells.slice(0, 5)).toEqual(['100%', '77%', '5,000', '4,000', '-1,000']);
  // Emissions were not asked for.
  expect(screen.queryByText('碳排放（kgCO₂）', { selector: 'th' })).toBeNull();
  const night = within(screen.getByRole('row', { name: /冬至/ })).getAllByRole('cell');
  expect(night.map(({ textContent }) => textContent)).toEqual(['16:59 100%06:53 关', '16:59 100%23:00 60%06:53 关']);
});

test('a simulation that ended without a result says why', async () => {
  server.answer(getSimulation, {
    ...begun,
    task: { ...task, state: 'failed', error: '没有可操作的设备', endedAt: at },
  });
  await open('&simulation=7');
  await screen.findByText('模拟没有完成');
  expect(screen.getByText('没有可操作的设备')).toBeTruthy();
});

test('one that is gone is not asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    server.refuse(getSimulation, 404, { message: '没有这个模拟' });
    await open('&simulation=7');
    await screen.findByText('这次模拟已经没有了');
    await vi.advanceTimersByTimeAsync(60_000);
    // What is asked for later is answered later.
    server.answer(simulatePlans, { ...begun, id: 8 });
    await press('开始模拟');
    await waitFor(() => expect(server.of(simulatePlans)).toHaveLength(1));
    expect(server.of(getSimulation).filter(({ path }) => path.endsWith('/7'))).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('the file is begun as a task', async () => {
  server.answer(getSimulation, ended);
  server.answer(exportSimulation, { ...task, id: 10, kind: 'export.plan-simulation', state: 'queued' });
  await open('&simulation=7');
  await screen.findByText('发现');
  await press('导出');
  await waitFor(() => expect(bodyOf(server, exportSimulation)).toEqual({ simulationId: 7 }));
});

test('form and result pass axe', async () => {
  server.answer(getSimulation, ended);
  await open('&simulation=7');
  await screen.findByText('典型夜晚');
  const found = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(
    found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
});

test('less light is hatched, more light is dotted, and what is the same is ground', () => {
  const size = { days: 1, width: 20, height: cellsOfDay, ink: inks.light };
  const flat = (percent: number) => new Uint8Array(cellsOfDay).fill(percent * 2);
  const marks = (a: number, b: number) => {
    const pixels = paintHeat({ a: flat(a), b: flat(b) }, { ...size, mode: 'difference' });
    const colours = new Set<string>();
    let marked = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = pixels.slice(at, at + 3).join(' ');
      colours.add(colour);
      if (colour === inks.light.mark.join(' ')) marked += 1;
    }
    return { colours: colours.size, share: marked / (size.width * size.height) };
  };
  expect(marks(60, 60)).toEqual({ colours: 1, share: 0 });
  expect(marks(100, 60)).toEqual({ colours: 2, share: 0.2 });
  expect(marks(60, 100).share).toBeCloseTo(0.04, 2);
});
