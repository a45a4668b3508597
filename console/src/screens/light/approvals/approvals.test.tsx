import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decideCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { decideException, listExceptions } from '../../../../../contract/light/exceptions.ts';
import { decidePublication, listPublications } from '../../../../../contract/light/publications.ts';
import type { Exception } from '../../../parts/exceptions/words.ts';
import { ApprovalButton } from '../../../app/approvals/ApprovalButton.tsx';
import { commandTask } from '../../../testing/commands.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { publication, waitingApproval } from '../../../testing/publications.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import Approvals from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const waiting = (id: number, hindrance: 'own' | 'area' | null, more: Parameters<typeof commandTask>[0] = {}) =>
  commandTask({
    id,
    command: 'off',
    args: {},
    state: 'awaitingApproval',
    total: 300,
    states: { waiting: 300 },
    reason: '供电局检修',
    scope: { names: ['滨江大道'], roadId: 1 },
    approval: {
      outcome: 'pending',
      digest: `d${id}`,
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      decision: null,
      hindrance,
    },
    ...more,
  });
const exception = {
  state: 'awaitingApproval' as const,
  scope: { roadIds: [1], names: ['滨江大道'] },
  fromDay: '2026-12-01',
  toDay: '2026-12-02',
  from: '2026-12-01T04:00:00Z',
  to: '2026-12-03T04:00:00Z',
  op: 'min' as const,
  level: 40,
  programme: null,
  reason: '道路施工',
  actorName: '王五',
  createdAt: '2026-11-20T10:00:00Z',
  endedAt: null,
  endReason: null,
  total: 320,
  whole: true,
  cannot: 0,
  darkens: 300,
  belowFloor: [],
  agreedBy: null,
} satisfies Partial<Exception>;
let server: ContractServer;
const open = (codes = ['lamp.approve'], search = '') =>
  renderInShell(
    <>
      <ApprovalButton />
      <Approvals />
    </>,
    { address: `/lamp/approvals${search}`, codes, pages: ['lamp/approvals'], live: server },
  );

