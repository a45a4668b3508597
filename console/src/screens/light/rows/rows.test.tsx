import { cleanup, configure, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getRows, listRowRoads, orderRows, putRows } from '../../../../../contract/light/rows.ts';
import { asked } from '../../../frame/ask.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { asOnPhone, bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import type { RoadRows } from './edit-rows.ts';
import LampRows from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

type Pole = RoadRows['unplaced'][number];
const pole = (id: number, roadside: Pole['roadside'], more: Partial<Pole> = {}): Pole => ({
  id,
  code: `P-${id}`,
  name: null,
  longitude: 120.2 + id / 1000,
  latitude: 30.2,
  roadside,
  junction: false,
  keep: false,
  kept: null,
  lamps: [{ id: 100 + id, code: `L-${id}` }],
  ...more,
});
const road: RoadRows = {
  road: { id: 5, code: 'BJDD', name: '滨江大道', workAreaId: 1 },
  version: 3,
  rows: [
    { side: 'left', source: 'auto', checkedBy: null, poles: [1, 2, 3, 4, 5].map((id) => pole(id, 'left')) },
    { side: 'right', source: 'auto', checkedBy: null, poles: [11, 12, 13].map((id) => pole(id, 'right')) },
  ],
  unplaced: [pole(20, 'left', { longitude: null, latitude: null })],
};
let server: ContractServer;
const open = (codes = ['plan.query', 'plan.edit'], address = '/lamp/rows?open=5') =>
  renderInShell(<LampRows />, { address, codes });
const row = (name: string): Promise<HTMLElement> => screen.findByRole('listbox', { name });
const inRow = async (name: string): Promise<string[]> =>
  within(await row(name))
    .getAllByRole('option')
    .map((one) => one.getAttribute('aria-label')?.split('，')[0] ?? '');
const current = (): HTMLElement => screen.getByRole('option', { selected: true });
const key = (name: string, more = {}): boolean => fireEvent.keyDown(current(), { key: name, ...more });

