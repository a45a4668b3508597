import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { errors } from '../../../../../contract/errors.ts';
import { importHolidays } from '../../../../../contract/light/calendar.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { HolidayBanner } from './HolidayBanner.tsx';

const server = serverForEach();
afterEach(cleanup);
const year = { country: 'CN', year: 2027, state: 'official', source: 'b.csv', importedAt: null, days: [] } as const;
const reply = (darkens: number) => ({ ...year, days: [], darkens });

async function open(enabled = true) {
  const onImported = vi.fn();
  await renderInShell(
    <HolidayBanner
      preview={{
        country: 'CN',
        days: [],
        // The year that is shown is known, the next one is not.
        years: [
          { year: 2026, state: 'official' },
          { year: 2027, state: 'unknown' },
        ],
        unknown: [],
      }}
      calendar={{
        default: 1,
        rules: [{ programme: 2, label: '假日', enabled, when: [{ kind: 'holiday', class: 'public', name: null }] }],
      }}
      readOnly={false}
      onImported={onImported}
    />,
    { codes: ['plan.edit'] },
  );
  return onImported;
}
async function choose(name: string) {
  await press('导入 2027 年');
  fireEvent.change(screen.getByLabelText('节假日文件'), { target: { files: [new File(['date'], name)] } });
  return within(await screen.findByRole('dialog'));
}

test('a year to come whose holidays nobody knows is said, with the rules that are silent in it', async () => {
  await open();
  await screen.findByText('2027 年的节假日还不知道');
  screen.getByText('在这些年份里，下列规则不起作用：假日');
});

test('a rule that is switched off asks for no holidays', async () => {
  await open(false);
  await screen.findByLabelText('节假日文件');
  expect(screen.queryByText(/节假日还不知道/)).toBeNull();
  expect(screen.queryByRole('button', { name: '导入 2027 年' })).toBeNull();
});

test('a file of holidays is tried before it is imported, and says how many lamps get darker', async () => {
  server().wouldChange(importHolidays, { holidays: { added: 33, changed: 0, removed: 0 } }, reply(12));
  const onImported = await open();
  expect(server().triesOf(importHolidays)).toEqual([]);
  const dialog = await choose('a.csv');
  await dialog.findByText('12 盏变暗');
  const [tried, ...more] = server().triesOf(importHolidays);
  expect([more, tried?.query.get('name'), tried?.headers['content-type']]).toEqual([
    [],
    'a.csv',
    'application/octet-stream',
  ]);
  expect(server().of(importHolidays)).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: '取消' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  server().wouldChange(importHolidays, {}, reply(0));
  const again = await choose('b.csv');
  await again.findByText('没有灯变暗');
  server().answer(importHolidays, reply(0));
  fireEvent.click(again.getByRole('button', { name: '导入 2027 年' }));
  await waitFor(() => expect(onImported).toHaveBeenCalledOnce());
  expect(
    server()
      .of(importHolidays)
      .map(({ query }) => query.get('name')),
  ).toEqual(['b.csv']);
});

test('holidays for which the number of lamps is wanted are not called impossible; others are', async () => {
  server().refuseTries(importHolidays, 400, {
    code: errors.holidaysDarken.code,
    message: '输入 312 以导入',
    count: 312,
  });
  await open();
  const dialog = await choose('a.csv');
  expect((await dialog.findByText(/输入 312 以导入/)).textContent).not.toContain('目前无法执行');
  fireEvent.click(dialog.getByRole('button', { name: '取消' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  server().refuseTries(importHolidays, 400, { code: errors.fileEmpty.code, message: '文件是空的' });
  await (await choose('b.csv')).findByText(/目前无法执行：文件是空的/);
});
