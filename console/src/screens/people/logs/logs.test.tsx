import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { cancelTask, getTaskFile, listTasks, repeatTask, startTask } from '../../../../../contract/desk/tasks.ts';
import { listLoginLog, listOperationLog } from '../../../../../contract/specified/logs.ts';
import { connectLive, createQueryClient, LiveContext, type LiveConnection } from '../../../api/index.ts';
import { TaskButton } from '../../../app/tasks/TaskButton.tsx';
import { startI18n } from '../../../locales/i18n.ts';
import { formatTime, shownZone } from '../../../parts/time/zone.ts';
import { Toasts } from '../../../parts/index.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { begun, type Task } from '../../../parts/tasks/index.ts';
import { storeToken } from '../../../session/index.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import LoginLog from './login.tsx';
import OperationLog from './operation.tsx';
import { queryOf } from './log.ts';
import { daysIn, quickRanges } from './use-exports.ts';

const at = '2026-11-20T13:46:31.000Z';
const change = {
  id: 41,
  username: 'wangwei',
  uri: 'POST /api/tbUsers',
  ip: '10.0.0.8',
  time: at,
  params: '{"body":{"username":"<img src=x onerror=alert(1)>","password":"***"}}',
  message: '新增账号',
  status: 200,
  times: 1,
  sealed: true,
};
const refused = {
  ...change,
  id: 40,
  uri: 'DELETE /api/tbUsers/1',
  params: null,
  message: '没有权限',
  status: 403,
  times: 3,
  sealed: false,
};
const signIn = {
  id: 7,
  userName: 'wangwei',
  ip: '10.0.0.8',
  time: at,
  message: '登录成功',
  status: 'success',
  times: 1,
  sealed: true,
};
const task: Task = {
  id: 5,
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
const ended: Task = {
  ...task,
  state: 'done',
  done: 1_000_000,
  file: { name: '操作日志.xlsx', bytes: 9, until: '2126-11-28T00:00:00Z' },
  endedAt: at,
};
const operations = (
  data: ReplyOf<typeof listOperationLog>['data'],
  more: Partial<ReplyOf<typeof listOperationLog>> = {},
) => ({ data, recordsTotal: data.length, recordsFiltered: data.length, ...more });

let server: ContractServer;
let live: LiveConnection;
let address = '';
const find = { timeout: 8_000 };
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

function Address() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    address = pathname + search;
  }, [pathname, search]);
  return null;
}

async function open(path = '/logging-operation') {
  const Log = path.startsWith('/logging-login') ? LoginLog : OperationLog;
  return render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter initialEntries={[path]}>
            <LiveContext value={live}>
              <TaskButton />
              <Suspense fallback="…">
                <Log />
              </Suspense>
            </LiveContext>
            <Address />
            <Toasts />
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
}
const rowOf = async (text: string) => within((await screen.findByText(text, undefined, find)).closest('tr')!);
const dialog = async (title: string) =>
  within((await screen.findByText(title, undefined, find)).closest('[role="dialog"]')!);
const asked = (route: typeof listOperationLog | typeof listLoginLog) =>
  Object.fromEntries(server.of(route).at(-1)!.query);

