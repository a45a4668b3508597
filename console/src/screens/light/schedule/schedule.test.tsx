import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { usualSchedule } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { createCommand } from '../../../../../contract/light/commands.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import {
  createSchedule,
  getLampSchedule,
  previewLampPlaces,
  previewSchedule,
  setLampPlaces,
} from '../../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { asked } from '../../../frame/ask.ts';
import { OwnSchedule, ScheduleLink } from '../../../parts/lamp/ScheduleLink.tsx';
import { serverForEach } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import ScheduleSettings from './index.tsx';

vi.setConfig({ testTimeout: 60_000 });
const server = serverForEach();

type Lamp = ReplyOf<typeof getLampSchedule>;
const place = { latitude: 30.25, longitude: 120.2 };
const at = '2026-11-20T13:46:31.000Z';
const night = [
  { at: '2026-11-20T08:58:00.000Z', level: 100 },
  { at: '2026-11-20T15:00:00.000Z', level: 60 },
  { at: '2026-11-20T22:31:00.000Z', level: 0 },
];
const lamp = (more: Partial<Lamp> = {}): Lamp => ({
  id: 7,
  code: 'BJ-0007',
  name: null,
  day: '2026-11-20',
  schedule: {
    ...usualSchedule,
    ranges: [
      { start: 'on', level: 100, alternate: false },
      { start: '23:00', level: 60, alternate: false },
    ],
  },
  exact: true,
  own: { by: '周敏', at, publicationId: 12, lamps: 2 },
  scheme: { id: 3, code: 'JN-03', name: '主干路', number: 7 },
  publicationId: null,
  place: {
    used: place,
    source: 'lamp',
    lamp: place,
    pole: null,
    area: place,
    timeZone: 'Asia/Shanghai',
    sunOffsetMinutes: 0,
  },
  role: { position: null, rowLength: 0, right: false, keep: false, minLevel: 0, rotation: 'weekly' },
  told: { planHash: '111111111111', night, at },
  device: { planHash: '111111111111', night, at, knowsPlans: true },
  equal: true,
  ...more,
});
const preview: ReplyOf<typeof previewSchedule> = {
  scheme: null,
  template: null,
  effectiveFrom: '2026-11-20',
  lightingDay: '2026-11-20',
  lamps: 1,
  changed: 1,
  cannot: [],
  darkens: 1,
  needsSecond: false,
  kwh: { before: 1, after: 0.8 },
  findings: [{ code: 'darker', severity: 'warning', params: { lamps: 1 } }],
};

beforeEach(() => {
  server().answer(getLampSchedule, ({ path }) => {
    const id = Number(/\d+/.exec(path.replace('/v1', ''))?.[0]);
    return lamp({ id, code: `BJ-000${id}` });
  });
  server().refuse(getHome, 403, { title: 'x' });
  server().answer(getLampFilters, {
    roads: [
      { id: 1, name: '滨江大道', lamps: 3 },
      { id: 2, name: '江南大道', lamps: 5 },
    ],
    groups: [],
    controllers: [],
  });
});
const codes: readonly string[] = ['plan.publish', 'plan.query', 'lamp.control', 'lamp.monitor', 'device.edit'];
const open = (search = '?lamp=7', { what = <ScheduleSettings />, may = codes, handOver = {} as unknown } = {}) =>
  renderInShell(what, {
    address: `/lamp/schedule${search}`,
    codes: may,
    pages: ['lamp/schedule', 'lamp/publication', 'lamp/publish'],
    handOver,
    live: server(),
  });
type Tabs = Awaited<ReturnType<typeof open>>['tabs'];
/** Comes to a page as the shell does, and returns what was left there for it. */
const arrive = (tabs: Tabs, key = '/lamp/schedule'): unknown => {
  act(() => void tabs.visit({ key, name: key.slice(1), title: '', language: null, address: key }));
  return tabs.getState().tabs.find((tab) => tab.key === key)?.handOver;
};
/** A field by the beginning of its label: one that is required has a mark behind it. */
const field = (name: string): HTMLInputElement =>
  screen.getByLabelText<HTMLInputElement>((text) => text.startsWith(name));
const type = (name: string, value: string): void => {
  fireEvent.change(field(name), { target: { value } });
  fireEvent.blur(field(name));
};

