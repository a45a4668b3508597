import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { listNights } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { asOnPhone, press, renderInShell } from '../../../testing/shell.tsx';
import Nights from './index.tsx';

const server = serverForEach();
/** A busy machine answers late. */
const patience = 90_000;
type Row = ReplyOf<typeof listNights>['data'][number];
const counts = { lamps: 600, ran: 570, diverged: 4, away: 5, silent: 1, plannedDark: 0, notJudged: 20 };
const rehearsal = {
  phase: 'over' as const,
  firstOn: '2026-11-23T08:50:00.000Z',
  askedAt: '2026-11-23T07:50:00.000Z',
  listedAt: '2026-11-23T08:30:00.000Z',
  lit: 600,
  unasked: 0,
  dark: 14,
};
const last: Row = {
  day: '2026-11-23',
  areas: 1,
  report: 'done',
  reportedAt: '2026-11-24T02:00:00.000Z',
  counts,
  rehearsal,
};
const tonight: Row = {
  day: '2026-11-24',
  areas: 1,
  report: 'planned',
  reportedAt: null,
  counts: { lamps: 0, ran: 0, diverged: 0, away: 0, silent: 0, plannedDark: 0, notJudged: 0 },
  rehearsal: { ...rehearsal, phase: 'asking', askedAt: null, listedAt: null, dark: 0 },
};

const open = () =>
  renderInShell(<Nights />, {
    address: '/lamp/nights',
    codes: ['plan.query'],
    pages: ['lamp/nights', 'lamp/night'],
    live: server(),
  });

beforeEach(() => server().answer(listNights, { data: [tonight, last], recordsTotal: 2 }));

test(
  'a night says who ran the plan, who did not, and who was expected not to light; each opens its list',
  async () => {
    const { address } = await open();
    const rowOf = async (day: string) => (await screen.findByText(day)).closest('tr') ?? expect.fail('no row');
    const before = await rowOf('2026年11月23日 夜');
    expect(before.textContent).toMatch(/600 盏中 570 盏执行了方案 · 20 盏未判定10.*14 盏今晚可能不亮/);
    const now = await rowOf('2026年11月24日 夜');
    expect(now.textContent).toMatch(/次日上午统计—正在读取/);
    expect(within(now).queryByRole('button', { name: /可能不亮/, hidden: true })).toBeNull();
    await press('14 盏今晚可能不亮');
    await waitFor(() => expect(address()).toBe('/lamp/night?part=rehearsal'));
  },
  patience,
);

test('nights that could not be loaded are called so, and not as the lamps that did not run the plan', async () => {
  server().refuse(listNights, 500, { message: '出错了', requestId: 'r-1' });
  await open();
  expect(await screen.findByText('夜晚列表没有取到')).toBeTruthy();
});

test('a rehearsal that had not begun by the morning is not announced any more', async () => {
  const never = { ...last, rehearsal: { ...rehearsal, phase: 'planned' as const, firstOn: null, dark: 0 } };
  server().answer(listNights, { data: [never], recordsTotal: 1 });
  await open();
  const row = (await screen.findByText('2026年11月23日 夜')).closest('tr');
  expect(row?.textContent).toMatch(/没有预演$/);
});

test(
  'the live line fetches again',
  async () => {
    await open();
    await screen.findByText('2026年11月23日 夜');
    server().answer(listNights, { data: [{ ...last, counts: { ...counts, ran: 571, away: 4 } }], recordsTotal: 1 });
    const asked = server().of(listNights).length;
    await waitFor(() => {
      server().tell({ type: 'nights' });
      expect(server().of(listNights).length).toBeGreaterThan(asked);
    });
    // Rows are drawn when there is time: nothing more is said meanwhile.
    await waitFor(() => expect(document.body.textContent).toContain('571 盏执行了方案'), { timeout: 20_000 });
  },
  patience,
);

test('on a phone a night is a card', async () => {
  asOnPhone();
  await open();
  const card = (await screen.findByText('2026年11月23日 夜')).closest('li');
  expect(card?.textContent).toBe(
    '2026年11月23日 夜10 盏未执行600 盏中 570 盏执行了方案 · 20 盏未判定开灯前预演 · 14 盏今晚可能不亮',
  );
});

test('before the first night there is none, and what fails can be asked for again', async () => {
  server().refuse(listNights, 503, { message: '稍后再试' });
  await open();
  await screen.findByText(/稍后再试/);
  server().answer(listNights, { data: [], recordsTotal: 0 });
  await press('重试');
  await screen.findByText('有灯之后，第一份统计在次日上午出现。');
});