beforeEach(async () => {
  toasts.setState([], true);
  shownZone.setState({ zone: 'Asia/Shanghai' });
  begun.setState(new Map(), true);
  storeToken('Bearer t');
  server = await contractServer();
  live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  server.answer(listOperationLog, operations([change, refused]));
  server.answer(listLoginLog, { data: [signIn], recordsTotal: 1, recordsFiltered: 1 });
  server.answer(listTasks, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  live.stop();
  vi.restoreAllMocks();
  await server.close();
});

describe('the lists', () => {
  test('ask as specified: pages from 0, 50 a page, newest first, the name, the days, the result', async () => {
    await open('/logging-operation?username=wang&days=2026-11-01_2026-11-07&status=failure&page=3');
    await rowOf('新增账号');
    expect(asked(listOperationLog)).toEqual({
      'username.contains': 'wang',
      page: '2',
      size: '50',
      sort: 'time,desc',
      'time.greaterOrEqualThan': '2026-10-31T16:00:00.000Z',
      'time.lessOrEqualThan': '2026-11-07T15:59:59.999Z',
      status: 'failure',
    });
    cleanup();
    await open(`/logging-login?username=wang&days=${encodeURIComponent('_2026-11-07 18:30:00')}`);
    await rowOf('登录成功');
    expect(asked(listLoginLog)).toEqual({
      'userName.contains': 'wang',
      page: '0',
      size: '50',
      sort: 'time,desc',
      'time.lessOrEqualThan': '2026-11-07T10:30:00.999Z',
    });
  });

  test('show count, time in the site’s zone, what was done, the call, how it ended in word and number, how often', async () => {
    await open();
    const row = await rowOf('没有权限');
    expect(screen.getByText('共找到 2 条结果')).toBeTruthy();
    for (const text of ['2026-11-20 21:46:31', 'DELETE /api/tbUsers/1', '10.0.0.8', '失败', '403', '3'])
      expect(row.getByText(text), text).toBeTruthy();
    expect(row.getByText('2026-11-20 21:46:31').getAttribute('title')).toMatch(/前|后/);
    expect((await rowOf('新增账号')).getByText('成功')).toBeTruthy();
  });

  test('an estimated total says so; a page beyond it offers the way back', async () => {
    server.answer(listOperationLog, ({ query }) =>
      operations(query.get('page') === '0' ? [change] : [], { recordsTotal: 2_000_000, recordsTotalExact: false }),
    );
    await open('/logging-operation?page=30000');
    fireEvent.click(await screen.findByRole('button', { name: '回到第一页' }, find));
    expect(await screen.findByText('共找到约 2,000,000 条结果')).toBeTruthy();
    await rowOf('新增账号');
    expect(address).toBe('/logging-operation');
  });

  test('searching and sorting stand in the address; Enter searches from the first page', async () => {
    await open('/logging-operation?page=2');
    const name = await screen.findByLabelText('用户名', { selector: 'input' }, find);
    fireEvent.change(name, { target: { value: ' wang ' } });
    fireEvent.submit(name.closest('form')!);
    await waitFor(() => expect(address).toBe('/logging-operation?username=wang'));
    fireEvent.click((await screen.findAllByRole('columnheader', { name: '时间' }, find))[0]!);
    await waitFor(() => expect(address).toContain('sort=time%2Casc'));
    await waitFor(() => expect(asked(listOperationLog)['sort']).toBe('time,asc'));
  });

  test('nothing, nothing that matches, a failure, a missing right: each says why', async () => {
    server.answer(listOperationLog, operations([]));
    await open();
    expect(await screen.findByText('还没有日志', undefined, find)).toBeTruthy();
    cleanup();
    await open('/logging-operation?username=zz');
    fireEvent.click(await screen.findByRole('button', { name: '清除条件' }, find));
    await waitFor(() => expect(address).toBe('/logging-operation'));
    cleanup();
    server.refuse(listOperationLog, 500, { message: '服务暂时不可用', requestId: 'r1' });
    await open();
    expect(await screen.findByText(/服务暂时不可用.*r1/, undefined, find)).toBeTruthy();
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy();
    cleanup();
    server.refuse(listOperationLog, 403, { message: '缺少权限 cscp.logging.operation' });
    await open();
    expect(await screen.findByText('缺少权限 cscp.logging.operation', undefined, find)).toBeTruthy();
  });

  test('axe finds nothing', async () => {
    const { container } = await open();
    await rowOf('新增账号');
    const { violations } = await axe.run(container, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  });

  test('what cannot be read in an address counts as unused', () => {
    expect(
      queryOf(
        { filters: { days: '2026-02-30_x', status: 'both' }, page: 1, size: 50, sort: 'uri,desc' },
        'Asia/Shanghai',
      ),
    ).toEqual({ page: 0, size: 50, sort: 'time,desc' });
  });
});

describe('the details', () => {
  test('open under an address of their own, parameters as text and nothing else, the seal with its meaning', async () => {
    await open();
    fireEvent.click((await rowOf('新增账号')).getByRole('button', { name: '2026-11-20 21:46:31' }));
    const drawer = await dialog('操作日志详情');
    expect(address).toContain('open=41');
    expect(drawer.getByRole('region', { name: '参数' }).querySelector('pre')?.textContent).toBe(
      '{\n  "body": {\n    "username": "<img src=x onerror=alert(1)>",\n    "password": "***"\n  }\n}',
    );
    expect(document.querySelector('pre img')).toBeNull();
    expect(drawer.getByText('已封存')).toBeTruthy();
    const copied = vi.fn(() => Promise.resolve());
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator) as Navigator, { clipboard: { writeText: copied } }),
    );
    fireEvent.click(drawer.getByRole('button', { name: '复制参数' }));
    await waitFor(() => expect(copied).toHaveBeenCalledWith(expect.stringContaining('"password": "***"')));
    fireEvent.click(drawer.getByRole('button', { name: '只看此用户' }));
    await waitFor(() => expect(address).toBe('/logging-operation?username=wangwei'));
  });

  test('a link finds its row after newer ones have pushed it off the page; a row that is gone says so', async () => {
    server.answer(listOperationLog, ({ query }) =>
      operations(query.has('time.lessOrEqualThan') ? [change] : [refused]),
    );
    await open(`/logging-operation?open=41&at=${encodeURIComponent(at)}&by=wangwei`);
    const drawer = await dialog('操作日志详情');
    expect(await drawer.findByText('新增账号', undefined, find)).toBeTruthy();
    expect(asked(listOperationLog)).toEqual({
      'username.contains': 'wangwei',
      page: '0',
      size: '100',
      sort: 'time,desc',
      'time.greaterOrEqualThan': at,
      'time.lessOrEqualThan': at,
    });
    cleanup();
    await open(`/logging-operation?open=99&at=${encodeURIComponent(at)}&by=wangwei`);
    expect(await screen.findByText('没有找到这一行', undefined, find)).toBeTruthy();
  });
});

