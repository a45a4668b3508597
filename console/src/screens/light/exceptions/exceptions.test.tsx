import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  cancelException,
  createException,
  decideException,
  listExceptions,
  previewException,
} from '../../../../../contract/light/exceptions.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Exceptions from './index.tsx';

vi.setConfig({ testTimeout: 60_000 });
const server = serverForEach();

type Row = ReplyOf<typeof listExceptions>['data'][number];
const row = (more: Partial<Row> = {}): Row => ({
  id: 5,
  state: 'inForce',
  scope: { roadIds: [1], names: ['滨江大道'] },
  fromDay: '2026-11-23',
  toDay: '2026-11-25',
  from: '2026-11-23T04:00:00.000Z',
  to: '2026-11-26T04:00:00.000Z',
  op: 'max',
  level: 90,
  programme: null,
  reason: '春节灯会照明',
  actorName: '张工',
  createdAt: '2026-11-22T04:00:00.000Z',
  endedAt: null,
  endReason: null,
  total: 312,
  whole: true,
  cannot: 2,
  darkens: 0,
  approval: null,
  ...more,
});
const open = (codes: string[]) =>
  renderInShell(<Exceptions />, { address: '/lamp/exceptions', codes, pages: ['lamp/exceptions'], live: server() });

test('the list says what holds when, for how many, and who may end it or agree to it', async () => {
  server().answer(listExceptions, {
    data: [
      row(),
      row({
        id: 6,
        state: 'awaitingApproval',
        reason: '供电局检修停灯',
        op: 'set',
        level: 0,
        approval: { outcome: 'pending', expiresAt: '2026-11-23T05:00:00.000Z', decision: null, hindrance: null },
      }),
    ],
    recordsTotal: 2,
  });
  server().answer(cancelException, { id: 5, state: 'cancelled' });
  server().answer(decideException, { id: 6, state: 'refused' });
  await open(['plan.query', 'plan.exception', 'lamp.approve']);
  const first = (await screen.findByText('春节灯会照明')).closest('tr');
  if (!first) throw new Error('no row');
  for (const text of ['生效中', '至少 90%', '2026-11-23 – 2026-11-25', '滨江大道', '312 盏，其中 2 盏不能执行', '张工'])
    expect(within(first).getByText(text)).toBeTruthy();
  expect(within(first).queryByRole('button', { name: '同意' })).toBeNull();
  fireEvent.click(within(first).getByRole('button', { name: '取消例外' }));
  let dialog = within(await screen.findByRole('dialog'));
  const confirm = dialog.getByRole('button', { name: '取消例外' });
  expect(confirm).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('理由'), { target: { value: '提前结束' } });
  fireEvent.click(confirm);
  await waitFor(() => expect(bodyOf(server(), cancelException)).toEqual({ reason: '提前结束' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('拒绝');
  dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('理由'), { target: { value: '太暗' } });
  fireEvent.click(dialog.getByRole('button', { name: '拒绝' }));
  await waitFor(() => expect(bodyOf(server(), decideException)).toEqual({ approved: false, reason: '太暗' }));
});

test('who may only look sees no buttons', async () => {
  server().answer(listExceptions, { data: [row()], recordsTotal: 1 });
  await open(['plan.query']);
  expect(await screen.findByText('春节灯会照明')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '取消例外' })).toBeNull();
  expect(screen.queryByRole('button', { name: '新建例外' })).toBeNull();
});

test('a new one is looked at before it is made', async () => {
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 312 }], groups: [], controllers: [] });
  server().answer(previewException, {
    from: '2026-11-23T04:00:00.000Z',
    to: '2026-11-26T04:00:00.000Z',
    lamps: 312,
    cannot: [{ reason: 'periods', count: 2 }],
    darkens: 310,
    needsSecond: true,
    belowFloor: [{ roadClass: 'arterial', lamps: 312, floor: 50 }],
  });
  server().answer(createException, { id: 9, total: 312, state: 'awaitingApproval' });
  await open(['plan.query', 'plan.exception']);
  fireEvent.click((await screen.findAllByRole('button', { name: '新建例外' }))[0]!);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: '查看影响' })).toHaveProperty('disabled', true);
  await chooseOption(dialog.getByRole('combobox'), '滨江大道 (312)');
  const [from, to] = dialog.getAllByRole('textbox').slice(0, 2);
  for (const [box, day] of [
    [from, '2099-11-23'],
    [to, '2099-11-25'],
  ] as const) {
    if (!box) throw new Error('no box for a day');
    fireEvent.mouseDown(box);
    fireEvent.change(box, { target: { value: day } });
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 });
  }
  fireEvent.change(dialog.getByRole('spinbutton'), { target: { value: '20' } });
  fireEvent.change(dialog.getByLabelText(/^原因/), { target: { value: '供电局检修停灯' } });
  await press('查看影响');
  expect(await dialog.findByText('影响 312 盏灯')).toBeTruthy();
  expect(dialog.getByText('其中 310 盏会变暗')).toBeTruthy();
  expect(dialog.getByText('需要第二人审批')).toBeTruthy();
  expect(dialog.getByText('2 盏灯时段过多，不执行')).toBeTruthy();
  expect(bodyOf(server(), previewException)).toEqual({
    scope: { roadIds: [1] },
    fromDay: '2099-11-23',
    toDay: '2099-11-25',
    op: 'set',
    level: 20,
  });
  await press('确定');
  await waitFor(() => expect(bodyOf(server(), createException)).toMatchObject({ level: 20, reason: '供电局检修停灯' }));
});
