import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getCommandSettings, policyDefaults } from '../../../../../contract/light/command-settings.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { listSchemes } from '../../../../../contract/light/schemes.ts';
import { listTemplates } from '../../../../../contract/light/templates.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import Publish from './index.tsx';

vi.setConfig({ testTimeout: 90_000 });
const server = serverForEach();
const open = (codes: string[]) =>
  renderInShell(<Publish />, {
    address: '/lamp/publish',
    codes,
    pages: ['lamp/schemes', 'lamp/templates'],
    live: server(),
  });
const rest = ['plan.publish', 'lamp.monitor', 'device.query'];
const wait = { timeout: 45_000 };

beforeEach(() => {
  server().answer(listSchemes, { data: [], recordsTotal: 0 });
  server().answer(listTemplates, { data: [], recordsTotal: 0 });
  server().answer(getLampFilters, { roads: [], groups: [], controllers: [] });
  server().answer(getWorkAreaOptions, { success: true, msg: '', data: [] });
  server().answer(getCommandSettings, {
    version: 1,
    policy: policyDefaults,
    limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
  });
});

test('before anything is frozen each choice says so and leads to where it is made', async () => {
  await open(['plan.query', ...rest]);
  // The lists come one after the other.
  const hints = await waitFor(() => {
    const found = screen.getAllByText(/还没有定稿的，先新建并定稿：/);
    expect(found).toHaveLength(2);
    return found;
  }, wait);
  within(hints[0]!).getByRole('button', { name: '节能方案' });
  within(hints[1]!).getByRole('button', { name: '工作参数模板' });
});

test('who may not read schemes is informed once of what is missing, and they are not asked for', async () => {
  await open(rest);
  await screen.findByText(/缺少权限 plan\.query/, undefined, wait);
  expect(screen.queryByRole('combobox', { name: '节能方案' })).toBeNull();
  expect(server().of(listSchemes)).toEqual([]);
});

test('a list that could not be fetched is said once, and not beside a version to choose', async () => {
  server().refuse(listSchemes, 503, { message: '稍后再试' });
  await open(['plan.query', ...rest]);
  const failed = await screen.findByText('方案没有取到', undefined, wait);
  within(failed.closest<HTMLElement>('[role="alert"]')!).getByRole('button', { name: '重试' });
  expect(screen.getAllByRole('combobox', { name: '版本' })).toHaveLength(1);
});
