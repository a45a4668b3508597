import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import axe from 'axe-core';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelTask, deleteTask, getTaskFile, listTasks, repeatTask } from '../../../../contract/desk/tasks.ts';
import { connectLive, createQueryClient, LiveContext, type LiveConnection } from '../../api/index.ts';
import { startI18n } from '../../locales/i18n.ts';
import { begun, leaveBegun, noteBegun, type Task } from '../../parts/tasks/index.ts';
import { shownZone } from '../../parts/time/zone.ts';
import { Toasts } from '../../parts/index.ts';
import { toasts } from '../../frame/toast-store.ts';
import { storeToken } from '../../session/index.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { TaskButton } from './TaskButton.tsx';

const at = '2026-11-20T13:46:31.000Z';
const running: Task = {
  id: 9,
  kind: 'export.operation-log',
  state: 'running',
  done: 250_000,
  total: 1_000_000,
  params: { beginTime: '2026-11-01', endTime: '2026-11-07' },
  error: null,
  file: null,
  createdAt: at,
  endedAt: null,
};
const waiting: Task = {
  ...running,
  id: 8,
  kind: 'import.apply',
  state: 'queued',
  done: 0,
  total: null,
  params: { importId: 3 },
};
const done: Task = {
  ...running,
  id: 7,
  kind: 'export.login-log',
  state: 'done',
  done: 1200,
  total: 1200,
  file: { name: '登录日志.xlsx', bytes: 3_565_158, until: '2126-11-27T13:46:31.000Z' },
  endedAt: at,
};
const expired: Task = { ...done, id: 6, file: { name: 'x.xlsx', bytes: 9, until: '2020-01-01T00:00:00Z' } };
const failed: Task = { ...running, id: 5, state: 'failed', error: '服务重启，任务已中断', endedAt: at };
const failedImport: Task = { ...waiting, id: 4, state: 'failed', error: '文件读不出来', endedAt: at };

const connections: Task = {
  ...done,
  id: 3,
  kind: 'export.connections',
  params: { family: 'wifi,gateway', from: '2026-10-31T16:00:00Z', to: '2026-11-06T16:00:00Z', workAreaId: null },
};

let server: ContractServer;
let live: LiveConnection;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  storeToken('Bearer t');
  toasts.setState([], true);
  begun.setState(new Map(), true);
  shownZone.setState({ zone: 'Asia/Shanghai' });
  server = await contractServer();
  live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
});
afterEach(async () => {
  cleanup();
  live.stop();
  await server.close();
});

const have = (...tasks: Task[]): void => server.answer(listTasks, { data: tasks, recordsTotal: tasks.length });

async function show() {
  const i18n = await startI18n('zh-CN');
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          <LiveContext value={live}>
            <TaskButton />
            <Toasts />
          </LiveContext>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
  await waitFor(() => expect(live.state().state).toBe('live'));
}
async function open(name: string | RegExp = /^任务/) {
  fireEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog'));
}

