import { act, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { createCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { getLamp, getLampCurve } from '../../../../../contract/light/lamps.ts';
import { whyLamp } from '../../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { asOnPhone, bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import LampDevice from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
const server = serverForEach();

const lamp: ReplyOf<typeof getLamp> = {
  lamp: {
    id: 118,
    code: 'L-118',
    name: null,
    workAreaId: 1,
    roadId: 1,
    roadName: '滨江大道',
    groupId: null,
    controllerId: null,
    controllerCode: null,
    poleId: 18,
    poleCode: 'P-18',
    location: null,
    longitude: 120.2,
    latitude: 30.2,
    ratedWatts: 120,
    enabled: true,
    state: 'off',
    fault: null,
    faultSince: null,
    online: true,
    level: 0,
    power: 0,
    voltage: 226,
    current: 0,
    powerFactor: null,
    temperature: 31,
    energyTonight: null,
    at: '2026-11-20T13:46:31.000Z',
    manual: null,
  },
  values: {},
  plan: { switches: [], shouldBeLit: false, night: null, ratedWatts: 120 },
  connected: true,
  connectionChangedAt: null,
  clockAheadSeconds: null,
  clockWrongSince: null,
  episodes: [],
  row: { side: 'left', position: 4, poles: 20, previous: { id: 117, code: 'L-117' }, next: { id: 119, code: 'L-119' } },
};
const open = () =>
  renderInShell(
    <Routes>
      <Route path="/lamp/device/:id" element={<LampDevice />} />
      <Route path="*" element={null} />
    </Routes>,
    { address: '/lamp/device/118', codes: ['lamp.monitor', 'lamp.control'], pages: [] },
  );
/** A finger drawn over the lamp's name, or something else. */
async function drawn(from: [number, number], to: [number, number], over?: Element): Promise<void> {
  const head = over ?? (await screen.findByRole('heading', { name: 'L-118' }));
  const at = ([clientX, clientY]: [number, number]) => ({ clientX, clientY, identifier: 0, target: head });
  fireEvent.touchStart(head, { touches: [at(from)] });
  fireEvent.touchEnd(head, { changedTouches: [at(to)] });
}

beforeEach(() => {
  asOnPhone();
  server().answer(getLamp, lamp);
  server().answer(listCommands, { data: [], recordsTotal: 0 });
});

test('the neighbours of the row are one press away, and the walk keeps one tab', async () => {
  const { address, tabs } = await open();
  await screen.findByText('左侧第 4 杆，共 20 杆');
  await press('下一盏 L-119');
  await waitFor(() => expect(address()).toBe('/lamp/device/119'));
  expect(tabs.getState().tabs.map(({ key }) => key)).not.toContain('/lamp/device/118');
});

test('the page of a lamp passes axe', async () => {
  server().answer(whyLamp, {
    at: '2026-11-20T13:46:31.000Z',
    timeZone: 'Asia/Shanghai',
    lamp: 'L-118',
    observed: null,
    expected: { level: 60, layer: 'scheme' },
    layers: [],
    agrees: null,
    suspicions: [],
    next: null,
    lastCommands: [],
    missing: [],
    supply: { loop: null, box: null, powered: null, by: null, contactor: null, contactorAt: null },
    floor: { roadClass: 'arterial', level: 50 },
    sentence: '—',
  });
  await open();
  await screen.findByText(/所在道路为主干路/);
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
});

test('a finger drawn across goes to the next or the previous lamp; up, down or a little it goes nowhere', async () => {
  const { address } = await open();
  await drawn([200, 300], [160, 300]);
  await drawn([200, 300], [120, 420]);
  expect(address()).toBe('/lamp/device/118');
  await drawn([120, 300], [220, 310]);
  await waitFor(() => expect(address()).toBe('/lamp/device/117'));
});

test('a finger that reads a curve, or is drawn over a popup of the page, goes nowhere', async () => {
  server().answer(getLampCurve, {
    from: '2026-11-19T13:46:31.000Z',
    to: '2026-11-20T13:46:31.000Z',
    at: ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'],
    power: [100, 120],
    voltage: [226, 227],
    level: [80, 100],
    current: [null, null],
    powerFactor: [null, null],
    temperature: [null, null],
    gaps: [],
    nights: [],
    plan: [],
  });
  const { address } = await open();
  const [curve] = await screen.findAllByRole('application', { name: /功率/ });
  await drawn([220, 300], [100, 300], curve);
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: /保持到/ }));
  await drawn([220, 300], [100, 300], await screen.findByText('1 小时'));
  expect(address()).toBe('/lamp/device/118');
  await drawn([220, 300], [100, 300]);
  await waitFor(() => expect(address()).toBe('/lamp/device/119'));
});

test('a finger goes nowhere while a reason is typed, and a walk asks before the reason is lost', async () => {
  const { address, tabs } = await open();
  const reason = await screen.findByRole('textbox', { name: /原因/ });
  act(() => reason.focus());
  fireEvent.change(reason, { target: { value: '检修' } });
  await drawn([220, 300], [100, 300]);
  expect([address(), tabs.getState().unsaved.size]).toEqual(['/lamp/device/118', 1]);
  await press('下一盏 L-119');
  expect(address()).toBe('/lamp/device/118');
});

test('a pinned lamp keeps its tab', async () => {
  const { address, tabs } = await open();
  act(() => tabs.pin('/lamp/device/118', true));
  await press('下一盏 L-119');
  await waitFor(() => expect(address()).toBe('/lamp/device/119'));
  expect(tabs.getState().tabs.map(({ key }) => key)).toContain('/lamp/device/118');
});

test('at the end of the row there is no next lamp', async () => {
  server().answer(getLamp, { ...lamp, row: { ...lamp.row!, next: null } });
  const { address } = await open();
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: '后面没有灯了' })).disabled).toBe(true);
  await drawn([220, 300], [100, 300]);
  expect(address()).toBe('/lamp/device/118');
});

test('one press lights the lamp for 30 minutes, whatever end was chosen', async () => {
  server().answer(createCommand, { id: 17, total: 1, state: 'running' });
  await open();
  const before = Date.now();
  await press('开 30 分钟');
  await waitFor(() => expect(bodyOf(server(), createCommand)).toMatchObject({ deviceIds: [118], command: 'on' }));
  const { until } = bodyOf(server(), createCommand) as { until: string };
  const minutes = (Date.parse(until) - before) / 60_000;
  expect([minutes > 29.9, minutes < 30.5]).toEqual([true, true]);
});
