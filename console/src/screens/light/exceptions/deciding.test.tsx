import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { errors } from '../../../../../contract/errors.ts';
import { decideException, listExceptions } from '../../../../../contract/light/exceptions.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { at, exceptionRow } from '../../../testing/exceptions.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import Exceptions from './index.tsx';

vi.setConfig({ testTimeout: 60_000 });
const server = serverForEach();

const open = (codes: string[]) =>
  renderInShell(<Exceptions />, { address: '/lamp/exceptions', codes, pages: ['lamp/exceptions'], live: server() });

test('roads that became darker than shown are said before anybody can agree to them', async () => {
  const arterial = { roadClass: 'arterial', lamps: 12, floor: 50, level: 30 };
  const found = [
    { ...arterial, lamps: 20, level: 27.5 },
    { roadClass: 'branch', lamps: 3, floor: 40, level: 20 },
  ];
  const ending = { by: '周敏', at, reason: '灯会提前结束', darkens: 201, belowFloor: [arterial] };
  const approval = {
    outcome: 'pending',
    expiresAt: '2026-11-23T05:00:00.000Z',
    digest: 'seen',
    decision: null,
    hindrance: null,
  } as const;
  const waits = (belowFloor: typeof found, digest = 'seen') => ({
    data: [exceptionRow({ ending: { ...ending, belowFloor }, approval: { ...approval, digest } })],
    recordsTotal: 1,
  });
  server().answer(listExceptions, waits([arterial]));
  server().on(decideException, () => {
    server().answer(listExceptions, waits(found, 'found'));
    const worse = { belowFloor: found, darkens: 201, digest: 'found' };
    return { status: 409, body: { status: 409, code: errors.changedMeanwhile.code, title: '情况已变化', ...worse } };
  });
  await open(['plan.query', 'lamp.approve']);
  await press('同意');
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('主干路：12 盏，最低 30%（下限 50%）');
  fireEvent.click(dialog.getByRole('button', { name: '同意，12 盏低于下限' }));
  await dialog.findByText('主干路：20 盏，最低 27.5%（下限 50%）');
  dialog.getByText('您打开之后有变化：现在 23 盏灯低于亮度下限');
  dialog.getByText('支路：3 盏，最低 20%（下限 40%）');
  // The row behind it says the same, and nothing is agreed to until it is ticked.
  await screen.findByText('23 (20%)');
  const agree = dialog.getByRole('button', { name: '同意，23 盏低于下限' });
  await waitFor(() => expect(agree.className).not.toContain('loading'));
  expect(agree).toHaveProperty('disabled', true);
  server().answer(decideException, { id: 5, state: 'cancelled' });
  fireEvent.click(dialog.getByRole('checkbox', { name: '已看过现在的灯数和亮度' }));
  fireEvent.click(agree);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Each names what was shown when it was sent.
  expect(
    server()
      .of(decideException)
      .map(({ body }) => JSON.parse(body ?? '') as object),
  ).toMatchObject([{ digest: 'seen' }, { digest: 'found' }]);
});

test('another answer for the exception under the dialog has to be ticked too', async () => {
  const waits = (lamps: number, digest = 'seen') => ({
    data: [
      exceptionRow({
        state: 'awaitingApproval',
        belowFloor: [{ roadClass: 'arterial', lamps, floor: 50, level: 30 }],
        darkens: 40,
        approval: {
          outcome: 'pending',
          expiresAt: '2026-11-23T05:00:00.000Z',
          digest,
          decision: null,
          hindrance: null,
        },
      }),
    ],
    recordsTotal: 1,
  });
  server().answer(listExceptions, waits(12));
  await open(['plan.query', 'lamp.approve']);
  await press('同意');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: '同意，12 盏低于下限' })).toHaveProperty('disabled', false);
  dialog.getByText('40 盏灯会变暗');
  server().answer(listExceptions, waits(15, 'more'));
  await waitFor(() => {
    server().tell({ type: 'plans' });
    expect(dialog.getByRole('button', { name: '同意，15 盏低于下限' })).toHaveProperty('disabled', true);
  });
  // Other lamps in the same number as at first are other ones.
  server().answer(listExceptions, waits(12, 'others'));
  await waitFor(() => {
    server().tell({ type: 'plans' });
    expect(dialog.getByRole('button', { name: '同意，12 盏低于下限' })).toHaveProperty('disabled', true);
  });
  dialog.getByText('数字没有变，但不是同一批灯');
});

test('who agrees to many that get darker is informed of how many, also when they become more', async () => {
  const waits = (darkens: number, digest: string) => ({
    data: [
      exceptionRow({
        state: 'awaitingApproval',
        darkens,
        approval: {
          outcome: 'pending',
          expiresAt: '2026-11-23T05:00:00.000Z',
          digest,
          decision: null,
          hindrance: null,
        },
      }),
    ],
    recordsTotal: 1,
  });
  server().answer(listExceptions, waits(201, 'seen'));
  await open(['plan.query', 'lamp.approve']);
  await press('同意');
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('201 盏灯会变暗');
  server().answer(listExceptions, waits(260, 'more'));
  await waitFor(() => {
    server().tell({ type: 'plans' });
    dialog.getByText('您打开之后有变化：现在 260 盏灯会变暗');
  });
  expect(dialog.getByRole('button', { name: '同意' })).toHaveProperty('disabled', true);
  server().answer(decideException, { id: 5, state: 'planned' });
  fireEvent.click(dialog.getByRole('checkbox', { name: '已看过现在的灯数和亮度' }));
  fireEvent.click(dialog.getByRole('button', { name: '同意' }));
  await waitFor(() =>
    expect(bodyOf(server(), decideException)).toEqual({ approved: true, digest: 'more', reason: null }),
  );
});