test('the button counts what has not ended; the panel shows each with its progress, file, reason and what can be done', async () => {
  have(running, waiting, done, expired, failed, failedImport);
  await show();
  const panel = await open('任务，2 个未结束');
  const items = (await panel.findAllByRole('listitem')).map((item) => within(item));
  expect(items).toHaveLength(6);
  expect(items[0]!.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('250,000 / 1,000,000 行');
  expect(items[1]!.getByText('第 3 次导入')).toBeTruthy();
  for (const text of ['已完成', '1,200 行', '3.57 MB', '文件保留至 2126-11-27 21:46'])
    expect(items[2]!.getByText(text), text).toBeTruthy();
  expect(items[3]!.getByText('文件已过期')).toBeTruthy();
  expect(items[4]!.getByText('服务重启，任务已中断')).toBeTruthy();
  const acts = items.map((item) => item.getAllByRole('button').map((button) => button.getAttribute('title')));
  expect(acts).toEqual([['取消任务'], ['取消任务'], ['下载', '删除'], ['删除'], ['重新执行', '删除'], ['删除']]);
});

test('a task is called by the words of its kind and by the parameters that are known by name', async () => {
  have(connections);
  await show();
  const panel = await open();
  expect(await panel.findByText('导出连接日志')).toBeTruthy();
  expect(panel.getByText('WiFi, 网关 · 2026-11-01 – 2026-11-07')).toBeTruthy();
});

test('cancel, run again, remove and download call the server; a refusal stands in the panel', async () => {
  have(running, done, failed);
  server.answer(cancelTask, { ...running, state: 'cancelled' });
  server.answer(repeatTask, { ...failed, id: 10, state: 'queued' });
  server.on(getTaskFile, () => ({ status: 200, body: 'PK', headers: { 'content-type': 'application/octet-stream' } }));
  server.refuse(deleteTask, 400, { message: '任务还在运行' });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  await show();
  const panel = await open();
  fireEvent.click(await panel.findByRole('button', { name: /^取消任务/ }));
  await waitFor(() => expect(server.of(cancelTask).map(({ path }) => path)).toEqual(['/api/v1/tasks/9/cancel']));
  fireEvent.click(panel.getByRole('button', { name: /^重新执行/ }));
  await waitFor(() =>
    expect([server.of(repeatTask).map(({ path }) => path), begun.getState().get(10)]).toEqual([
      ['/api/v1/tasks/5/repeat'],
      'left',
    ]),
  );
  fireEvent.click(panel.getByRole('button', { name: /^下载/ }));
  expect(await screen.findByText('已下载 登录日志.xlsx')).toBeTruthy();
  fireEvent.click(panel.getAllByRole('button', { name: /^删除/ })[0]!);
  expect((await panel.findByRole('alert')).textContent).toContain('任务还在运行');
});

test('follows the live topic and asks again when the line is back', async () => {
  have();
  await show();
  const panel = await open('任务');
  expect(await panel.findByText('还没有任务')).toBeTruthy();
  have(running);
  server.tell({ type: 'task', id: 9 });
  expect(await panel.findByText('250,000 / 1,000,000 行')).toBeTruthy();
  have({ ...running, done: 500_000 });
  live.restart();
  expect(await panel.findByText('500,000 / 1,000,000 行')).toBeTruthy();
});

test('what was begun here is told when it ends, once, and what somebody else began is not', async () => {
  noteBegun(9);
  have(running, { ...running, id: 11 });
  await show();
  await screen.findByRole('button', { name: '任务，2 个未结束' });
  have(
    { ...running, state: 'done', done: 3, file: done.file, endedAt: at },
    { ...running, id: 11, state: 'failed', error: '别的窗口', endedAt: at },
  );
  server.tell({ type: 'task', id: 9 });
  expect(await screen.findByText('导出操作日志（2026-11-01 – 2026-11-07）已完成')).toBeTruthy();
  expect([toasts.getState().length, toasts.getState()[0]?.action?.text, begun.getState().size]).toEqual([1, '下载', 0]);
});

test('what a page that is still open began is saved when it ends, and told when the page was closed meanwhile', async () => {
  server.on(getTaskFile, () => ({ status: 200, body: 'PK', headers: { 'content-type': 'application/octet-stream' } }));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  have(running);
  await show();
  noteBegun(running.id, 'page');
  leaveBegun();
  have({ ...done, id: running.id });
  server.tell({ type: 'task', id: running.id });
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  noteBegun(77, 'page');
  leaveBegun([77]);
  expect(begun.getState().get(77)).toBe('left');
});

test('a failure is told with its reason and a way to run it again', async () => {
  noteBegun(9);
  have(running);
  server.answer(repeatTask, { ...running, id: 12, state: 'queued' });
  await show();
  await screen.findByRole('button', { name: '任务，1 个未结束' });
  have({ ...running, state: 'failed', error: '导出意外终止，请重试', endedAt: at });
  server.tell({ type: 'task', id: 9 });
  expect(await screen.findByText('导出操作日志未完成：导出意外终止，请重试')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '重新执行' }));
  await waitFor(() => expect(server.of(repeatTask)).toHaveLength(1));
});

test('a list that does not come says why; axe finds nothing in a full panel', async () => {
  server.refuse(listTasks, 500, { message: '服务暂时不可用', requestId: 'r1' });
  await show();
  const panel = await open('任务');
  expect(await panel.findByText(/服务暂时不可用.*r1/)).toBeTruthy();
  have(running, waiting, done, expired, failed);
  fireEvent.click(panel.getByRole('button', { name: '重试' }));
  await panel.findByText('3.57 MB');
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});
