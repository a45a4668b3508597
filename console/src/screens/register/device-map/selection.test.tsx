import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { differences } from '../../../../../contract/device-map.ts';
import { getDeviceMap, listUnplacedDevices } from '../../../../../contract/register/device-map.ts';
import { deleteDevice, listDevices } from '../../../../../contract/register/devices.ts';
import { getTreeLevel } from '../../../../../contract/register/topology.ts';
import { createQueryClient, useCall } from '../../../api/index.ts';
import { buildMenu } from '../../../frame/menu/menu.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { useFieldVersion } from '../../../parts/map/use-field.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { SelectionDrawer } from './SelectionDrawer.tsx';
import { useDeviceMap } from './use-device-map.ts';
import { useSelection } from './use-selection.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
const menu = buildMenu([], { builtIn: new Set(), components: new Set() });
let server: ContractServer;
let standing: number[] = [];

/** Everything of the map but its picture, which jsdom cannot draw. */
function Selecting({ field }: { field: DeviceField }) {
  const { selected, ofFamily, add, clear } = useSelection(field);
  const [opened, setOpened] = useState<string | null>(null);
  // What is ringed is told to the field after it was rendered.
  useFieldVersion(field, 0);
  return (
    <>
      <button type="button" onClick={() => add([1, 2, 3])}>
        select all
      </button>
      <output>{`${field.size} on the map, ${field.selectedCount} ringed`}</output>
      <SelectionBar field={field} ids={selected} onOpen={setOpened} onClear={clear} />
      {opened === null ? null : (
        <SelectionDrawer key={opened} family={opened} ids={ofFamily(opened)} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
function Devices() {
  const { field } = useDeviceMap();
  // Two more views of devices, open in other places.
  useCall(listUnplacedDevices, { query: {} });
  useCall(getTreeLevel, { params: { tree: 'power' }, query: {} });
  return field ? <Selecting field={field} /> : null;
}

beforeEach(async () => {
  standing = [1, 2, 3];
  server = await contractServer();
  server.on(deleteDevice, ({ path }) => {
    if (path.endsWith('/3')) return { status: 409, body: { status: 409, message: '还有东西挂在它上面' } };
    standing = standing.filter((id) => !path.endsWith(`/${id}`));
    return { status: 204, body: null };
  });
  server.answer(listUnplacedDevices, { data: [], recordsTotal: 0 });
  server.answer(getTreeLevel, { data: [], recordsTotal: 0, groups: [] });
  server.answer(getDeviceMap, () => ({
    at: '2026-11-20T13:46:31.000Z',
    version: standing.join(),
    families: ['wifi'],
    columns: {
      ids: differences(standing),
      kinds: standing.map(() => 0),
      dx: differences(standing.map((id) => 120_200_000 + id)),
      dy: differences(standing.map(() => 30_200_000)),
    },
  }));
  server.answer(listDevices, ({ query }) => {
    const data = (query.get('ids') ?? '')
      .split(',')
      .map(Number)
      .filter((id) => standing.includes(id))
      .map((id) => ({
        id,
        family: 'wifi',
        version: 1,
        createTime: '2026-11-20T09:00:00.000Z',
        updateTime: null,
        isOnline: null,
        state: null,
        fault: null,
        latchedPosition: null,
        labels: {},
        secrets: [],
        latest: null,
        equipmentCode: `W-${id}`,
      }));
    return { data, recordsTotal: data.length };
  });
  const i18n = await startI18n('zh-CN');
  await namesFor('zh-CN');
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter>
            <MenuContext value={{ ...menu, codes: new Set(['device.query', 'device.edit', 'device.del']) }}>
              <TabStoreContext value={createTabStore()}>
                <TabKeyContext value="/x">
                  <Suspense fallback="…">
                    <Devices />
                  </Suspense>
                </TabKeyContext>
              </TabStoreContext>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
});
afterEach(async () => {
  cleanup();
  await server.close();
});

const dialogOf = async (title: string) =>
  within((await screen.findByText(title)).closest<HTMLElement>('[role=dialog]')!);

test('what is deleted from the selection leaves map and counts at once, and the outcome of each stays to be read', async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'select all' }));
  await screen.findByText('已选 3 台');
  const family = within(screen.getByRole('toolbar', { name: '选中的设备' })).getByRole('button', { name: /3$/ });
  await act(async () => fireEvent.click(family));
  fireEvent.click(await screen.findByRole('button', { name: '删除' }));
  const dialog = await dialogOf('删除 3 项？');
  fireEvent.click(dialog.getByRole('button', { name: '删除' }));
  await screen.findByText('成功 2，失败 1，共 3');
  await screen.findByText('1 on the map, 1 ringed');
  expect(screen.getByText('已选 1 台')).toBeTruthy();
  expect(screen.getByText('选中的WiFi（1）')).toBeTruthy();
  expect(screen.getByText('还有东西挂在它上面')).toBeTruthy();
  for (const route of [listUnplacedDevices, getTreeLevel])
    await waitFor(() => expect(server.of(route)).toHaveLength(2));
});