test('the form begins with what is in force, shows what it would do, and its settings are sent', async () => {
  server().answer(previewSchedule, preview);
  server().answer(createSchedule, { id: 31, total: 1, phase: 'tellingAll' });
  const { address } = await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  for (const label of ['工作模式', '光控方式', '日落延时（分钟）', '日出延时（分钟）', '时段'])
    expect(screen.getAllByText(label).length).toBeGreaterThan(0);
  expect(field('第 2 个时段的开始时间').value).toBe('23:00');
  expect(field('第 2 个时段的亮度').value).toBe('60');
  // The ribbon is the night that comes of it.
  screen.getByRole('group', { name: /的夜晚|一夜|夜/ });
  type('日落延时（分钟）', '15');
  type('第 2 个时段的亮度', '50');
  await press('查看影响');
  await screen.findByText('1 盏会变暗');
  await press('保存并下发到 1 盏');
  await waitFor(() => expect(address()).toBe('/lamp/publication/31'));
  expect(bodyOf(server(), createSchedule)).toMatchObject({
    scope: { deviceIds: [7] },
    acceptedFindings: ['darker'],
    schedule: {
      ...lamp().schedule,
      sunsetDelayMinutes: 15,
      ranges: [lamp().schedule.ranges[0], { start: '23:00', level: 50, alternate: false }],
    },
  });
});

test('each mode has its own fields, and the numbers of the labels', async () => {
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  fireEvent.click(screen.getByText('纯光控'));
  for (const [label, max] of [
    ['开灯延时（分钟）', '30'],
    ['关灯延时（分钟）', '30'],
    ['灵敏度', '255'],
    ['照度阈值（lx）', '40'],
  ] as const)
    expect(field(label).getAttribute('aria-valuemax')).toBe(max);
  // Pure light control has no ranges by the clock.
  expect(screen.queryByLabelText('第 2 个时段的开始时间')).toBeNull();
  expect(screen.queryByRole('button', { name: '添加时段' })).toBeNull();
  fireEvent.click(screen.getByText('手动'));
  expect([field('开始时间').value, field('结束时间').value]).toEqual(['', '']);
  expect(screen.queryByLabelText('灵敏度')).toBeNull();
  fireEvent.click(screen.getByText('节能'));
  fireEvent.click(screen.getByText('定时'));
  for (let count = 2; count < 6; count += 1) await press('添加时段');
  expect(screen.getByRole('button', { name: '添加时段' })).toHaveProperty('disabled', true);
});

test('everything that is wrong stands beside its field at once, in the words that are specified', async () => {
  server().answer(previewSchedule, preview);
  await open('');
  await screen.findByRole('heading', { name: '时间表设置' });
  fireEvent.click(screen.getByText('手动'));
  await press('查看影响');
  expect(await screen.findAllByText('时间不能为空')).toHaveLength(2);
  screen.getByText('批量操作请至少选择一条记录');
  screen.getByText('3 处需要修改。请检查信息是否完整');
  expect(server().seen.some(({ path }) => path === previewSchedule.path)).toBe(false);
  fireEvent.click(screen.getByText('节能'));
  type('日落延时（分钟）', '');
  await screen.findByText('请检查信息是否完整');
});

test('what the server refuses stands beside its field too', async () => {
  server().refuse(previewSchedule, 400, {
    title: '输入有误',
    params: [{ field: 'schedule.ranges.1.start', rule: 'twice', message: '重复了' }],
  });
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  await press('查看影响');
  await screen.findByText('重复了');
});

test('the time table that was sent stands beside the one that the device reports, and is read again', async () => {
  server().answer(createCommand, { id: 4, total: 1, state: 'running' } as ReplyOf<typeof createCommand>);
  await open();
  const told = within(await screen.findByRole('region', { name: '下发的' }));
  expect(told.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '16:58100%',
    '23:0060%',
    '06:31关',
  ]);
  screen.getByText('两者一致');
  screen.getByText(/单独设置：.*周敏（共 2 盏）/);
  server().answer(
    getLampSchedule,
    lamp({ equal: false, device: { planHash: '222222222222', night: null, at, knowsPlans: true } }),
  );
  await press('读取时间表');
  await waitFor(() => expect(bodyOf(server(), createCommand)).toMatchObject({ deviceIds: [7], command: 'readPlan' }));
  await screen.findByText('两者不一致');
  screen.getByText('另一份时间表，内容未知');
});

test('coordinates: what changes tonight is shown before it is saved; wrong ones are refused in the words specified', async () => {
  server().answer(previewLampPlaces, {
    lamps: 1,
    changed: 1,
    without: 0,
    moved: [
      {
        deviceId: 7,
        code: 'BJ-0007',
        before: place,
        after: { latitude: 45.8, longitude: 126.53 },
        tonightBefore: { on: night[0]?.at ?? null, off: night[2]?.at ?? null },
        tonightAfter: { on: '2026-11-20T08:02:00.000Z', off: '2026-11-20T22:49:00.000Z' },
      },
    ],
  });
  server().answer(setLampPlaces, { lamps: 1, changed: 1, without: 0 });
  await open();
  await screen.findByText('经纬度设置');
  type('纬度', '');
  await press('更新经纬度');
  await screen.findByText('请输入正确的经纬度');
  type('纬度', '45.8');
  type('经度', '126.53');
  await press('更新经纬度');
  const row = (await screen.findByText('08:58–22:31')).closest('tr');
  expect(row?.textContent).toBe('BJ-000708:58–22:3108:02–22:49');
  await press('保存');
  await waitFor(() =>
    expect(bodyOf(server(), setLampPlaces)).toEqual({
      scope: { deviceIds: [7] },
      source: 'given',
      latitude: 45.8,
      longitude: 126.53,
    }),
  );
});