beforeEach(async () => {
  server = await contractServer();
  server.answer(listPublications, { data: [], recordsTotal: 0 });
  server.answer(listExceptions, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('what waits says what, to how many, where, who asks and why; own ones say why they wait for somebody else', async () => {
  server.answer(listCommands, {
    data: [waiting(6, null), waiting(7, 'own', { actorName: '管理员' }), waiting(8, 'area')],
    recordsTotal: 3,
  });
  await open();
  const [mine, own, foreign] = (
    await within(await screen.findByRole('list', { name: '待审批' })).findAllByRole('listitem')
  ).map((one) => within(one));
  for (const text of ['关灯', '300 盏', '滨江大道 · 300 盏', '供电局检修']) expect(mine!.getByText(text)).toBeTruthy();
  expect(mine!.getByText(/^还剩 0\d:\d\d$/)).toBeTruthy();
  expect(own!.getByText('自己提交的任务须由他人审批。')).toBeTruthy();
  expect(own!.queryByRole('button', { name: '同意' })).toBeNull();
  expect(foreign!.getByText(/看不到的设备/)).toBeTruthy();
  // Only what this account can decide is counted above.
  expect(screen.getByRole('button', { name: '1 个任务等您审批' })).toBeTruthy();
});

test('a decision takes it off the list and out of the header', async () => {
  server.answer(listCommands, { data: [waiting(6, null)], recordsTotal: 1 });
  server.answer(decideCommand, { state: 'running' });
  await open();
  await press('同意');
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  const buttons = ['同意', '驳回'].map((name) => screen.getByRole<HTMLButtonElement>('button', { name, hidden: true }));
  await press('同意，下发给 300 盏');
  // Nothing more is decided about it while it waits to be sent.
  await waitFor(() => expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true]));
  await screen.findByText('没有等待审批的任务');
  expect(bodyOf(server, decideCommand)).toEqual({ approved: true, digest: 'd6' });
  await waitFor(() => expect(screen.queryByRole('button', { name: /等您审批/ })).toBeNull());
});

test('somebody else’s request appears by itself', async () => {
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  await open();
  await screen.findByText('没有等待审批的任务');
  server.answer(listCommands, { data: [waiting(9, null)], recordsTotal: 1 });
  await waitFor(() => {
    server.tell({ type: 'commands' });
    expect(screen.getByRole('button', { name: '1 个任务等您审批' })).toBeTruthy();
  });
  expect(screen.getByRole('button', { name: '同意' })).toBeTruthy();
});

test('what became of them is kept: outcome, by whom, when and why; asked for by outcome and name', async () => {
  const decision = (approved: boolean) => ({
    approved,
    by: '李强',
    at: '2026-11-20T13:50:00.000Z',
    reason: '今晚有活动',
  });
  const done = (
    id: number,
    outcome: 'agreed' | 'refused' | 'expired' | 'withdrawn',
    more: Parameters<typeof commandTask>[0] = {},
    made: ReturnType<typeof decision> | null = null,
  ) =>
    waiting(id, null, {
      state: 'finished',
      approval: { outcome, digest: 'd', expiresAt: '2026-11-20T13:56:31.000Z', decision: made, hindrance: 'decided' },
      ...more,
    });
  server.on(listCommands, ({ query }) => ({
    status: 200,
    body:
      query.get('approval') === 'agreed,refused,expired,withdrawn'
        ? {
            data: [
              done(5, 'agreed', {}, decision(true)),
              done(4, 'refused', { state: 'refused' }, decision(false)),
              done(3, 'expired', { state: 'lapsed' }),
              done(2, 'withdrawn', {
                state: 'cancelled',
                cancelled: { by: '管理员', at: '2026-11-20T13:48:00.000Z', reason: '误操作' },
              }),
            ],
            recordsTotal: 4,
          }
        : { data: [], recordsTotal: 0 },
  }));
  await open(undefined, '?view=history');
  await screen.findByText('#5');
  const rows = screen.getAllByRole('row', { hidden: true }).map((row) => row.textContent);
  const row = (id: number) => rows.find((text) => text.includes(`#${id}`)) ?? '';
  for (const [id, ...texts] of [
    [5, '已同意', '李强', '13:50', '今晚有活动'],
    [4, '已驳回', '李强', '13:50'],
    [3, '已过期', '13:56'],
    [2, '已撤回', '管理员', '13:48', '误操作'],
  ] as const)
    for (const text of texts) expect(row(id), `${id} ${text}`).toContain(text);
  expect(row(3)).not.toContain('李强');
});

test('an address asks for outcomes and who decided', async () => {
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  await open(undefined, '?view=history&approval=refused,expired&approver=周');
  await screen.findByText('没有符合条件的任务');
  expect(
    server
      .of(listCommands)
      .some(({ query }) => query.get('approval') === 'refused,expired' && query.get('approver') === '周'),
  ).toBe(true);
});

test('decided publications and exceptions stand in the history too, by outcome, by whom and why', async () => {
  const decided = (outcome: 'agreed' | 'refused', reason: string | null) => ({
    outcome,
    expiresAt: '2026-11-20T14:00:00.000Z',
    decision: { by: '李强', at: '2026-11-20T13:50:00.000Z', reason },
    hindrance: 'decided' as const,
  });
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  server.answer(listPublications, {
    data: [publication({ id: 12, phase: 'refused', approval: decided('refused', '今晚有活动') })],
    recordsTotal: 1,
  });
  server.answer(listExceptions, {
    data: [{ ...exception, id: 21, state: 'inForce', approval: { ...decided('agreed', null), digest: 'seen' } }],
    recordsTotal: 1,
  });
  await open(undefined, '?view=history');
  await screen.findByText('还没有审批记录');
  const rowOf = (text: string | RegExp): string => screen.getByText(text).closest('tr')?.textContent ?? '';
  fireEvent.click(screen.getByText('方案发布'));
  await screen.findByText('#12');
  for (const text of ['已驳回', '滨江大道', '周敏', '李强', '13:50', '今晚有活动'])
    expect(rowOf('#12'), text).toContain(text);
  expect(server.of(listPublications).at(-1)?.query.get('approval')).toBe('agreed,refused,expired,withdrawn');
  fireEvent.click(screen.getByText('临时例外'));
  await screen.findByText(/至多 40%/);
  for (const text of ['已同意', '2026-12-01', '王五', '李强', '道路施工'])
    expect(rowOf(/至多 40%/), text).toContain(text);
  expect(server.of(listExceptions).at(-1)?.query.get('approval')).toBe('agreed,refused,expired,withdrawn');
});

test('who may not approve has no way to it in the header', async () => {
  server.answer(listCommands, { data: [waiting(6, null)], recordsTotal: 1 });
  await renderInShell(
    <>
      <ApprovalButton />
      <p>page</p>
    </>,
    { codes: ['lamp.control'], pages: ['lamp/approvals'] },
  );
  await screen.findByText('page');
  expect(screen.queryByRole('button')).toBeNull();
});

test('publications wait beside the tasks, are counted with them, and are decided here', async () => {
  const waits = (id: number, hindrance: 'own' | null) =>
    publication({
      id,
      phase: 'awaitingApproval',
      states: { waiting: 120 },
      darkens: 90,
      approval: waitingApproval(hindrance),
      findings: [{ code: 'darker', severity: 'warning', params: { lamps: 90 } }],
    });
  server.answer(listCommands, { data: [waiting(6, null)], recordsTotal: 1 });
  server.answer(listPublications, { data: [waits(12, null), waits(13, 'own')], recordsTotal: 2 });
  server.answer(decidePublication, { id: 12, phase: 'refused' });
  await open();
  const [mine, own] = (
    await within(await screen.findByRole('list', { name: '方案发布' })).findAllByRole('listitem', { name: /^发布方案/ })
  ).map((one) => within(one));
  for (const text of ['120 盏', '滨江大道 · 120 盏', '深夜减光', '90 盏', '先下发给 6 盏', '90 盏比现在暗'])
    expect(mine!.getByText(text), text).toBeTruthy();
  expect(own!.getByText('自己的发布须由他人审批。')).toBeTruthy();
  expect(screen.getByRole('button', { name: '2 个任务等您审批' })).toBeTruthy();
  expect(screen.getByText('待审批 3')).toBeTruthy();
  mine!.getByRole('button', { name: '驳回' }).click();
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: /^原因/ }), { target: { value: '今晚有活动' } });
  server.answer(listPublications, { data: [waits(13, 'own')], recordsTotal: 1 });
  dialog.getByRole('button', { name: '驳回' }).click();
  await waitFor(() => expect(bodyOf(server, decidePublication)).toEqual({ approved: false, reason: '今晚有活动' }));
  await screen.findByText('待审批 2');
});