describe('the export', () => {
  const begin = async () => {
    fireEvent.click(await screen.findByRole('button', { name: '导出' }, find));
    return dialog('导出操作日志');
  };
  const today = () => formatTime(new Date(), 'date', 'Asia/Shanghai');

  test('begins with the last 7 days through today; a shortcut changes them; it runs as a task, and its file is saved', async () => {
    const [week, month] = quickRanges(today());
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    server.answer(startTask, () => {
      server.answer(listTasks, { data: [task], recordsTotal: 1 });
      return task;
    });
    server.on(getTaskFile, () => ({
      status: 200,
      body: 'PK',
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('操作日志.xlsx')}`,
      },
    }));
    await open();
    const shown = await begin();
    const [from, to] = shown.getAllByRole<HTMLInputElement>('textbox');
    expect([from!.value, to!.value]).toEqual([week!.from, today()]);
    await act(async () => void fireEvent.click(shown.getByRole('button', { name: '最近一个月（30 天）' })));
    expect([from!.value, to!.value]).toEqual([month!.from, today()]);
    fireEvent.click(shown.getByRole('button', { name: '导出' }));
    await waitFor(() =>
      expect(server.of(startTask).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { kind: 'export.operation-log', params: { beginTime: month!.from, endTime: month!.to } },
      ]),
    );
    const bar = await shown.findByRole('progressbar', undefined, find);
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual([
      '25',
      '250,000 / 1,000,000 行',
    ]);
    server.answer(listTasks, { data: [ended], recordsTotal: 1 });
    server.tell({ type: 'task', id: 5 });
    expect(await screen.findByText('已下载 操作日志.xlsx', undefined, find)).toBeTruthy();
    expect(saved).toEqual(['操作日志.xlsx']);
  });

  test('left while it runs, its end is told with the file one step away', async () => {
    server.answer(startTask, () => {
      server.answer(listTasks, { data: [task], recordsTotal: 1 });
      return task;
    });
    await open();
    const shown = await begin();
    fireEvent.click(shown.getByRole('button', { name: '导出' }));
    await shown.findByRole('progressbar', undefined, find);
    fireEvent.click(shown.getByRole('button', { name: '关闭' }));
    server.answer(listTasks, { data: [ended], recordsTotal: 1 });
    server.tell({ type: 'task', id: 5 });
    expect(await screen.findByText('导出操作日志（2026-11-01 – 2026-11-07）已完成', undefined, find)).toBeTruthy();
    expect(server.of(getTaskFile)).toEqual([]);
    fireEvent.click(within(screen.getByRole('region', { name: '通知' })).getByRole('button', { name: '下载' }));
    await waitFor(() => expect(server.of(getTaskFile)).toHaveLength(1));
  });

  test('a refusal shows the server’s reason in the dialog and nowhere else; then it can be tried again', async () => {
    server.refuse(startTask, 400, { code: 3601, message: '共 1,204,332 行，一次最多导出 1,000,000 行' });
    await open();
    const shown = await begin();
    fireEvent.click(shown.getByRole('button', { name: '导出' }));
    expect((await shown.findByRole('alert', undefined, find)).textContent).toContain(
      '共 1,204,332 行，一次最多导出 1,000,000 行',
    );
    await waitFor(() => expect(shown.getByRole('button', { name: '重试' }).hasAttribute('disabled')).toBe(false));
    expect(toasts.getState()).toEqual([]);
    fireEvent.click(shown.getByRole('button', { name: '最近一周（7 天）' }));
    await waitFor(() => expect(shown.queryByRole('alert')).toBeNull());
  });

  test('a running one can be stopped, a failed one says why and is begun again; those of the other log are not shown', async () => {
    const failed: Task = {
      ...task,
      id: 4,
      state: 'failed',
      error: '服务器重启，导出中断',
      endedAt: at,
      params: { beginTime: '2026-10-01', endTime: '2026-10-07' },
    };
    server.answer(listTasks, {
      data: [task, failed, { ...failed, id: 3, kind: 'export.login-log', error: '别的日志' }],
      recordsTotal: 3,
    });
    server.answer(cancelTask, { ...task, state: 'cancelled' });
    server.answer(repeatTask, { ...failed, id: 6, state: 'queued' });
    await open();
    const shown = await begin();
    expect(await shown.findByText('服务器重启，导出中断', undefined, find)).toBeTruthy();
    expect(shown.queryByText('别的日志')).toBeNull();
    fireEvent.click(shown.getByRole('button', { name: '取消任务 导出操作日志 2026-11-01 – 2026-11-07' }));
    fireEvent.click(shown.getByRole('button', { name: '重新执行 导出操作日志 2026-10-01 – 2026-10-07' }));
    await waitFor(() =>
      expect([server.of(cancelTask).map(({ path }) => path), server.of(repeatTask).map(({ path }) => path)]).toEqual([
        ['/api/v1/tasks/5/cancel'],
        ['/api/v1/tasks/4/repeat'],
      ]),
    );
  });

  test('the shortcuts hold 7, 30 and 90 days through today; a range without an end holds none', () => {
    expect(quickRanges('2026-03-01')).toEqual([
      { key: 'week', from: '2026-02-23', to: '2026-03-01' },
      { key: 'month', from: '2026-01-31', to: '2026-03-01' },
      { key: 'quarter', from: '2025-12-02', to: '2026-03-01' },
    ]);
    expect([...quickRanges('2026-03-01').map(daysIn), daysIn({ from: '2026-03-01' })]).toEqual([7, 30, 90, null]);
  });
});
