import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listDevices } from '../../../../contract/register/devices.ts';
import { getMe, getPreferences } from '../../../../contract/people/me.ts';
import { watchActivity } from '../../api/activity.ts';
import { type ApiError, reactToRefusals, useCall } from '../../api/index.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { press, renderInShell } from '../../testing/shell.tsx';
import { DeviceTable } from '../declared/DeviceTable.tsx';
import { ErrorState } from '../notices/Notices.tsx';
import { Page, PageBar } from './PageBar.tsx';

const at = '2026-11-20T13:00:00.000Z';
const lamp = {
  id: 7,
  family: 'single-lamp-controller',
  version: 3,
  createTime: at,
  updateTime: at,
  isOnline: true,
  state: 'on',
  fault: null,
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: { at, receivedAt: at, values: { level: 60 }, connected: null },
  equipmentCode: 'BJ-7',
  equipmentName: '七号灯',
  workId: 1,
  status: 'enabled',
};
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;
const forbidden = vi.fn<(error: ApiError) => void>();

beforeEach(async () => {
  forbidden.mockClear();
  reactToRefusals({ signedOut: () => undefined, forbidden });
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(listDevices, { data: [lamp], recordsTotal: 1 });
});
afterEach(async () => {
  cleanup();
  reactToRefusals(undefined);
  await server.close();
});

const lines = (): string[] =>
  screen
    .queryAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter((text) => text.includes('之后未刷新') || text.includes('没有取到'));
/** Somebody is at work: what is asked now is not the console's own doing. */
const hand = (): void => void fireEvent.pointerDown(window);

describe('a list whose refresh fails', () => {
  const open = async (): Promise<void> => {
    await renderInShell(<DeviceTable family="single-lamp-controller" screen="asset/single-lamp-controllers" />, {
      address: '/x',
      codes: [],
    });
    await screen.findByText('BJ-7');
    expect(lines()).toEqual([]);
    onTestFinished(watchActivity());
    hand();
  };

  test.each([
    [500, { message: '服务器出错了', requestId: 'r-5' }, /^\d\d:\d\d 之后未刷新：服务器出错了 · 请求号 r-5重试$/],
    [403, { message: '缺少权限 device.query' }, /^\d\d:\d\d 之后未刷新：缺少权限 device.query重试$/],
    [502, {}, /^\d\d:\d\d 之后未刷新：服务器答复 502重试$/],
  ])('with %i keeps its rows and says since when and why, once', async (status, problem, text) => {
    await open();
    server.refuse(listDevices, status, problem);
    await press('刷新');
    await waitFor(() => expect(lines()).toEqual([expect.stringMatching(text)]));
    expect(screen.getByText('BJ-7')).toBeTruthy();
    expect(forbidden.mock.calls.map(([error]) => error.message)).toEqual(
      status === 403 ? ['缺少权限 device.query'] : [],
    );
    server.answer(listDevices, { data: [lamp], recordsTotal: 1 });
    await press('重试');
    await waitFor(() => expect(lines()).toEqual([]));
  });

  test('without a network says so in words', async () => {
    await open();
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await press('刷新');
    await waitFor(() =>
      expect(lines()).toEqual([expect.stringMatching(/之后未刷新：网络连接异常，请检查网络环境！重试$/)]),
    );
    vi.stubGlobal('fetch', real);
    await press('重试');
    await waitFor(() => expect(lines()).toEqual([]));
  });

  test('still says so while the live line tells of its values', async () => {
    await renderInShell(<DeviceTable family="single-lamp-controller" screen="asset/single-lamp-controllers" />, {
      address: '/x',
      live: server,
    });
    await screen.findByText('BJ-7');
    server.refuse(listDevices, 500, { message: '服务器出错了' });
    await press('刷新');
    await waitFor(() => expect(lines()).toHaveLength(1));
    server.tell({
      type: 'devices',
      topic: 'devices:single-lamp-controller',
      at,
      devices: [{ id: 7, family: 'single-lamp-controller', values: { level: 33 } }],
    });
    await screen.findByText('33%');
    expect(lines()).toHaveLength(1);
  });
});

describe('a page', () => {
  function Quiet() {
    const { data, refetch } = useCall(getMe, {}, { staleTime: 0 });
    return (
      <Page>
        <PageBar title="页面" />
        <p>{data === undefined ? '—' : '有数据'}</p>
        <button type="button" onClick={() => void refetch()}>
          再取
        </button>
      </Page>
    );
  }

  test('says of when its rows are, and shows at its head what no part of it shows', async () => {
    server.on(getMe, () => ({ status: 200, body: {} }));
    await renderInShell(<Quiet />, { address: '/x' });
    await screen.findByText('有数据');
    const bar = within(screen.getByRole('heading', { name: '页面' }).parentElement!);
    expect(await bar.findByText(/^数据截至 \d\d:\d\d:\d\d$/)).toBeTruthy();
    server.refuse(getMe, 500, { message: '服务器出错了' });
    await press('再取');
    await waitFor(() => expect(lines()).toEqual([expect.stringMatching(/^\d\d:\d\d 之后未刷新：服务器出错了重试$/)]));
    expect(screen.getByText('有数据')).toBeTruthy();
  });

  test('says that a part of it never came, if that part does not', async () => {
    server.refuse(getMe, 500, { message: '服务器出错了' });
    await renderInShell(<Quiet />, { address: '/x' });
    await waitFor(() => expect(lines()).toEqual(['一部分数据没有取到：服务器出错了重试']));
    server.on(getMe, () => ({ status: 200, body: {} }));
    await press('重试');
    await screen.findByText('有数据');
    await waitFor(() => expect(lines()).toEqual([]));
  });

  test('never shows a failure for a moment that a part of it is about to show', async () => {
    const held: (() => void)[] = [];
    let askMore = (): void => undefined;
    function Other() {
      const [enabled, setEnabled] = useState(false);
      useCall(getPreferences, {}, { enabled });
      askMore = () => setEnabled(true);
      return null;
    }
    function Part() {
      const { error, refetch } = useCall(getMe, {}, { staleTime: 0 });
      return error ? <ErrorState error={error} onRetry={refetch} /> : <p>—</p>;
    }
    server.on(getMe, () => {
      // From the failure on the cache knows it, and the part does not yet.
      notifyManager.setScheduler((tell) => void held.push(tell));
      return { status: 500, body: { status: 500, message: '服务器出错了' } };
    });
    onTestFinished(() => notifyManager.setScheduler(defaultScheduler));
    await renderInShell(
      <>
        <Part />
        <Other />
      </>,
      { address: '/x' },
    );
    await waitFor(() => expect(held.length).toBeGreaterThan(0));
    await act(async () => askMore());
    expect(lines()).toEqual([]);
    await act(async () => held.forEach((tell) => tell()));
    expect((await screen.findByRole('alert')).textContent).toContain('服务器出错了');
    expect(lines()).toEqual([]);
  });
});
