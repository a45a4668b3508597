import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { usualSchedule } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { createCommand } from '../../../../../contract/light/commands.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import { getLampPlan } from '../../../../../contract/light/lamp-plan.ts';
import {
  createSchedule,
  getLampSchedule,
  previewLampPlaces,
  previewSchedule,
  setLampPlaces,
} from '../../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { bodyOf, press } from '../../../testing/shell.tsx';
import { at, field, lamp, night, place, planNight, preview, schedulePage, type } from './testing/schedule-page.tsx';

const { server, open } = schedulePage();

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

test('records that were moved far are named with the distance: the sun goes by the place of the publication', async () => {
  server().answer(getLampSchedule, lamp({ place: { ...lamp().place, source: 'published', away: 114 } }));
  await open();
  await screen.findByText(/仍按方案发布时的位置计算：30.25, 120.2。.*距其 114 公里（超过 50 公里），再次发布后生效/);
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

test('alternating by light control is all night, and ticks no range of the time table that comes back', async () => {
  server().answer(previewSchedule, preview);
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  const ticks = () => screen.getAllByRole<HTMLInputElement>('checkbox', { name: '隔一亮一' });
  const ticked = () => ticks().map(({ checked, disabled }) => [checked, disabled]);
  fireEvent.click(screen.getByRole('radio', { name: '隔一亮一' }));
  expect(ticked()).toEqual([
    [false, false],
    [true, false],
  ]);
  fireEvent.click(screen.getByText('纯光控'));
  expect(ticked()).toEqual([[true, true]]);
  fireEvent.keyDown(await screen.findByRole('slider', { name: '开灯时刻' }), { key: 'ArrowRight' });
  await waitFor(() => expect(field('日落延时').value).toBe('1'));
  await press('查看影响');
  await waitFor(() =>
    expect(bodyOf(server(), previewSchedule)).toMatchObject({
      schedule: { control: 'light', ranges: [{ start: 'on', level: 100, alternate: true }] },
    }),
  );
  fireEvent.click(screen.getByText('定时'));
  expect(ticked()).toEqual([
    [false, false],
    [true, false],
  ]);
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

test('settings of its own are named so, as layer too, and the night follows reports, proofs and commands', async () => {
  const own = { id: 30, code: 'T-30', name: null, number: 1, own: true, versionHash: '333333333333' };
  server().answer(getLampPlan, planNight({ scheme: own }));
  await open();
  await screen.findByText('起作用的控制层级：单独的时间表设置');
  await screen.findByText(/^单独的时间表设置 · 时段表：平日/);
  for (const [index, type] of (['publications', 'commands', 'plans'] as const).entries()) {
    server().answer(getLampPlan, planNight({ scheme: own, programme: { key: 1, name: `第${index}张` } }));
    await waitFor(() => {
      server().tell({ type });
      screen.getByText(new RegExp(`时段表：第${index}张`));
    });
  }
});

test('the evening of a demonstration is said, with the time at which its lamps follow a time of the table', async () => {
  const night = { timeZone: 'Asia/Shanghai', ...place, sunOffsetMinutes: 0 };
  const home = (sunOffsetMinutes: number) =>
    server().on(getHome, () => ({ status: 200, body: { night: { ...night, sunOffsetMinutes } } }));
  const onAt = async () =>
    (await screen.findByRole('slider', { name: '开灯时刻' })).getAttribute('aria-valuetext')?.slice(0, 5);
  const minutesOf = (clock = ''): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  home(0);
  await open('');
  await screen.findByRole('heading', { name: '时间表设置' });
  const plain = minutesOf(await onAt());
  expect(screen.queryByText('演示夜晚')).toBeNull();
  cleanup();
  home(-120);
  await open('');
  await screen.findByText('演示夜晚');
  screen.getByText(/时段表里的 23:00，路灯在 21:00 执行/);
  expect(minutesOf(await onAt())).toBe(plain - 120);
});

test('axe finds nothing', async () => {
  await open();
  await screen.findByRole('heading', { name: '时间表设置：BJ-0007' });
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

test('the night by its plan is asked for any day, by keyboard too, and names both of its hashes', async () => {
  const asked: (string | null)[] = [];
  server().answer(getLampPlan, ({ query }) => {
    const day = query.get('day');
    asked.push(day);
    return day === null
      ? planNight()
      : planNight({
          ...{ day, layers: ['exception', 'scheme'], exceptionsLeftOut: [9], publication: null, lit: [] },
          dark: [
            {
              ...{ from: night[0]?.at ?? '', to: night[2]?.at ?? '', level: 0, period: null, pattern: null },
              darkByPattern: false,
              decides: {
                ...{ layer: 'exception', applies: true, decides: true, op: 'set', value: 0, level: 0, by: '周敏' },
                ref: { type: 'exception', id: 8, label: '8', version: null },
                ...{ approvedBy: null, since: null, until: null, reason: '观星夜' },
              },
            },
          ],
          warnings: [
            { code: 'periodUnused', period: 1 },
            { code: 'polarNight', period: null },
          ],
          device: {
            ...{
              planHash: null,
              reportedAt: null,
              needs: null,
              cannot: ['periods', 'dimming'],
              periodsBeyond: 2,
              sent: 'table',
            },
            abilities: { periods: 1, calendar: true, light: false, cycle: true },
          },
        });
  });
  const { address } = await open();
  const card = (await screen.findByRole('heading', { name: '按方案的一夜' })).closest('section') ?? document.body;
  await within(card).findByText(/方案 JN-03 主干路 第 7 版 · 时段表：平日 · 设定：周敏/);
  within(card).getByText('起作用的控制层级：节能方案');
  within(card).getByText('16:58–06:31');
  for (const [name, hash] of [
    ['方案校验码', '111111111111'],
    ['版本校验码', '222222222222'],
  ] as const)
    expect(within(card).getByText(name).nextElementSibling?.textContent).toContain(hash);
  const picker = within(card).getByLabelText<HTMLInputElement>('照明日');
  expect(picker.value).toBe('2026-11-20');
  // By keyboard: a date is typed and taken.
  fireEvent.mouseDown(picker);
  fireEvent.change(picker, { target: { value: '2026-12-31' } });
  fireEvent.keyDown(picker, { key: 'Enter', keyCode: 13 });
  await within(card).findByText('这一夜不亮灯');
  expect(address()).toContain('day=2026-12-31');
  within(card).getByText('临时例外 · #8 · 周敏 · 观星夜');
  within(card).getByText('时段 2：部分夜晚未到达的时段');
  within(card).getByText('极夜');
  within(card).getByText('设备不能执行：这么多时段、调光');
  within(card).getByText('此时段表超出设备能力 2 个时段（设备最多 1 个）');
  within(card).getByText('临时例外因时段过多未生效：#9');
  fireEvent.click(within(card).getByRole('button', { name: '后一夜' }));
  await waitFor(() => expect(address()).toContain('day=2027-01-01'));
  fireEvent.click(within(card).getByRole('button', { name: /今\s*晚/ }));
  await waitFor(() => expect(address()).not.toContain('day='));
  expect(asked).toEqual(expect.arrayContaining([null, '2026-12-31', '2027-01-01']));
  const { violations } = await axe.run(card);
  expect(violations.map(({ id }) => id)).toEqual([]);
});
