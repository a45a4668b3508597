import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { previewCalendar } from '../../../../../contract/light/calendar.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import {
  createScheme,
  freezeScheme,
  getScheme,
  getSchemeVersion,
  listSchemePlaces,
  listSchemes,
  listSchemeVersions,
  saveSchemeDraft,
} from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import Schemes from '../schemes/index.tsx';
import SchemePage from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-25T12:00:00.000Z';
const plain = { notBefore: null, notAfter: null, light: null };
const content: SchemeContent = {
  mode: 'energySaving',
  rotation: 'weekly',
  floorExceptions: [],
  calendar: {
    default: 1,
    rules: [{ programme: 2, label: '周末', enabled: true, when: [{ kind: 'weekdays', days: [5, 6] }] }],
  },
  programmes: [1, 2].map((key) => ({
    key,
    name: key === 1 ? '平日' : '周末',
    programme: {
      on: { at: 'sunset', offsetMinutes: 0, ...plain },
      off: { at: 'sunrise', offsetMinutes: 0, ...plain },
      minimumMinutes: 10,
      periods: [
        { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
        { start: { at: '23:00', offsetMinutes: 0 }, level: 60, pattern: 'all', rampSeconds: 0 },
      ],
    },
  })),
};
const row: ReplyOf<typeof listSchemes>['data'][number] = {
  id: 5,
  code: 'JN-01',
  name: '主干路',
  workAreaId: null,
  workAreaName: null,
  state: 'frozen',
  version: 3,
  draft: null,
  newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
  lamps: { following: 120, unreported: 3, diverged: 1, byVersion: [{ number: 2, following: 120 }] },
  editable: true,
  deletable: false,
  createdAt: at,
  updatedAt: at,
  mode: 'energySaving',
  outlook: null,
};
const scheme = { ...row, content, findings: [] };
const version = (number: number, level: number) => ({
  number,
  hash: '0123456789ab',
  note: `第${number}稿`,
  basedOn: number === 1 ? null : number - 1,
  by: 'admin',
  at,
  following: 0,
  unreported: 0,
  diverged: 0,
  contentHash: '0'.repeat(64),
  content: withLevel(level),
  findings: [],
});
function withLevel(level: number): SchemeContent {
  const [first, ...others] = content.programmes;
  const periods = first!.programme.periods.map((period, index) => (index === 1 ? { ...period, level } : period));
  return { ...content, programmes: [{ ...first!, programme: { ...first!.programme, periods } }, ...others] };
}

let server: ContractServer;
const open = (
  tab = '',
  { codes = ['plan.edit'], pages = ['lamp/schemes'] }: { codes?: string[]; pages?: string[] } = {},
) =>
  renderInShell(
    <Routes>
      <Route path="/lamp/scheme/:id" element={<SchemePage />} />
    </Routes>,
    { address: `/lamp/scheme/5${tab}`, codes, pages },
  );
const level = (period: number) => screen.findByRole('spinbutton', { name: `时段 ${period}：亮度` });

beforeEach(async () => {
  server = await contractServer();
  server.refuse(getHome, 503, { message: '—' });
  server.answer(getScheme, scheme);
  server.answer(getWorkAreaOptions, { success: true, data: [], msg: '' });
  server.answer(listSchemes, { data: [row], recordsTotal: 1 });
  server.answer(listSchemePlaces, { data: [], recordsTotal: 0 });
  server.answer(listSchemeVersions, { data: [version(2, 50), version(1, 60)], recordsTotal: 2 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('the list says what is in force on how many lamps; N begins a new scheme, all problems at once', async () => {
  await renderInShell(<Schemes />, { address: '/lamp/schemes', codes: ['plan.edit'], pages: ['lamp-scheme'] });
  const line = within((await screen.findByText('JN-01')).closest('tr')!);
  for (const text of ['主干路', '节能', '已定稿', '第 2 版', '120', '3']) expect(line.getByText(text)).toBeTruthy();
  await act(async () => void fireEvent.keyDown(window, { key: 'n' }));
  await press('建立');
  expect(screen.getAllByText('不能为空')).toHaveLength(2);
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: /编号/ }), { target: { value: 'JN-02' } });
  fireEvent.change(dialog.getByRole('textbox', { name: /名称/ }), { target: { value: '支路节能' } });
  server.answer(createScheme, { ...scheme, id: 6, code: 'JN-02', name: '支路节能' });
  await press('建立');
  await waitFor(() =>
    expect(bodyOf(server, createScheme)).toEqual({ code: 'JN-02', name: '支路节能', workAreaId: null }),
  );
});

test('the list says what a scheme takes this month, against the version before, and what comes next', async () => {
  server.answer(listSchemes, {
    data: [
      {
        ...row,
        outlook: {
          month: { kwh: 4120.4, base: { number: 1, kwh: 4681 } },
          nextChange: { day: '2026-12-01', programme: '冬季' },
        },
      },
      { ...row, id: 6, code: 'JN-02' },
    ],
    recordsTotal: 2,
  });
  await renderInShell(<Schemes />, { address: '/lamp/schemes', codes: ['plan.query'], pages: ['lamp-scheme'] });
  const line = within((await screen.findByText('JN-01')).closest('tr')!);
  expect(line.getByText(/^4,120 kWh/).textContent).toBe('4,120 kWh 比第 1 版 −12%');
  expect(line.getByText('12月1日 起：冬季')).toBeTruthy();
  expect(server.of(listSchemes)[0]?.query.get('outlook')).toBe('true');
});

test('rows take the focus: arrows go along, Enter opens, D compares; letters that are typed do nothing', async () => {
  server.answer(listSchemes, { data: [row, { ...row, id: 6, code: 'JN-02' }], recordsTotal: 2 });
  const { address } = await renderInShell(<Schemes />, {
    address: '/lamp/schemes',
    codes: ['plan.query'],
    pages: ['lamp-scheme'],
  });
  const first = (await screen.findByText('JN-01')).closest('tr')!;
  const second = screen.getByText('JN-02').closest('tr')!;
  expect([first.tabIndex, second.tabIndex]).toEqual([0, -1]);
  fireEvent.keyDown(await screen.findByRole('textbox', { name: /编号/ }), { key: 'd' });
  act(() => first.focus());
  fireEvent.keyDown(first, { key: 'ArrowDown' });
  await waitFor(() => expect(document.activeElement).toBe(second));
  expect(second.tabIndex).toBe(0);
  expect(address()).toBe('/lamp/schemes');
  fireEvent.keyDown(second, { key: 'd' });
  await waitFor(() => expect(address()).toBe('/lamp-scheme?tab=versions'));
});

test('Enter opens the row that has the focus', async () => {
  const { address } = await renderInShell(<Schemes />, { address: '/lamp/schemes', pages: ['lamp-scheme'] });
  const line = (await screen.findByText('JN-01')).closest('tr')!;
  act(() => line.focus());
  fireEvent.keyDown(line, { key: 'Enter' });
  await waitFor(() => expect(address()).toBe('/lamp-scheme'));
});

test('D shows the versions of a scheme, then compares the one that has the focus with the one before it', async () => {
  const three = { ...version(3, 40), basedOn: 1 };
  server.answer(listSchemeVersions, { data: [three, version(2, 50), version(1, 60)], recordsTotal: 3 });
  server.on(getSchemeVersion, ({ path }) => ({
    status: 200,
    body: path.includes('/versions/3') ? three : path.includes('/versions/2') ? version(2, 50) : version(1, 60),
  }));
  await open();
  await level(2);
  fireEvent.keyDown(await level(2), { key: 'd' });
  expect(screen.queryByText('第3稿')).toBeNull();
  fireEvent.keyDown(document.body, { key: 'd' });
  await screen.findByText('第3稿');
  await screen.findByText('第 2 版与第 3 版：1 处不同');
  fireEvent.keyDown(screen.getAllByRole('button', { name: '与第 1 版比较' })[0]!, { key: 'd' });
  await screen.findByText('第 1 版与第 3 版：1 处不同');
});

test('lamps that came to a road later are said, and are published to by one press', async () => {
  server.answer(listSchemePlaces, {
    data: [{ kind: 'road', id: 1, name: '滨江大道', following: 117, others: 3, deviceIds: [7, 8, 9] }],
    recordsTotal: 1,
  });
  const { address, tabs } = await open('', {
    codes: ['plan.query', 'plan.publish'],
    pages: ['lamp/schemes', 'lamp/publish'],
  });
  await screen.findByText('滨江大道：120 盏里 3 盏不在');
  await press('发布到这 3 盏');
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=5'));
  tabs.visit({ key: '/lamp/publish', name: 'lamp/publish', title: '', language: null, address: '/lamp/publish' });
  expect(tabs.getState().tabs.find(({ key }) => key === '/lamp/publish')?.handOver).toEqual({
    scheme: 5,
    deviceIds: [7, 8, 9],
  });
});

test('who may not publish reads of them', async () => {
  server.answer(listSchemePlaces, {
    data: [{ kind: 'group', id: 2, name: '景观灯', following: 1, others: 1, deviceIds: [7] }],
    recordsTotal: 1,
  });
  await open();
  await screen.findByText('景观灯：2 盏里 1 盏不在');
  expect(screen.queryByRole('button', { name: /发布到这/ })).toBeNull();
});

test('more lamps than one publication takes are counted, and no press publishes to them', async () => {
  server.answer(listSchemePlaces, {
    data: [{ kind: 'workArea', id: 1, name: '滨江新区', following: 1, others: 20_001, deviceIds: [] }],
    recordsTotal: 1,
  });
  await open('', { codes: ['plan.query', 'plan.publish'], pages: ['lamp/schemes', 'lamp/publish'] });
  await screen.findByText(/^滨江新区：.*20,?001/);
  expect(screen.queryByRole('button', { name: /发布到这/ })).toBeNull();
});

test('a draft is saved with the version it was read with; what is wrong asks the server nothing', async () => {
  const { tabs } = await open();
  fireEvent.change(await level(2), { target: { value: '' } });
  await waitFor(() => expect([...tabs.getState().unsaved.keys()]).toEqual(['/lamp/scheme/5']));
  await press('保存草稿');
  await screen.findByText(/^1 处需要修改。请检查信息是否完整$/);
  await waitFor(async () => expect(document.activeElement).toBe(await level(2)));
  expect(server.of(saveSchemeDraft)).toEqual([]);
  fireEvent.change(await level(2), { target: { value: '40' } });
  server.answer(saveSchemeDraft, {
    ...scheme,
    version: 4,
    content: withLevel(40),
    draft: { by: 'admin', at, basedOn: 2 },
  });
  await press('保存草稿');
  await waitFor(() => expect(bodyOf(server, saveSchemeDraft)).toEqual({ version: 3, content: withLevel(40) }));
});

test('the second saver sees both values of what both changed, chooses, and saves on top of what is stored', async () => {
  await open();
  fireEvent.change(await level(2), { target: { value: '40' } });
  const path = 'programmes.0.programme.periods.1.level';
  server.refuse(saveSchemeDraft, 409, {
    message: '已被他人修改',
    difference: {
      version: 9,
      by: 'wang',
      at,
      base: content,
      theirs: { ...withLevel(70), rotation: 'nightly' },
      mine: withLevel(40),
      onlyTheirs: ['rotation'],
      onlyMine: [],
      both: [path],
    },
  });
  await press('保存草稿');
  const choice = within((await screen.findByText(/wang 在 .* 先保存了草稿/)).closest('section')!);
  expect([choice.getByText('23:00 起 40%'), choice.getByText('23:00 起 70%')]).toHaveLength(2);
  expect(screen.getByText('轮换：每夜轮换')).toBeTruthy();
  await press('按所选继续');
  server.answer(saveSchemeDraft, { ...scheme, version: 10, content: withLevel(40) });
  await press('保存草稿');
  await waitFor(() =>
    expect(bodyOf(server, saveSchemeDraft)).toEqual({ version: 9, content: { ...withLevel(40), rotation: 'nightly' } }),
  );
});

test('floors of road classes are always drawn, and what falls below them is said while it is typed', async () => {
  await open();
  const second = await level(2);
  const floors = () =>
    ['快速路、主干路 下限 50%', '次干路 下限 40%', '支路 下限 30%'].map((text) => screen.queryByText(text));
  expect(floors().map((one) => one && { ...one.dataset })).toEqual([{}, {}, {}]);
  expect(screen.queryByText(/低于道路等级的亮度下限/)).toBeNull();
  fireEvent.change(second, { target: { value: '35' } });
  await screen.findByText(/时段 2：三盏平均 35%，低于下限：快速路 50%、主干路 50%、次干路 40%/);
  expect(floors().map((one) => one?.dataset['broken'])).toEqual(['true', 'true', undefined]);
  expect(server.of(saveSchemeDraft)).toEqual([]);
  // A class that may be darker has no floor.
  await press('添加例外');
  await screen.findByText('主干路 下限 50%');
  fireEvent.change(second, { target: { value: '55' } });
  await waitFor(() => expect(screen.queryByText(/低于道路等级的亮度下限/)).toBeNull());
  expect(screen.getByText('次干路 下限 40%').dataset['broken']).toBeUndefined();
});

test('a draft is frozen with a note', async () => {
  server.answer(getScheme, { ...scheme, draft: { by: 'admin', at, basedOn: 2 } });
  await open();
  await press('定稿');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: '冬季' } });
  server.answer(freezeScheme, version(3, 60));
  fireEvent.click(dialog.getByRole('button', { name: '定稿' }));
  await waitFor(() => expect(bodyOf(server, freezeScheme)).toEqual({ version: 3, note: '冬季' }));
});

