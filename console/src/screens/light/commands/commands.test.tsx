import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { commandTask } from '../../../testing/commands.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Polls from '../polls/index.tsx';
import CommandTasks from './index.tsx';
import { queryOf, controlLanes } from '../../../parts/commands/task-query.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

let server: ContractServer;
beforeEach(async () => {
  server = await contractServer();
  server.answer(listCommands, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});
const row = (text: string): ReturnType<typeof within> => within(screen.getByText(text).closest('tr') as HTMLElement);

describe('what is asked', () => {
  test('days are those of the zone that times are shown in', () => {
    expect(queryOf({ days: '2026-11-20_2026-11-20' }, controlLanes, 'Asia/Shanghai')).toMatchObject({
      from: '2026-11-19T16:00:00.000Z',
      to: '2026-11-20T16:00:00.000Z',
    });
    // The night in which Paris goes back an hour is an hour longer.
    expect(queryOf({ days: '2026-10-25_2026-10-25' }, controlLanes, 'Europe/Paris')).toMatchObject({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
  });

  test('words that mean nothing are left out, and the page keeps to its lanes', () => {
    expect(
      queryOf({ state: 'running,nonsense', lane: 'read,plan', command: 'explode' }, controlLanes, 'Asia/Shanghai'),
    ).toEqual({ state: 'running', lane: 'plan' });
    expect(queryOf({}, ['read'], 'Asia/Shanghai')).toEqual({ lane: 'read' });
  });
});

describe('the tasks', () => {
  const open = (search = '') =>
    renderInShell(<CommandTasks />, {
      address: `/lamp/commands${search}`,
      codes: ['lamp.monitor'],
      pages: ['lamp/monitor', 'lamp/command'],
      live: server,
    });

  test('tell what, to whom, how far and by whom; what failed stands out, and reads have a page of their own', async () => {
    server.answer(listCommands, {
      recordsTotal: 3,
      data: [
        commandTask({
          id: 9,
          command: 'on',
          args: {},
          lane: 'emergency',
          state: 'running',
          total: 40,
          states: { confirmed: 30, sent: 10 },
          scope: { names: ['滨江大道'], roadId: 1 },
        }),
        commandTask({
          id: 8,
          state: 'finished',
          total: 1000,
          states: { confirmed: 920, failed: 30, timedOut: 50 },
          scope: { devices: 1000 },
        }),
        commandTask({
          id: 7,
          command: 'off',
          args: {},
          state: 'finished',
          total: 5,
          states: { confirmed: 5 },
          scope: { devices: 5 },
        }),
      ],
    });
    await open('?state=running,finished');
    await screen.findByText('#8');
    for (const text of ['已结束，有未成功', '选中的 1,000 盏', '已确认 920 / 1,000', '· 未成功 80', '人工', '周敏'])
      expect(row('#8').getByText(text)).toBeTruthy();
    for (const text of ['进行中', '滨江大道 · 40 盏', '应急']) expect(row('#9').getByText(text)).toBeTruthy();
    expect(row('#7').getByText('全部确认')).toBeTruthy();
    // What waits for approval is asked for too, before or after.
    const [own] = server.of(listCommands).filter(({ query }) => query.get('state') !== 'awaitingApproval');
    expect(Object.fromEntries(own!.query)).toEqual({
      lane: 'emergency,manual,plan,firmware',
      state: 'running,finished',
      page: '1',
      size: '50',
    });
  });

  test('are asked again when the line says that something changed', async () => {
    await open();
    await screen.findByText('还没有下发过任务');
    server.answer(listCommands, { data: [commandTask({ id: 21 })], recordsTotal: 1 });
    await waitFor(() => {
      server.tell({ type: 'commands' });
      expect(screen.getByText('#21')).toBeTruthy();
    });
  });

  test('that cannot be fetched say so, with the request’s id and a way to try again', async () => {
    server.refuse(listCommands, 500, { message: '服务器内部错误', requestId: '8f3c' });
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('8f3c');
    server.answer(listCommands, { data: [commandTask({ id: 21 })], recordsTotal: 1 });
    await press('重试');
    await screen.findByText('#21');
  });
});

describe('reads on demand', () => {
  const open = (codes: readonly string[]) =>
    renderInShell(<Polls />, { address: '/lamp/polls', codes, pages: ['lamp/command'], live: server });

  test('are begun for a road and opened; their list tells who answered', async () => {
    server.answer(listCommands, {
      data: [
        commandTask({
          id: 4,
          command: 'read',
          args: {},
          lane: 'read',
          state: 'finished',
          total: 33,
          states: { confirmed: 31, timedOut: 2 },
          scope: { names: ['RTU-01'], controllerId: 8 },
        }),
        commandTask({
          id: 3,
          command: 'read',
          args: {},
          lane: 'read',
          verifies: 17,
          state: 'finished',
          total: 5,
          states: { confirmed: 5 },
        }),
      ],
      recordsTotal: 2,
    });
    server.answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 40 }], groups: [], controllers: [] });
    server.answer(createCommand, { id: 5, total: 40, state: 'running' });
    await open(['lamp.monitor', 'lamp.control']);
    await screen.findByText('#4');
    for (const head of ['逐台结果', '发起人', '发起时间'])
      expect(screen.getByRole('columnheader', { name: head })).toBeTruthy();
    for (const text of ['有设备没有回答', '已回答 31 / 33', 'RTU-01 · 33 盏'])
      expect(row('#4').getByText(text)).toBeTruthy();
    expect(row('#3').getByText(/回读核实 #17/)).toBeTruthy();
    await press('发起巡测');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: '立即读取' }).disabled).toBe(true);
    await chooseOption(dialog.getByRole('combobox', { name: '请选择' }), '滨江大道');
    fireEvent.click(dialog.getByRole('button', { name: '立即读取' }));
    await waitFor(() =>
      expect(bodyOf(server, createCommand)).toEqual({
        scope: { roadId: 1 },
        command: 'read',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      }),
    );
  });

  test('need the right to control', async () => {
    await open(['lamp.monitor']);
    await screen.findByText('还没有巡测过');
    expect(screen.queryByRole('button', { name: '发起巡测' })).toBeNull();
  });
});
