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
import { getSchemeVersion, listSchemes } from '../../../../../contract/light/schemes.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { serverForEach } from '../../../testing/contract-server.ts';
import { at, exceptionRow } from '../../../testing/exceptions.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Exceptions from './index.tsx';

vi.setConfig({ testTimeout: 60_000 });
const server = serverForEach();

const open = (codes: string[]) =>
  renderInShell(
    <>
      <Exceptions />
      <AskHost />
    </>,
    { address: '/lamp/exceptions', codes, pages: ['lamp/exceptions'], live: server() },
  );

test('the list says what holds when, for how many, and who may end it or agree to it', async () => {
  server().answer(listExceptions, {
    data: [
      exceptionRow(),
      exceptionRow({
        id: 6,
        state: 'awaitingApproval',
        reason: '供电局检修停灯',
        op: 'set',
        level: 0,
        approval: {
          outcome: 'pending',
          expiresAt: '2026-11-23T05:00:00.000Z',
          digest: 'seen',
          decision: null,
          hindrance: null,
        },
      }),
    ],
    recordsTotal: 2,
  });
  server().answer(cancelException, { id: 5, state: 'cancelled', lamps: 312, darker: 300 });
  server().wouldChange(cancelException, {}, { id: 5, state: 'inForce', waits: true, lamps: 312, darker: 300 });
  server().answer(decideException, { id: 6, state: 'refused' });
  await open(['plan.query', 'plan.exception', 'lamp.approve']);
  const first = (await screen.findByText('春节灯会照明')).closest('tr');
  if (!first) throw new Error('no row');
  for (const text of ['生效中', '至少 90%', '2026-11-23 – 2026-11-25', '滨江大道', '312 盏，其中 2 盏不能执行', '张工'])
    expect(within(first).getByText(text)).toBeTruthy();
  expect(within(first).queryByRole('button', { name: '同意' })).toBeNull();
  // What has not begun is cancelled, what is in force ends.
  expect(screen.getByRole('button', { name: '取消例外' })).toBeTruthy();
  fireEvent.click(within(first).getByRole('button', { name: '提前结束' }));
  let dialog = within(await screen.findByRole('dialog'));
  const confirm = dialog.getByRole('button', { name: '提前结束' });
  expect(confirm).toHaveProperty('disabled', true);
  await dialog.findByText('将影响 312 盏灯；300 盏变暗；要由第二人同意');
  fireEvent.change(dialog.getByLabelText('理由'), { target: { value: '提前结束' } });
  fireEvent.click(confirm);
  await waitFor(() => expect(bodyOf(server(), cancelException)).toEqual({ reason: '提前结束' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('驳回');
  dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('理由'), { target: { value: '太暗' } });
  fireEvent.click(dialog.getByRole('button', { name: '驳回' }));
  await waitFor(() =>
    expect(bodyOf(server(), decideException)).toEqual({ approved: false, digest: 'seen', reason: '太暗' }),
  );
});

test('an end that waits says who wants it and why, and is decided, not asked for twice', async () => {
  const ending = {
    ...{ by: '周敏', at, reason: '灯会提前结束', darkens: 201 },
    belowFloor: [{ roadClass: 'arterial', lamps: 12, floor: 50, level: 30 }],
  };
  const approval = {
    outcome: 'pending',
    expiresAt: '2026-11-23T05:00:00.000Z',
    digest: 'seen',
    decision: null,
    hindrance: null,
  } as const;
  server().answer(listExceptions, {
    data: [
      exceptionRow({ ending, approval }),
      exceptionRow({
        id: 6,
        reason: '道路施工',
        ending,
        approval: { ...approval, outcome: 'refused', hindrance: 'decided' },
      }),
    ],
    recordsTotal: 2,
  });
  await open(['plan.query', 'plan.exception', 'lamp.approve']);
  const of = async (reason: string) => {
    const found = (await screen.findByText(reason)).closest('tr') ?? expect.fail('no row');
    return {
      text: found.textContent,
      acts: within(found)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    };
  };
  const waits = await of('春节灯会照明');
  expect(waits.text).toMatch(/生效中提前结束待审批：周敏，11-22 \d\d:00，灯会提前结束/);
  expect(waits.acts).toEqual(['同意', '驳回']);
  expect(waits.text).toContain('12 (30%)');
  // What was refused is over: it can be asked for once more.
  const refused = await of('道路施工');
  expect(refused.text).not.toContain('提前结束待审批');
  expect(refused.acts).toEqual(['提前结束']);
  // Of the exception itself: an end that was refused leaves nothing below the floor.
  expect(refused.text).not.toContain('12 (30%)');
});

test('who may only look sees no buttons', async () => {
  server().answer(listExceptions, { data: [exceptionRow()], recordsTotal: 1 });
  await open(['plan.query']);
  expect(await screen.findByText('春节灯会照明')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '提前结束' })).toBeNull();
  expect(screen.queryByRole('button', { name: '新建例外' })).toBeNull();
});

