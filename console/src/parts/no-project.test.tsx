import { cleanup, configure, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listDevices } from '../../../contract/routes/devices.ts';
import { getMe, getPreferences } from '../../../contract/routes/me.ts';
import { contractServer, type ContractServer } from '../testing/contract-server.ts';
import { renderInShell } from '../testing/shell.tsx';
import { DeviceTable } from './DeviceTable.tsx';

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
const open = () => renderInShell(<DeviceTable family="lamp-pole" screen="pole/poles" />, { address: '/x', codes: ['device.add'] });

test('an account without a project reads that, and is offered nothing', async () => {
  server.answer(getMe, me);
  await open();
  expect(await screen.findByText('您还没有被分配项目，请联系管理员')).toBeTruthy();
  expect(screen.queryByText('还没有灯杆')).toBeNull();
});

test.each([['a member', { ...me, workAreas: 2 }], ['an administrator of an empty site', { ...me, level: 0 }]])('%s reads that nothing is registered, with the first step', async (_who, one) => {
  server.answer(getMe, one);
  await open();
  expect(await screen.findByText('还没有灯杆')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('您还没有被分配项目，请联系管理员')).toBeNull());
  expect(screen.getByRole('button', { name: /第一个/ })).toBeTruthy();
});