test('publications that could not be fetched are said beside the tasks that were', async () => {
  server.answer(listCommands, { data: [waiting(6, null)], recordsTotal: 1 });
  server.refuse(listPublications, 500, { message: '稍后再试' });
  await open();
  await screen.findByText('等待审批的发布没有取到');
  expect(screen.getByRole('list', { name: '待审批' })).toBeTruthy();
});

test('exceptions wait beside the tasks, are counted with them, and are decided here', async () => {
  const waits = (id: number, hindrance: 'own' | null) => ({
    ...{ ...exception, id },
    approval: { ...waitingApproval(hindrance), digest: 'seen' },
  });
  server.answer(listCommands, { data: [waiting(6, null)], recordsTotal: 1 });
  server.answer(listExceptions, { data: [waits(21, null), waits(22, 'own')], recordsTotal: 2 });
  server.answer(decideException, { id: 21, state: 'planned' });
  await open();
  const [mine, own] = (
    await within(await screen.findByRole('list', { name: '临时例外' })).findAllByRole('listitem', { name: /^临时例外/ })
  ).map((one) => within(one));
  for (const text of ['至多 40%', '2026-12-01 – 2026-12-02', '滨江大道', '300'])
    expect(mine!.getByText(text), text).toBeTruthy();
  expect(own!.getByText('自己的例外须由他人审批。')).toBeTruthy();
  expect(own!.queryByRole('button', { name: '同意' })).toBeNull();
  expect(screen.getByRole('button', { name: '2 个任务等您审批' })).toBeTruthy();
  expect(screen.getByText('待审批 3')).toBeTruthy();
  mine!.getByRole('button', { name: '同意' }).click();
  const dialog = within(await screen.findByRole('dialog'));
  server.answer(listExceptions, { data: [waits(22, 'own')], recordsTotal: 1 });
  dialog.getByRole('button', { name: '同意' }).click();
  await waitFor(() =>
    expect(bodyOf(server, decideException)).toEqual({ approved: true, digest: 'seen', reason: null }),
  );
  await screen.findByText('待审批 2');
});

test('an end that waits says what it leaves below the floor, and not what the exception does', async () => {
  const below = (lamps: number, level: number) => [{ roadClass: 'arterial', lamps, floor: 50, level }];
  const ending = { by: '周敏', at: '2026-11-20T13:00:00.000Z', reason: '灯会提前结束', darkens: 201 };
  server.answer(listCommands, { data: [], recordsTotal: 0 });
  server.answer(listExceptions, {
    data: [
      {
        ...{ ...exception, id: 21, state: 'inForce', belowFloor: below(7, 40) },
        ...{ ending: { ...ending, belowFloor: below(12, 30) }, approval: { ...waitingApproval(null), digest: 'seen' } },
      },
    ],
    recordsTotal: 1,
  });
  await open();
  const one = within(await screen.findByRole('listitem', { name: '提前结束临时例外：道路施工' }));
  one.getByText('12 (30%)');
  expect(one.queryByText('7 (40%)')).toBeNull();
  one.getByRole('button', { name: '同意' }).click();
  await within(await screen.findByRole('dialog')).findByText('主干路：12 盏，最低 30%（下限 50%）');
});