beforeEach(async () => {
  server = await contractServer();
  server.answer(listRowRoads, {
    data: [
      {
        id: 5,
        code: 'BJDD',
        name: '滨江大道',
        roadClass: 'arterial',
        workAreaId: 1,
        poles: 9,
        placed: 8,
        unplaced: 1,
        byHand: 0,
      },
    ],
    recordsTotal: 1,
  });
  server.answer(getRows, road);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('the list of roads leads to the rows of one, and back', async () => {
  await open(['plan.query'], '/lamp/rows');
  await screen.findByText('BJDD');
  await press('滨江大道');
  expect(await inRow('左侧')).toEqual(['P-1', 'P-2', 'P-3', 'P-4', 'P-5']);
  expect(await inRow('右侧')).toEqual(['P-11', 'P-12', 'P-13']);
  // Who may only look changes nothing.
  expect(screen.queryByRole('button', { name: '排入' })).toBeNull();
  key('ArrowRight', { altKey: true });
  expect(await inRow('左侧')).toEqual(['P-1', 'P-2', 'P-3', 'P-4', 'P-5']);
  await press('返回列表');
  await screen.findByText('BJDD');
});

test('a pattern lights the ends and what it counts; the slider moves it by a week', async () => {
  await open();
  const lit = async () =>
    within(await row('左侧'))
      .getAllByRole('option')
      .map((one) => (/：灭/.test(one.getAttribute('aria-label') ?? '') ? '·' : '●'))
      .join('');
  const first = await lit();
  expect(['●·●·●', '●●·●●']).toContain(first);
  const slider = screen.getByRole('slider');
  for (let i = 0; i < 7; i += 1) fireEvent.keyDown(slider, { key: 'ArrowRight', keyCode: 39 });
  await waitFor(async () => expect(await lit()).toBe(first === '●·●·●' ? '●●·●●' : '●·●·●'));
  fireEvent.click(screen.getByText('全亮'));
  await waitFor(async () => expect(await lit()).toBe('●●●●●'));
});

test('on a phone who walks says at each pole which one comes next; the order follows', async () => {
  asOnPhone();
  await open();
  await row('左侧');
  fireEvent.click(screen.getByRole('option', { name: /^P-1，/ }));
  await press('对，下一根是 P-2 · L-2');
  const walk = within(screen.getByRole('region', { name: '沿路校正次序' }));
  expect(walk.getByText('站在 P-2 旁：下一根是哪根？')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull();
  // P-4 stands before P-3, and one of the other side stands here.
  await press('下一根是 P-4 · L-4');
  expect(await inRow('左侧')).toEqual(['P-1', 'P-2', 'P-4', 'P-3', 'P-5']);
  expect(walk.getByText('站在 P-4 旁：下一根是哪根？')).toBeTruthy();
  fireEvent.mouseDown(walk.getByRole('combobox', { name: '下一根是另一根…' }));
  fireEvent.click(await screen.findByTitle('P-1 · L-1'));
  await waitFor(async () => expect(await inRow('左侧')).toEqual(['P-2', 'P-4', 'P-1', 'P-3', 'P-5']));
  server.answer(putRows, { ...road, version: 4, darkens: 0 });
  await press('保存');
  await waitFor(() =>
    expect(bodyOf(server, putRows)).toMatchObject({ version: 3, rows: [{ poleIds: [2, 4, 1, 3, 5] }, {}] }),
  );
});

test('keys go along and across, Alt moves; what is changed is saved with the version it began from', async () => {
  const { tabs } = await open();
  await row('左侧');
  current().focus();
  key('ArrowRight');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('P-2'));
  key('ArrowRight', { altKey: true });
  await waitFor(async () => expect(await inRow('左侧')).toEqual(['P-1', 'P-3', 'P-2', 'P-4', 'P-5']));
  expect(document.activeElement?.getAttribute('aria-label')).toContain('P-2');
  await screen.findByText('已移到左侧第 3 位');
  key('ArrowDown', { altKey: true });
  await waitFor(async () => expect(await inRow('右侧')).toEqual(['P-11', 'P-2', 'P-12', 'P-13']));
  fireEvent.click(screen.getByRole('checkbox', { name: '始终亮' }));
  server.wouldChange(putRows, {
    positions: { added: 1, changed: 5, removed: 0 },
    roadRows: { added: 0, changed: 1, removed: 0 },
  });
  await press('把 P-20 排入');
  await screen.findByText('将影响 6 个灯序位置');
  expect([...tabs.getState().unsaved]).toEqual(['/lamp/rows']);
  // Going back would lose it: that is asked first.
  await press('返回列表');
  asked.getState().current?.answer(false);
  expect(await inRow('右侧')).toEqual(['P-11', 'P-2', 'P-12', 'P-13']);
  server.answer(putRows, { ...road, version: 4, darkens: 0 });
  server.answer(getRows, { ...road, version: 4 });
  await press('保存');
  await waitFor(() => expect(server.of(putRows)).toHaveLength(1));
  expect(bodyOf(server, putRows)).toEqual({
    version: 3,
    rows: [
      { side: 'left', poleIds: [1, 3, 4, 5, 20] },
      { side: 'right', poleIds: [11, 2, 12, 13] },
    ],
    keep: [2],
  });
  await waitFor(() => expect(screen.queryByText('有未保存的修改')).toBeNull());
});

test('who changes rows reads how many lamps get darker, and why they may not', async () => {
  server.wouldChange(putRows, { positions: { added: 0, changed: 2, removed: 0 } }, { ...road, version: 4, darkens: 7 });
  await open();
  await row('左侧');
  expect(server.triesOf(putRows)).toEqual([]);
  key('ArrowRight', { altKey: true });
  await screen.findByText('将影响 2 个灯序位置；7 盏变暗');
  server.refuseTries(putRows, 400, { code: 4330, message: '这样排 312 盏灯变暗' });
  key('ArrowRight', { altKey: true });
  await screen.findByText(/目前无法执行：这样排 312 盏灯变暗/);
  expect(server.of(putRows)).toEqual([]);
});

test('a pole is dragged to another place', async () => {
  await open();
  const [, second, , fourth] = within(await row('左侧')).getAllByRole('option') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  const data = new Map<string, string>();
  const dataTransfer = {
    setData: (type: string, text: string) => data.set(type, text),
    getData: (type: string) => data.get(type) ?? '',
    get types() {
      return [...data.keys()];
    },
  };
  fireEvent.dragStart(second, { dataTransfer });
  const over = createEvent.dragOver(fourth, { dataTransfer });
  fireEvent(fourth, over);
  expect(over.defaultPrevented).toBe(true);
  fireEvent.drop(fourth, { dataTransfer });
  await waitFor(async () => expect(await inRow('左侧')).toEqual(['P-1', 'P-3', 'P-4', 'P-2', 'P-5']));
  await press('还原');
  expect(await inRow('左侧')).toEqual(['P-1', 'P-2', 'P-3', 'P-4', 'P-5']);
});

test('when somebody else saved first it is said, and the new rows can be loaded', async () => {
  await open();
  await row('左侧');
  key('ArrowRight', { altKey: true });
  server.refuse(putRows, 409, { message: '已被他人修改' });
  await press('保存');
  await screen.findByText('别人刚刚改过这条道路的灯序，您的修改没有保存');
  // What was changed stays until the new rows are asked for.
  expect(await inRow('左侧')).toEqual(['P-2', 'P-1', 'P-3', 'P-4', 'P-5']);
  server.answer(getRows, { ...road, version: 4, rows: road.rows.slice(1) });
  await press('载入新的灯序');
  await waitFor(() => expect(screen.queryByRole('listbox', { name: '左侧' })).toBeNull());
  expect(await inRow('右侧')).toEqual(['P-11', 'P-12', 'P-13']);
});

test('rows are ordered by coordinates again', async () => {
  await open();
  await row('左侧');
  server.answer(orderRows, {
    darkens: 0,
    ...road,
    version: 4,
    rows: [{ ...road.rows[0]!, poles: road.rows[0]!.poles.toReversed() }],
  });
  await press('重新自动排列');
  await waitFor(async () => expect(await inRow('左侧')).toEqual(['P-5', 'P-4', 'P-3', 'P-2', 'P-1']));
  expect(bodyOf(server, orderRows)).toEqual({ all: false, version: 3 });
});

test('nothing that axe finds fault with', async () => {
  await open();
  await row('左侧');
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
});
