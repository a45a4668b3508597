import axe from 'axe-core';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getHistoryStorage, updateHistoryStorage } from '../../../../../contract/history/history.ts';
import { addDays, dayOf } from '../../../../../catalogue/lighting/zone.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import HistoryStorage from './index.tsx';
import { lastDay, lostBy, problemsOf, type Storage } from './retention.ts';

const today = dayOf(Date.now(), 'UTC');
const day = (ago: number) => ({
  from: addDays(today, -ago),
  to: addDays(today, 1 - ago),
  rows: 1000,
  bytes: 10 * 2 ** 20,
  drops: ago > 400,
});
const tables = [401, 300, 200, 100, 1, 0].map(day);
const stored: Storage = {
  retention: { rawDays: 400, hourYears: 5 },
  parts: [
    { part: 'raw', rows: 6000, bytes: 60 * 2 ** 20, from: tables[0]!.from, to: tables.at(-1)!.to, tables },
    {
      part: 'hour',
      rows: 20,
      bytes: 2048,
      from: '2026-11-01',
      to: '2026-12-01',
      tables: [{ from: '2026-11-01', to: '2026-12-01', rows: 20, bytes: 2048, drops: false }],
    },
    { part: 'day', rows: 0, bytes: 0, from: null, to: null, tables: [] },
  ],
  databaseBytes: 3 * 2 ** 30,
  freeBytes: 5 * 2 ** 30,
  growth: { rowsPerDay: 1000, bytesPerDay: 10 * 2 ** 20, bytesInMonth: 300 * 2 ** 20, bytesInYear: 9 * 2 ** 30 },
  rolledTo: '2026-11-21T10:00:00.000Z',
  lateWaiting: 3,
  daysWaiting: 0,
  lastCleaned: null,
};
let server: ContractServer;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
const open = () => renderInShell(<HistoryStorage />);
const type = async (label: RegExp, value: string): Promise<void> => {
  const box = await screen.findByLabelText(label);
  await act(async () => void fireEvent.change(box, { target: { value } }));
};

beforeEach(async () => {
  server = await contractServer();
  server.answer(getHistoryStorage, stored);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('settings', () => {
  test('what is refused before anything is asked', () => {
    expect(problemsOf({ rawDays: null, hourYears: 1.5 })).toEqual({ rawDays: 'required', hourYears: 'whole' });
    expect(problemsOf({ rawDays: 34, hourYears: 31 })).toEqual({ rawDays: 'bounds', hourYears: 'bounds' });
    expect(problemsOf({ rawDays: 35, hourYears: 30 })).toEqual({});
  });
  test('what a shorter time takes away: whole tables that the one in force would keep', () => {
    expect(lostBy({ rawDays: 150, hourYears: 5 }, stored, today)).toEqual([
      { part: 'raw', tables: 2, rows: 2000, bytes: 20 * 2 ** 20, from: addDays(today, -300), to: addDays(today, -199) },
    ]);
    expect(lostBy({ rawDays: 500, hourYears: 5 }, stored, today)).toEqual([]);
    expect(
      lostBy(
        { rawDays: 200, hourYears: 5 },
        { ...stored, parts: [{ ...stored.parts[0]!, tables: [day(200), day(201)] }] },
        today,
      ),
    ).toMatchObject([{ from: addDays(today, -201), tables: 1 }]);
  });
  test('days are told with their last one, and no further than today', () => {
    expect([lastDay('2026-11-21', '2026-11-22'), lastDay('2027-01-01', '2026-11-22')]).toEqual([
      '2026-11-20',
      '2026-11-22',
    ]);
  });
});

test('sizes, growth and what does not fit; tables on demand with their fate; axe finds nothing', async () => {
  await open();
  const parts = within(await screen.findByRole('table', { name: '各部分占用' }));
  expect(
    parts
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    expect.stringContaining('62.9 MB约 6,000'),
    expect.stringContaining('2.05 kB约 20'),
    expect.stringContaining('0 kB0—0'),
  ]);
  expect(screen.getByText('不够一年所需，请缩短保存期限或扩容')).toBeTruthy();
  expect(screen.getByText('待补算：迟到读数 3 项，日汇总 0 项')).toBeTruthy();
  await press('6 个');
  const rows = within(await screen.findByRole('table', { name: '逐条读数的分区' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(rows[0]).toContain(today);
  expect(rows.at(-1)).toContain('将被清理');
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

test('a wrong value is said at its field, nothing is sent', async () => {
  await open();
  await type(/逐条读数保存/, '5');
  await press('保存');
  expect(await screen.findByText('应在 35 到 3650 之间')).toBeTruthy();
  expect(server.of(updateHistoryStorage)).toEqual([]);
});

test('a shorter time is saved only after what it takes away was named', async () => {
  server.answer(updateHistoryStorage, { ...stored, retention: { rawDays: 150, hourYears: 5 } });
  await open();
  await type(/逐条读数保存/, '150');
  await press('保存');
  const dialog = within(await screen.findByRole('dialog'));
  expect(
    dialog.getByText(new RegExp(`${addDays(today, -300)} 至 ${addDays(today, -200)}，21 MB，约 2,000 行`)),
  ).toBeTruthy();
  expect(server.of(updateHistoryStorage)).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: '缩短并删除' }));
  await waitFor(() =>
    expect(bodyOf(server, updateHistoryStorage)).toEqual({
      rawDays: 150,
      hourYears: 5,
      before: { rawDays: 400, hourYears: 5 },
    }),
  );
});

test('a longer one is saved at once; somebody else’s change is told and can be loaded', async () => {
  server.refuse(updateHistoryStorage, 409, { message: '已被他人修改' });
  await open();
  await type(/小时汇总保存/, '9');
  await press('保存');
  expect((await screen.findByRole('alert')).textContent).toContain('已被他人修改');
  server.answer(getHistoryStorage, { ...stored, retention: { rawDays: 400, hourYears: 7 } });
  await press('载入最新设置');
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/小时汇总保存/).value).toBe('7'));
});

test('failing says so and can be tried again', async () => {
  server.refuse(getHistoryStorage, 500, { message: '坏了', requestId: 'r-1' });
  await open();
  expect((await screen.findByRole('alert')).textContent).toContain('r-1');
  server.answer(getHistoryStorage, stored);
  await press('重试');
  expect(await screen.findByRole('table', { name: '各部分占用' })).toBeTruthy();
});
