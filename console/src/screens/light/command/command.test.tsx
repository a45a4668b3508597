import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  cancelCommand,
  decideCommand,
  exportCommand,
  getCommand,
  resumeCommand,
  retryCommand,
  verifyCommand,
} from '../../../../../contract/light/commands.ts';
import { dropHeld } from '../../../parts/commands/hold.ts';
import { commandItem, commandTask } from '../../../testing/commands.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import { TaskPanel } from '../monitor/TaskPanel.tsx';
import CommandPage from './index.tsx';
import type { OpenTask } from './use-task.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-20T13:46:31.000Z';
const items = [
  commandItem({ deviceId: 2, code: 'BJ-0002', state: 'failed', sentAt: at, endedAt: at, error: 'hardwareFault' }),
  commandItem({
    deviceId: 3,
    code: 'BJ-0003',
    state: 'timedOut',
    sentAt: at,
    endedAt: at,
    error: 'noAnswer',
    verification: { commandId: 30, outcome: 'contradicted', at, level: 100, power: 118, relay: true },
  }),
  commandItem({
    deviceId: 4,
    code: 'BJ-0004',
    state: 'confirmed',
    sentAt: '2026-11-20T13:46:31.400Z',
    acknowledgedAt: '2026-11-20T13:46:32.100Z',
    endedAt: '2026-11-20T13:46:33.000Z',
    proof: { at, level: 60, power: 71.2, relay: true },
  }),
];
const finished = (more: Partial<OpenTask> = {}): OpenTask => ({
  ...commandTask({
    state: 'finished',
    finished: true,
    total: 1000,
    states: { confirmed: 920, failed: 30, timedOut: 50 },
    scope: { names: ['滨江大道'], roadId: 1 },
    reason: '路口施工',
  }),
  items,
  recordsTotal: 1000,
  ...more,
});

let server: ContractServer;
const open = (search = '', codes: readonly string[] = ['lamp.monitor', 'lamp.control']) =>
  renderInShell(
    <Routes>
      <Route path="/lamp/command/:id" element={<CommandPage />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    {
      address: `/lamp/command/17${search}`,
      codes,
      pages: ['lamp/command', 'lamp/commands', 'lamp/device'],
      live: server,
    },
  );
const figures = (): Record<string, string> =>
  Object.fromEntries(
    within(screen.getByRole('list', { name: /^每一步的盏数/ }))
      .getAllByRole('button')
      .map((one) => [one.querySelector('span')?.textContent ?? '', one.querySelector('b')?.textContent ?? '']),
  );
const dialog = async () => within(await screen.findByRole('dialog'));
const because = async (text: string): Promise<void> =>
  void fireEvent.change((await dialog()).getByRole('textbox', { name: /^原因/ }), { target: { value: text } });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getCommand, finished());
});
afterEach(async () => {
  dropHeld();
  cleanup();
  await server.close();
});

describe('the figures', () => {
  test('are exact, and each narrows the results to its state', async () => {
    const { address } = await open();
    await screen.findByText('BJ-0002');
    expect(figures()).toEqual({ 已确认: '920', 已应答: '0', 已发送: '0', 已排队: '0', 执行失败: '30', 超时: '50' });
    await press(/执行失败/);
    await press(/超时/);
    await waitFor(() => expect(server.of(getCommand).at(-1)?.query.get('state')).toBe('failed,timedOut'));
    expect(address()).toContain('state=failed%2CtimedOut');
  });

  test('follow the live line', async () => {
    server.answer(getCommand, finished({ state: 'running', finished: false, states: { sent: 1000 } }));
    await open();
    await waitFor(() => expect(figures()['已发送']).toBe('1,000'));
    server.answer(getCommand, finished());
    // Told again and again: the line may be opened a moment after the page.
    await waitFor(() => {
      server.tell({ type: 'command', id: 17, states: { confirmed: 920 }, finished: true, changed: [] });
      expect(figures()['已确认']).toBe('920');
    });
    await screen.findByText('已结束，有未成功');
  });

  test('a task that is not there says so', async () => {
    server.refuse(getCommand, 404, { message: '没有找到' });
    await open();
    await screen.findByText('没有这个任务，或者它不在您能看到的项目里');
  });
});