test('two versions differ in words, once for each period', async () => {
  server.on(getSchemeVersion, ({ path }) => ({
    status: 200,
    body: path.includes('/versions/2') ? version(2, 50) : version(1, 60),
  }));
  await open('?tab=versions');
  const line = await screen.findByRole('row', { name: /“平日” 时段 2/ });
  expect(
    within(line)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['23:00 起 60%', '23:00 起 50%']);
});

test('the calendar shows the year by programme, says why a day has its own, and rules move by buttons', async () => {
  const days = Array.from({ length: 365 }, (_, index) => {
    const day = new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10);
    const weekend = [5, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay() || 7);
    return { day, programme: weekend ? 2 : 1, rule: weekend ? 0 : null, others: [], holidays: [], lunar: null };
  });
  server.answer(previewCalendar, { country: 'CN', days, years: [{ year: 2027, state: 'unknown' }], unknown: [] });
  await open('?tab=calendar');
  // 1 January 2027 is a Friday.
  const cell = await screen.findByRole('button', { name: '2027年1月1日星期五：周末' });
  fireEvent.click(cell);
  await screen.findByText('第 1 条“周末”（每逢星期五、星期六）决定：用“周末”');
  fireEvent.keyDown(cell, { key: 'ArrowDown' });
  await screen.findByText('没有规则符合：用“平日”');
  await press('添加规则');
  fireEvent.change(screen.getByRole('textbox', { name: /^名称/ }), { target: { value: '夏夜' } });
  await press('上移“夏夜”');
  server.answer(saveSchemeDraft, { ...scheme, version: 4 });
  await press('保存草稿');
  await waitFor(() =>
    expect(bodyOf(server, saveSchemeDraft)).toMatchObject({
      content: { calendar: { rules: [{ label: '夏夜', when: [{ kind: 'yearly' }] }, { label: '周末' }] } },
    }),
  );
});

