import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import { listDevices } from '../../../../contract/register/devices.ts';
import { getHome } from '../../../../contract/light/home.ts';
import { getMe, getPreferences } from '../../../../contract/people/me.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import HomePage from '../../screens/light/home/index.tsx';
import { DeviceTable } from '../declared/DeviceTable.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;
const me = { accountId: 7, username: 'li', displayName: '李四', level: 3, permissions: [], warnings: [], workAreas: 0 };
beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(listDevices, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});
const open = () =>
  renderInShell(<DeviceTable family="lamp-pole" screen="pole/poles" />, { address: '/x', codes: ['device.add'] });

test('an account without a project reads that, and is offered nothing', async () => {
  server.answer(getMe, me);
  await open();
  expect(await screen.findByText('您还没有被分配项目，请联系管理员')).toBeTruthy();
  expect(screen.queryByText('还没有灯杆')).toBeNull();
});

test.each([
  ['a member', { ...me, workAreas: 2 }],
  ['an administrator of an empty site', { ...me, level: 0 }],
])('%s reads that nothing is registered, with the first step', async (_who, one) => {
  server.answer(getMe, one);
  await open();
  expect(await screen.findByText('还没有灯杆')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('您还没有被分配项目，请联系管理员')).toBeNull());
  expect(screen.getByRole('button', { name: /第一个/ })).toBeTruthy();
  // In which order a site is registered.
  expect(screen.getByText(/先建项目，再登记灯杆/)).toBeTruthy();
});

const nothing = { counted: false, value: null, of: 0, n: 0 };
const emptyHome = {
  at: '2026-11-20T13:00:00.000Z',
  newestReadingAt: null,
  stale: false,
  staleSince: null,
  lamps: 0,
  litRate: { counted: false, countedFrom: null, strict: nothing, knownOnly: nothing, unknown: 0 },
  online: { lamps: nothing, controllers: nothing },
  faults: { total: 0, severe: 0, medium: 0, minor: 0, byCode: {} },
  energy: { kWh: null, since: null, covered: 0, powerKw: null },
  night: {
    from: '2026-11-20T04:00:00.000Z',
    to: '2026-11-21T04:00:00.000Z',
    sunset: null,
    sunrise: null,
    onAt: null,
    offAt: null,
    timeZone: 'Asia/Shanghai',
    longitude: null,
    latitude: null,
    sunOffsetMinutes: 0,
  },
};
const page = 'asset/single-lamp-controllers';
test.each([
  ['leads to the page', ['device.add'], [page], true],
  ['is not offered to who has no such page', ['device.add'], [], false],
  ['nor to who may only look', ['device.query'], [page], false],
])('the first step on the home page of an empty site %s', async (_what, codes, pages, offered) => {
  server.answer(getMe, { ...me, workAreas: 1 });
  server.answer(getHome, emptyHome as unknown as ReplyOf<typeof getHome>);
  const shell = await renderInShell(<HomePage />, { address: '/home', codes, pages });
  expect(await screen.findByText('还没有路灯')).toBeTruthy();
  const button = screen.queryByRole('button', { name: '登记单灯控制器' });
  expect(button !== null).toBe(offered);
  if (button === null) return;
  fireEvent.click(button);
  await waitFor(() => expect(shell.address()).toBe(`/${page}`));
});