test('by the keyboard: times move with the arrow keys, and the form is sent with Enter', async () => {
  server().answer(previewSchedule, preview);
  await open();
  const start = await screen.findByLabelText<HTMLInputElement>('第 2 个时段的开始时间');
  start.focus();
  fireEvent.keyDown(start, { key: 'ArrowUp' });
  fireEvent.keyDown(start, { key: 'ArrowDown', shiftKey: true });
  expect(start.value).toBe('22:51');
  fireEvent.keyDown(await screen.findByRole('slider', { name: '开灯时刻' }), { key: 'ArrowRight' });
  await waitFor(() => expect(field('日落延时').value).toBe('1'));
  const form = start.closest('form') ?? expect.fail('no form');
  fireEvent.submit(form);
  await screen.findByText('1 盏会变暗');
});

test('of another lamp the page is that lamp’s, whatever stood there before', async () => {
  server().answer(previewSchedule, preview);
  const what = (
    <>
      <ScheduleSettings />
      <ScheduleLink id={8} />
    </>
  );
  const { tabs, address } = await open('?lamp=7', { what });
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  type('日落延时（分钟）', '15');
  await press('时间表设置');
  // Input that nobody saved is asked about before the page begins again.
  await waitFor(() => expect(asked.getState().current?.question.kind).toBe('unsaved'));
  expect(address()).toBe('/lamp/schedule?lamp=7');
  await act(async () => asked.getState().current?.answer(true));
  await waitFor(() => expect(address()).toBe('/lamp/schedule?lamp=8'));
  await screen.findByRole('heading', { name: '时间表设置：BJ-0008' });
  expect((await waitFor(() => field('日落延时（分钟）'))).value).toBe('0');
  await press('查看影响');
  await waitFor(() => expect(bodyOf(server(), previewSchedule)).toMatchObject({ scope: { deviceIds: [8] } }));
  expect(arrive(tabs)).toEqual({ deviceIds: [8] });
});

test('the lamp of the address comes before an old selection, and choosing others forgets both', async () => {
  const { tabs, address } = await open('?lamp=8', { handOver: { deviceIds: [1, 2] } });
  await screen.findByRole('heading', { name: '时间表设置：BJ-0008' });
  await press('改选其他');
  await waitFor(() => expect(address()).toBe('/lamp/schedule'));
  expect(arrive(tabs)).toEqual({});
  await screen.findByRole('combobox', { name: '请选择' });
});

test('a selection whose first lamp is gone leads to others', async () => {
  server().refuse(getLampSchedule, 404);
  const { tabs } = await open('', { handOver: { deviceIds: [9, 7] } });
  await screen.findByText('服务器答复 404');
  screen.getByText('已选 2 盏');
  await press('改选其他');
  expect(arrive(tabs)).toEqual({});
  await screen.findByRole('combobox', { name: '请选择' });
});

test('who may not read roads begins with areas', async () => {
  server().answer(previewSchedule, preview);
  server().answer(getWorkAreaOptions, { success: true, msg: '', data: [{ value: 4, label: '滨江作业区' }] });
  await open('', { may: ['plan.publish', 'plan.query'] });
  await chooseOption(await screen.findByRole('combobox', { name: '请选择' }), '滨江作业区');
  await press('查看影响');
  await waitFor(() => expect(bodyOf(server(), previewSchedule)).toMatchObject({ scope: { workAreaId: 4 } }));
});

test('coordinates that were looked at for some lamps are not there to save for others', async () => {
  server().answer(previewLampPlaces, { lamps: 3, changed: 3, without: 0, moved: [] });
  await open('');
  await chooseOption(await screen.findByRole('combobox', { name: '请选择' }), '滨江大道');
  type('纬度', '45.8');
  type('经度', '126.53');
  await press('更新经纬度');
  await screen.findByRole('group', { name: '3 盏的经纬度将改变' });
  await chooseOption(screen.getByRole('combobox', { name: '请选择' }), '江南大道');
  await waitFor(() => expect(screen.queryByRole('button', { name: '保存' })).toBeNull());
  expect([field('纬度').value, field('经度').value]).toEqual(['', '']);
});