test('the editor and the calendar pass axe', async () => {
  server.answer(previewCalendar, { country: null, days: [], years: [], unknown: [] });
  await open();
  await level(2);
  const wrong = async () =>
    (
      await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    ).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(await wrong()).toEqual([]);
  fireEvent.click(screen.getByRole('radio', { name: '日历' }));
  await screen.findByText('日历规则');
  expect(await wrong()).toEqual([]);
});

test('P publishes the scheme of the row with the focus, the button the one beside it', async () => {
  server.answer(listSchemes, { data: [row], recordsTotal: 1 });
  const { address } = await renderInShell(<Schemes />, {
    address: '/lamp/schemes',
    codes: ['plan.edit', 'plan.publish'],
    pages: ['lamp-scheme', 'lamp/publish'],
  });
  const line = (await screen.findByText('JN-01')).closest('tr')!;
  expect(within(line).getByRole('button', { name: '发布' })).toBeTruthy();
  fireEvent.keyDown(within(line).getByRole('button', { name: 'JN-01' }), { key: 'p' });
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=5'));
});

test('a scheme says on how many lamps it is in force, and is published from its page', async () => {
  const { address } = await renderInShell(
    <Routes>
      <Route path="/lamp/scheme/:id" element={<SchemePage />} />
    </Routes>,
    { address: '/lamp/scheme/5', codes: ['plan.publish'], pages: ['lamp/publish'] },
  );
  for (const text of ['120 盏在用', '3 盏未回报', '1 盏不一致']) expect(await screen.findByText(text)).toBeTruthy();
  await press('发布');
  await waitFor(() => expect(address()).toBe('/lamp/publish?scheme=5'));
});

test('a draft that was never frozen cannot be published, and says why', async () => {
  server.answer(getScheme, { ...scheme, newest: null, state: 'draft' });
  const { address } = await renderInShell(
    <Routes>
      <Route path="/lamp/scheme/:id" element={<SchemePage />} />
    </Routes>,
    { address: '/lamp/scheme/5', codes: ['plan.publish'], pages: ['lamp/publish'] },
  );
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: '发布' });
  expect([button.disabled, button.title]).toEqual([true, '先定稿，才有版本可以发布']);
  fireEvent.keyDown(window, { key: 'p' });
  expect(address()).toBe('/lamp/scheme/5');
});