test('who sees a part of its lamps cannot end it', async () => {
  server().answer(listExceptions, { data: [exceptionRow({ whole: false })], recordsTotal: 1 });
  await open(['plan.query', 'plan.exception']);
  expect(await screen.findByText('春节灯会照明')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '提前结束' })).toBeNull();
});

/** The dialog of a new one. */
async function begin() {
  fireEvent.click((await screen.findAllByRole('button', { name: '新建例外' }))[0]!);
  return within(await screen.findByRole('dialog'));
}
function typeDays(dialog: ReturnType<typeof within>, days: readonly [string, string]): void {
  for (const [index, day] of days.entries()) {
    const box = dialog.getAllByRole('textbox')[index];
    if (!box) throw new Error('no box for a day');
    fireEvent.mouseDown(box);
    fireEvent.change(box, { target: { value: day } });
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 });
  }
}

test('without the right to read roads a whole project is chosen, and the others say which right is missing', async () => {
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().answer(getWorkAreaOptions, { success: true, msg: '', data: [{ value: 3, label: '江南' }] });
  await open(['plan.query', 'plan.exception']);
  const dialog = await begin();
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: '项目' }).checked).toBe(true);
  await chooseOption(dialog.getByRole('combobox'), '江南');
  fireEvent.click(dialog.getByRole('radio', { name: '道路' }));
  expect(dialog.getByText(/lamp\.monitor/)).toBeTruthy();
});

test('places that could not be fetched say so and are asked again', async () => {
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().refuse(getLampFilters, 503, { message: '稍后再试' });
  await open(['plan.query', 'plan.exception', 'lamp.monitor']);
  const dialog = await begin();
  await dialog.findByText(/稍后再试/);
  server().answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 312 }], groups: [], controllers: [] });
  await press('重试');
  await chooseOption(await dialog.findByRole('combobox'), '滨江大道 (312)');
});

test('what was entered is asked about before leaving loses it', async () => {
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().answer(getLampFilters, { roads: [], groups: [], controllers: [] });
  await open(['plan.query', 'plan.exception', 'lamp.monitor']);
  const dialog = await begin();
  fireEvent.change(dialog.getByLabelText(/^原因/), { target: { value: '供电局检修停灯' } });
  await press('返回');
  await press('留在这里');
  expect(screen.getByDisplayValue('供电局检修停灯')).toBeTruthy();
  await press('返回');
  await press('放弃并继续');
  await waitFor(() => expect(screen.queryByDisplayValue('供电局检修停灯')).toBeNull());
});

test('another programme of a scheme instead of a level, of whole nights only', async () => {
  const scheme = {
    ...{
      id: 5,
      code: 'JN-03',
      name: '主干路',
      workAreaId: null,
      workAreaName: null,
      state: 'inUse' as const,
      version: 3,
    },
    ...{ mode: 'energySaving' as const, draft: null, editable: true, deletable: false, createdAt: at, updatedAt: at },
    outlook: null,
    newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
    lamps: { following: 0, unreported: 0, diverged: 0, byVersion: [] },
  };
  server().answer(listExceptions, { data: [], recordsTotal: 0 });
  server().answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 312 }], groups: [], controllers: [] });
  server().answer(listSchemes, { data: [scheme], recordsTotal: 1 });
  server().answer(getSchemeVersion, {
    ...{ number: 2, hash: '0123456789ab', note: null, basedOn: null, by: 'admin', at, contentHash: '0123456789ab' },
    ...{ following: 0, unreported: 0, diverged: 0, content: exampleScheme(), findings: [] },
  });
  server().answer(previewException, {
    ...{ from: at, to: at, lamps: 312, cannot: [], darkens: 0, needsSecond: false, belowFloor: [] },
  });
  await open(['plan.query', 'plan.exception', 'lamp.monitor']);
  const dialog = await begin();
  await chooseOption(dialog.getByRole('combobox'), '滨江大道 (312)');
  typeDays(dialog, ['2099-11-23', '2099-11-25']);
  fireEvent.click(dialog.getByRole('radio', { name: '换时段表' }));
  await chooseOption(dialog.getByRole('combobox', { name: /^节能方案/ }), 'JN-03');
  await chooseOption(dialog.getByRole('combobox', { name: /^时段表/ }), '周末');
  await press('查看影响');
  await waitFor(() =>
    expect(bodyOf(server(), previewException)).toEqual({
      ...{ scope: { roadIds: [1] }, fromDay: '2099-11-23', toDay: '2099-11-25' },
      ...{ schemeId: 5, schemeNumber: 2, programme: 2 },
    }),
  );
  fireEvent.click(dialog.getByRole('radio', { name: '时段' }));
  expect(dialog.queryByRole('radio', { name: '换时段表' })).toBeNull();
  expect(dialog.getByRole('spinbutton', { name: /^亮度/ })).toBeTruthy();
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
    belowFloor: [{ roadClass: 'arterial', lamps: 312, floor: 50, level: 20 }],
  });
  server().answer(createException, { id: 9, total: 312, state: 'awaitingApproval' });
  await open(['plan.query', 'plan.exception', 'lamp.monitor']);
  const dialog = await begin();
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