test('the form begins with what is in force now, not with an answer from before', async () => {
  const Later = () => {
    const [isOpen, setOpen] = useState(false);
    return isOpen ? (
      <ScheduleSettings />
    ) : (
      <>
        <OwnSchedule id={7} />
        <button onClick={() => setOpen(true)}>later</button>
      </>
    );
  };
  await open('?lamp=7', { what: <Later /> });
  await screen.findByText(/周敏/);
  server().answer(
    getLampSchedule,
    lamp({ schedule: { ...usualSchedule, ranges: [{ start: 'on', level: 35, alternate: false }] } }),
  );
  await press('later');
  expect((await screen.findByLabelText<HTMLInputElement>('第 1 个时段的亮度')).value).toBe('35');
  expect(screen.queryByLabelText('第 2 个时段的亮度')).toBeNull();
});

test('a mode that has one range keeps the others for later, and is sent without them', async () => {
  server().answer(previewSchedule, preview);
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  fireEvent.click(screen.getByText('纯光控'));
  type('灵敏度', '');
  fireEvent.click(screen.getByText('手动'));
  type('开始时间', '18:00');
  type('结束时间', '06:00');
  await press('查看影响');
  await waitFor(() =>
    expect(bodyOf(server(), previewSchedule)).toMatchObject({
      schedule: { sensitivity: usualSchedule.sensitivity, ranges: [{ start: 'on', level: 100, alternate: false }] },
    }),
  );
  fireEvent.click(screen.getByText('节能'));
  fireEvent.click(screen.getByText('定时'));
  expect(field('第 2 个时段的开始时间').value).toBe('23:00');
  expect(field('第 2 个时段的亮度').value).toBe('60');
});

test('to alternate can be taken away again, which is then said', async () => {
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  fireEvent.click(screen.getByRole('radio', { name: '隔一亮一' }));
  const last = () => screen.getAllByRole<HTMLInputElement>('checkbox', { name: '隔一亮一' }).at(-1);
  expect(last()?.checked).toBe(true);
  fireEvent.click(last() ?? expect.fail('no checkbox'));
  expect(last()?.checked).toBe(false);
  await press('查看影响');
  const first = screen.getAllByRole('checkbox', { name: '隔一亮一' })[0];
  await waitFor(() => expect(document.activeElement).toBe(first));
  const described = document.getElementById(first?.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toMatch(/./);
  expect(server().of(previewSchedule)).toEqual([]);
});

test('a reason is asked for when sending without one, not before it can be typed', async () => {
  server().answer(previewSchedule, { ...preview, needsSecond: true });
  server().answer(createSchedule, { id: 31, total: 1, phase: 'awaitingApproval' });
  const { tabs } = await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  await press('查看影响');
  await screen.findByRole('button', { name: '保存并提交审批' });
  expect(screen.queryByText(/1 处需要修改/)).toBeNull();
  await press('保存并提交审批');
  await screen.findByText(/1 处需要修改/);
  await waitFor(() => expect(document.activeElement).toBe(field('原因')));
  expect(server().of(createSchedule)).toEqual([]);
  type('原因', '道路施工');
  await waitFor(() => expect(screen.queryByText(/1 处需要修改/)).toBeNull());
  expect([...tabs.getState().unsaved]).toEqual(['/lamp/schedule']);
  await press('保存并提交审批');
  await waitFor(() => expect(bodyOf(server(), createSchedule)).toMatchObject({ reason: '道路施工' }));
});

test('by the keyboard: a range that comes or goes, and what is wrong, have the focus', async () => {
  await open('');
  await screen.findByRole('heading', { name: '时间表设置' });
  await press('添加时段');
  expect(document.activeElement).toBe(field('第 2 个时段的开始时间'));
  await press('删除第 2 个时段');
  expect(document.activeElement).toBe(field('第 1 个时段的亮度'));
  await press('查看影响');
  const road = screen.getByRole('combobox', { name: '请选择' });
  await waitFor(() => expect(document.activeElement).toBe(road));
  const texts = (road.getAttribute('aria-describedby') ?? '').split(' ');
  expect(texts.map((id) => document.getElementById(id)?.textContent)).toContain('批量操作请至少选择一条记录');
  const control = screen.getByRole('radiogroup', { name: '光控方式' });
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    '按日出日落和时段开关',
  );
});

test('back to its scheme: another one than stands on the page that publishes begins it again', async () => {
  const { tabs, address } = await open();
  await press('回到方案 JN-03');
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=3&number=7'));
  expect(arrive(tabs, '/lamp/publish')).toEqual({ scheme: 3, number: 7, deviceIds: [7] });
});

test('axe finds nothing', async () => {
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});
