import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { exportNight } from '../../../../../contract/desk/exports.ts';
import { getNight, listNightLamps } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { asOnPhone, bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import NightPage from './index.tsx';

const server = serverForEach();
const at = '2026-11-24T02:00:00.000Z';
const counts = { lamps: 100_000, ran: 99_812, diverged: 120, away: 60, silent: 8, plannedDark: 0, notJudged: 0 };
const rehearsal = {
  phase: 'over' as const,
  firstOn: '2026-11-23T08:50:00.000Z',
  askedAt: '2026-11-23T07:50:00.000Z',
  listedAt: '2026-11-23T08:30:00.000Z',
  lit: 100_000,
  unasked: 12,
  dark: 14,
};
const night: ReplyOf<typeof getNight> = {
  day: '2026-11-23',
  areas: 2,
  report: 'done',
  reportedAt: at,
  counts,
  rehearsal,
  byArea: [
    {
      workAreaId: 1,
      name: '滨江新区',
      timeZone: 'Asia/Shanghai',
      commandId: 7,
      report: 'done',
      reportedAt: at,
      counts,
      rehearsal,
    },
    {
      workAreaId: 2,
      name: '老城区',
      timeZone: 'Asia/Shanghai',
      commandId: 8,
      report: 'done',
      reportedAt: at,
      counts,
      rehearsal,
    },
  ],
  reasons: [
    { part: 'report', outcome: 'diverged', reason: 'fault', lamps: 100 },
    { part: 'rehearsal', outcome: 'dark', reason: 'noAnswer', lamps: 14 },
  ],
};
const lamp: ReplyOf<typeof listNightLamps>['data'][number] = {
  deviceId: 42,
  code: 'D-42',
  name: null,
  workAreaId: 1,
  areaName: '滨江新区',
  roadName: '滨江大道',
  outcome: 'diverged',
  reason: 'fault',
  since: '2026-11-20T10:00:00.000Z',
  detail: 'L101',
  stepAt: '2026-11-23T15:00:00.000Z',
  expected: 60,
  observed: 100,
  readingAt: '2026-11-23T15:05:00.000Z',
  misses: 2,
};

const open = (search = '') =>
  renderInShell(
    <Routes>
      <Route path="/lamp/night/:day" element={<NightPage />} />
    </Routes>,
    {
      address: `/lamp/night/2026-11-23${search}`,
      codes: ['plan.query'],
      pages: ['lamp/device', 'lamp/nights', 'lamp/night'],
      live: server(),
    },
  );
const asked = () => Object.fromEntries(server().of(listNightLamps).at(-1)?.query ?? []);

beforeEach(() => {
  toasts.setState([], true);
  server().answer(getNight, night);
  server().answer(listNightLamps, { data: [lamp], recordsTotal: 1 });
});

test('says how many ran the plan, why the others did not, and which; every number narrows the list', async () => {
  await open();
  await screen.findByText('D-42');
  expect(document.body.textContent).toContain('100,000 盏中 99,812 盏执行了方案');
  const row = screen.getAllByRole('row', { hidden: true }).find((one) => one.textContent.includes('D-42'));
  expect(row?.textContent).toMatch(/滨江大道.*与方案不一致.*灯具、驱动或继电器故障.*L101/);
  expect(asked()).toMatchObject({ page: '1' });
  await press(/120\s*与方案不一致/);
  await waitFor(() => expect(asked()).toMatchObject({ outcome: 'diverged' }));
  await press(/灯具、驱动或继电器故障/);
  await waitFor(() => expect(asked()).toMatchObject({ outcome: 'diverged', reason: 'fault' }));
  await press('老城区');
  await waitFor(() => expect(asked()).toMatchObject({ areaId: '2' }));
  await press(/14\s*可能不亮/);
  await waitFor(() => expect(asked()).toMatchObject({ part: 'rehearsal', areaId: '2' }));
  expect(asked()).not.toHaveProperty('outcome');
});

test('a lamp opens its page with why at the step that it missed', async () => {
  const { address } = await open();
  await press('D-42');
  await waitFor(() => expect(address()).toBe('/lamp/device?whyAt=2026-11-23T15%3A05%3A00.000Z'));
});

test('the address says what is listed, the file has the same, and the live line fetches again', async () => {
  await open('?outcome=away&reason=nothing&area=2');
  await screen.findByText('D-42');
  expect(asked()).toMatchObject({ outcome: 'away', areaId: '2' });
  expect(asked()).not.toHaveProperty('reason');
  server().on(exportNight, () => ({ status: 409, body: { status: 409 } }));
  await press('导出');
  await waitFor(() => expect(bodyOf(server(), exportNight)).toEqual({ day: '2026-11-23', outcome: 'away', areaId: 2 }));
  server().answer(getNight, { ...night, counts: { ...counts, ran: 99_813 } });
  await waitFor(() => {
    server().tell({ type: 'nights' });
    expect(document.body.textContent).toContain('99,813 盏执行了方案');
  });
});

test('prints the list as it is narrowed, up to a thousand lamps', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    expect(screen.getAllByText('D-42').length).toBe(2);
  });
  await open('?outcome=diverged');
  await screen.findByText('D-42');
  await press('打印');
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(asked()).toMatchObject({ outcome: 'diverged', size: '1000' });
  await waitFor(() => expect(screen.getAllByText('D-42').length).toBe(1));
});