describe('the results', () => {
  test('tell in words how each ended, when, and what reading back showed afterwards', async () => {
    await open();
    const row = (code: string): HTMLElement => screen.getByText(code).closest('tr') as HTMLElement;
    await screen.findByText('BJ-0002');
    expect(within(row('BJ-0002')).getByText('硬件故障')).toBeTruthy();
    expect(within(row('BJ-0003')).getByText('核实不符：回读 100% · 118.0 W')).toBeTruthy();
    for (const text of ['回读 60% · 71.2 W 相符', '+0.4 s', '+1.1 s', '+2.0 s'])
      expect(within(row('BJ-0004')).getByText(text)).toBeTruthy();
  });

  test('tell why nothing was sent in words too: what the server decided is not taken for words of the device', async () => {
    const ends = {
      approvalRefused: '审批被驳回',
      approvalExpired: '没有人审批，已过期',
      strongerInForce: '更高优先级的命令正在生效',
      过热: '设备拒绝：过热',
    };
    const ended = Object.keys(ends).map((error, index) =>
      commandItem({
        deviceId: index + 2,
        code: `BJ-000${index + 2}`,
        state: index === 3 ? 'failed' : 'cancelled',
        endedAt: at,
        error,
      }),
    );
    server.answer(
      getCommand,
      finished({ items: ended, states: { cancelled: 3, failed: 1 }, total: 4, recordsTotal: 4 }),
    );
    await open();
    await screen.findByText('BJ-0002');
    for (const words of Object.values(ends)) expect(screen.getByText(words)).toBeTruthy();
  });

  test('of a read are values with their age; who did not answer is said', async () => {
    server.answer(
      getCommand,
      finished({
        command: 'read',
        args: {},
        lane: 'read',
        total: 2,
        states: { confirmed: 1, timedOut: 1 },
        recordsTotal: 2,
        items: [
          commandItem({
            deviceId: 3,
            code: 'BJ-0003',
            state: 'timedOut',
            reading: { at, receivedAt: at, values: { level: 0 } },
          }),
          commandItem({
            deviceId: 4,
            code: 'BJ-0004',
            state: 'confirmed',
            reading: {
              at: new Date().toISOString(),
              receivedAt: new Date().toISOString(),
              values: { level: 60, power: 71.2, relay: true },
            },
          }),
        ],
      }),
    );
    await open();
    await screen.findByText('BJ-0003');
    expect(figures()).toMatchObject({ 已回答: '1', 没有回答: '1' });
    expect(within(screen.getByText('BJ-0004').closest('tr') as HTMLElement).getByText('71.2')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('巡测');
    // What a read shows needs no reading back.
    expect(screen.queryByRole('button', { name: '回读核实…' })).toBeNull();
  });

  test('of a read beside the map are answers too: nothing is confirmed by them', async () => {
    server.answer(
      getCommand,
      finished({
        command: 'read',
        args: {},
        lane: 'read',
        total: 3,
        states: { confirmed: 2, timedOut: 1 },
        recordsTotal: 3,
        items: [commandItem({ deviceId: 3, code: 'BJ-0003', state: 'timedOut' })],
      }),
    );
    const nothing = () => undefined;
    await renderInShell(
      <TaskPanel id={17} canRetry={false} retrying={false} onRetry={nothing} onOpenLamp={nothing} onClose={nothing} />,
    );
    expect((await screen.findByText('已回答')).closest('div')?.textContent).toBe('2已回答');
    expect(screen.queryByText('已确认')).toBeNull();
    expect(screen.getByRole('img', { name: '没有回答' })).toBeTruthy();
  });
});

describe('what can be done', () => {
  test('retrying asks which states, leaves out what reading back showed to be right, and names the request', async () => {
    server.answer(
      getCommand,
      finished({
        states: { confirmed: 900, failed: 30, timedOut: 50, cancelled: 20 },
        verified: { confirmed: 12, contradicted: 1 },
      }),
    );
    server.answer(retryCommand, { id: 18, total: 68, state: 'running' });
    await open();
    await press('重试…');
    const asked = await dialog();
    expect(asked.getByRole<HTMLInputElement>('checkbox', { name: '已取消 20' }).checked).toBe(false);
    fireEvent.click(asked.getByRole('checkbox', { name: '执行失败 30' }));
    await press('向 38 盏重新下发');
    await screen.findByText('elsewhere');
    expect(bodyOf(server, retryCommand)).toEqual({
      states: ['timedOut'],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  test('cancelling needs a reason and says what is already on its way', async () => {
    server.answer(
      getCommand,
      finished({ state: 'running', finished: false, states: { queued: 400, sent: 100, confirmed: 500 } }),
    );
    server.answer(cancelCommand, { cancelled: 400, onTheWay: 100 });
    await open();
    await press('取消任务…');
    expect((await dialog()).getByText(/400 盏不再发送.*100 盏收不回来/)).toBeTruthy();
    await press('取消任务');
    await screen.findByText('请写明原因');
    expect(server.of(cancelCommand)).toEqual([]);
    await because('交警要求恢复');
    await press('取消任务');
    await waitFor(() => expect(bodyOf(server, cancelCommand)).toEqual({ reason: '交警要求恢复' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('a halted task says why, and goes on with a reason', async () => {
    server.answer(
      getCommand,
      finished({
        state: 'halted',
        finished: false,
        states: { confirmed: 40, failed: 10, waiting: 950 },
        stopAt: { failurePercent: 10, afterAtLeast: 50 },
        halted: { why: 'failures', at, finished: 50, failed: 10 },
      }),
    );
    server.answer(resumeCommand, { released: 950 });
    await open();
    await screen.findByText(/已结束的 50 盏里 10 盏没有成功（20%），达到上限 10%。 其余 950 盏没有发送/);
    expect(figures()['等待放行']).toBe('950');
    await press('继续下发');
    await because('故障集控已修好');
    const buttons = ['继续下发', '重试…'].map((name) =>
      screen.getByRole<HTMLButtonElement>('button', { name, hidden: true }),
    );
    await press('继续');
    // Neither it nor the retry is asked for again while it waits.
    await waitFor(() => expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true]));
    await waitFor(() => expect(bodyOf(server, resumeCommand)).toEqual({ reason: '故障集控已修好' }));
  });

  test('a canary that did not pass is told as such', async () => {
    server.answer(
      getCommand,
      finished({
        state: 'halted',
        states: { confirmed: 7, timedOut: 3, waiting: 190 },
        halted: { why: 'canary', at, finished: 10, failed: 3 },
        canary: { count: 10, minSuccessPercent: 95, waitSeconds: 60, state: 'failed', judgedAt: at, confirmed: 7 },
      }),
    );
    await open();
    await screen.findByText(/试发的 10 盏里 7 盏确认（70%），要求 95%。 其余 190 盏没有发送/);
    expect(screen.getByText(/没有通过，确认 7 盏/)).toBeTruthy();
  });

  test('reading back and the sheet are begun; what is refused is said and the dialog stays', async () => {
    server.refuse(verifyCommand, 400, { title: '没有可用的设备', message: '没有可用的设备' });
    server.answer(exportCommand, { taskId: 5 });
    await open();
    await press('回读核实…');
    await press('回读核实');
    await (await dialog()).findByText('没有可用的设备');
    await press('返回');
    await press('导出结果');
    fireEvent.click(await screen.findByText('文本表格（.csv）'));
    await waitFor(() => expect(bodyOf(server, exportCommand)).toEqual({ format: 'csv' }));
  });

  test('without the right to control nothing but the sheet is offered', async () => {
    await open('', ['lamp.monitor']);
    await screen.findByRole('button', { name: '导出结果' });
    expect(screen.queryByRole('button', { name: '重试…' })).toBeNull();
  });
});

describe('a task that waits for a second person', () => {
  const waiting = (hindrance: 'own' | null): OpenTask =>
    finished({
      command: 'off',
      args: {},
      state: 'awaitingApproval',
      finished: false,
      states: { waiting: 1000 },
      approval: {
        outcome: 'pending',
        digest: 'd1',
        expiresAt: new Date(Date.now() + 300_000).toISOString(),
        decision: null,
        hindrance,
      },
    });

  test('is not decided by who asked for it, and says why', async () => {
    server.answer(getCommand, waiting('own'));
    await open();
    await screen.findByText(/自己提交的任务须由他人审批/);
    expect(screen.queryByRole('button', { name: '同意' })).toBeNull();
  });

  test('is decided on what was read: the digest goes along', async () => {
    server.answer(getCommand, waiting(null));
    server.answer(decideCommand, { state: 'running' });
    await open();
    await press('同意');
    expect((await dialog()).getByText(/周敏 要求：关灯，滨江大道 · 1,000 盏。 原因：路口施工/)).toBeTruthy();
    await press('同意，下发给 1,000 盏');
    await waitFor(() => expect(bodyOf(server, decideCommand)).toEqual({ approved: true, digest: 'd1' }));
  });

  test('is refused only with a reason', async () => {
    server.answer(getCommand, waiting(null));
    server.answer(decideCommand, { state: 'refused' });
    await open();
    await press('驳回');
    fireEvent.click((await dialog()).getByRole('button', { name: '驳回' }));
    await screen.findByText('请写明原因');
    await because('今晚有活动');
    fireEvent.click((await dialog()).getByRole('button', { name: '驳回' }));
    await waitFor(() =>
      expect(bodyOf(server, decideCommand)).toEqual({ approved: false, digest: 'd1', reason: '今晚有活动' }),
    );
  });
});
