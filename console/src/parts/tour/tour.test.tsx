import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getPreferences, patchPreferences } from '../../../../contract/people/me.ts';
import { getDemo } from '../../../../contract/shell/demo.ts';
import { TourHost } from '../../app/tour/TourHost.tsx';
import { loadPreferences, preferences } from '../../frame/preferences.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { showTour, TourButton } from './index.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;
const places = {
  lampId: 8,
  controllerId: null,
  commandId: 24,
  approvalId: 26,
  schemeId: 3,
  schemeNumber: 2,
  username: 'li.wei',
  importId: 2,
};
const demo = {
  active: true,
  demoEvening: false,
  since: '2026-11-20T13:00:00.000Z',
  workAreaId: 1,
  sunOffsetMinutes: 0,
  lamps: 300,
  history: { day: 1, week: 1 },
  stories: [],
  places,
};
const every = [
  'lamp/monitor',
  'lamp/command',
  'lamp/device',
  'lamp/approvals',
  'lamp/publish',
  'user-management',
  'asset/imports',
  'lamp/scheme',
  'lamp/history',
];
beforeEach(async () => {
  server = await contractServer();
  server.answer(getDemo, demo);
  server.answer(getPreferences, {});
  server.answer(patchPreferences, {});
  preferences.setState({ values: undefined, unsaved: false, arriving: false });
});
afterEach(async () => {
  showTour(false);
  cleanup();
  await server.close();
});
const open = async (pages: readonly string[] = every) => {
  await loadPreferences();
  return renderInShell(
    <>
      <TourButton />
      <TourHost />
    </>,
    { address: '/home', pages },
  );
};
const button = () => screen.findByRole('button', { name: /^打开演示导览/ });
/** What the server was told last. */
const kept = (): unknown => JSON.parse(String(server.of(patchPreferences).at(-1)?.body ?? 'null'));
const steps = () => screen.findAllByRole('listitem');

test('leads to ten places, by the ids of this city', async () => {
  const shell = await open();
  fireEvent.click(await button());
  const items = await steps();
  expect(items).toHaveLength(10);
  // Each says in one sentence what is to be seen.
  for (const item of items) expect(item.textContent?.length).toBeGreaterThan(20);
  fireEvent.click(screen.getByRole('button', { name: /发布方案前先预览/ }));
  await waitFor(() => expect(shell.address()).toBe('/lamp/publish?scheme=3&number=2'));
  await waitFor(() => expect(kept()).toEqual({ demoTour: { seen: ['publish'], away: false } }));
});

test('ticks what was seen, keeps it for the account, and names what comes next', async () => {
  await open();
  expect((await button()).textContent).toContain('夜间地图');
  fireEvent.click(await button());
  fireEvent.click(await screen.findByRole('button', { name: /夜间地图/ }));
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  expect((await button()).textContent).toContain('1/10');
  expect((await button()).textContent).toContain('一盏灯的真话线');
  await waitFor(() => expect(kept()).toEqual({ demoTour: { seen: ['map'], away: false } }));
});

test('is put away from the home page, and stays in its list', async () => {
  await open();
  fireEvent.click(await button());
  fireEvent.click(await screen.findByRole('button', { name: '从首页收起' }));
  expect(await screen.findByRole('button', { name: '放回首页' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^打开演示导览/ })).toBeNull();
  await waitFor(() => expect(kept()).toEqual({ demoTour: { seen: [], away: true } }));
});

test('shows nobody what its role has no page for', async () => {
  await open(['lamp/monitor', 'lamp/device', 'lamp/history']);
  fireEvent.click(await button());
  expect((await steps()).map((item) => item.querySelector('b')?.textContent)).toEqual([
    '夜间地图',
    '一盏灯的真话线',
    '这盏灯为什么这样亮',
    '历史曲线',
  ]);
});

test('names the cabinet that fails each evening where there is one', async () => {
  server.answer(getDemo, { ...demo, places: { ...places, controllerId: 77 } });
  await open([...every, 'device']);
  fireEvent.click(await button());
  expect(await screen.findByRole('button', { name: /每晚停电的集控柜/ })).toBeTruthy();
  expect(await steps()).toHaveLength(10);
});

test.each([
  ['where no demo city runs', { ...demo, active: false }],
  ['in a city of an earlier version', { ...demo, places: null }],
])('there is none %s', async (_where, state) => {
  server.answer(getDemo, state);
  await open();
  await waitFor(() => expect(server.of(getDemo).length).toBeGreaterThan(0));
  expect(screen.queryByRole('button', { name: /演示导览/ })).toBeNull();
});