test('a heading on paper has no empty part where nothing went wrong', async () => {
  let heading = '';
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    heading = screen.getAllByRole('heading', { level: 2, hidden: true }).at(-1)?.textContent ?? '';
  });
  print.mockClear();
  const well = { ...counts, ran: 100_000, diverged: 0, away: 0, silent: 0 };
  server().answer(getNight, { ...night, counts: well, reasons: [] });
  server().answer(listNightLamps, { data: [], recordsTotal: 0 });
  await open();
  await press('打印');
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(heading).toBe('晨报 · 0 盏');
});

test('what cannot be fetched is said and not printed, whatever was printed before', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  print.mockClear();
  await open();
  await screen.findByText('D-42');
  await press('打印');
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(screen.getAllByText('D-42').length).toBe(1));
  server().refuse(listNightLamps, 500);
  const before = server().of(listNightLamps).length;
  await press('打印');
  await waitFor(() => expect(toasts.getState().map(({ kind }) => kind)).toEqual(['failed']));
  expect(server().of(listNightLamps).length).toBeGreaterThan(before);
  expect(print).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.getAllByText('D-42').length).toBe(1));
});

test('on a phone a lamp is a card with its outcome, why, and the step that it missed', async () => {
  asOnPhone();
  await open();
  const card = (await screen.findByText('D-42')).closest('li');
  expect(card?.textContent).toMatch(
    /与方案不一致灯具、驱动或继电器故障 自 .*L101.*计划动作 .*60%.*读数 100%.*滨江大道/,
  );
});

test('before the morning the list is that of the rehearsal; before that there is none, which is said', async () => {
  const tonight = { ...night, report: 'planned' as const, reportedAt: null };
  server().answer(getNight, { ...tonight, rehearsal: { ...rehearsal, phase: 'listed' as const } });
  await open();
  await screen.findByText('D-42');
  expect(asked()).toMatchObject({ part: 'rehearsal' });
  expect(screen.getByRole('button', { name: /14\s*可能不亮/ }).getAttribute('aria-pressed')).toBe('true');
  server().answer(getNight, { ...tonight, rehearsal: { ...rehearsal, phase: 'asking' as const, dark: 0 } });
  await waitFor(() => {
    server().tell({ type: 'nights' });
    expect(screen.queryByText('D-42')).toBeNull();
  });
  screen.getByText('还没有名单');
  expect(screen.getAllByText('次日上午统计').length).toBeGreaterThan(0);
});

test('a night that is not there says so', async () => {
  server().refuse(getNight, 404);
  const { tabs } = await open();
  await screen.findByText('没有这一晚的记录');
  expect(tabs.getState().tabs.length).toBe(1);
});

test('one under way says where it stands, and has no figures yet', async () => {
  server().answer(getNight, {
    ...night,
    report: 'counting',
    reportedAt: null,
    rehearsal: { ...rehearsal, phase: 'listing', listedAt: null },
  });
  await open();
  await screen.findByText('D-42');
  expect(screen.getAllByText('正在统计').length).toBe(2);
  expect(document.body.textContent).toContain('正在列出');
  expect(document.body.textContent).not.toContain('盏执行了方案');
  expect(screen.queryByRole('button', { name: /与方案不一致|可能不亮/ })).toBeNull();
});

test('the list is searched by the keyboard: Enter asks, and the focus stays', async () => {
  await open();
  await screen.findByText('D-42');
  const box = screen.getByRole('searchbox', { name: '设备编号或名称' });
  box.focus();
  fireEvent.change(box, { target: { value: 'D-4' } });
  await act(async () => void fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13 }));
  await waitFor(() => expect(asked()).toMatchObject({ q: 'D-4', page: '1' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: '设备编号或名称' })));
  expect(document.activeElement).toBe(box);
});

test('every number that narrows the list takes the focus, and says whether it is chosen; nothing hinders a reader', async () => {
  await open('?outcome=away');
  await screen.findByText('D-42');
  for (const [name, pressed] of [
    [/60\s*离线/, 'true'],
    [/120\s*与方案不一致/, 'false'],
    [/14\s*可能不亮/, 'false'],
    [/灯具、驱动或继电器故障/, 'false'],
  ] as const) {
    const button = screen.getByRole('button', { name });
    button.focus();
    expect([document.activeElement, button.tabIndex, button.getAttribute('aria-pressed')]).toEqual([
      button,
      0,
      pressed,
    ]);
  }
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
