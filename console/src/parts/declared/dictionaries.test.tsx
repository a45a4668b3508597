import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense, useEffect, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listDevices, getDevice } from '../../../../contract/register/devices.ts';
import { listDictionaries } from '../../../../contract/register/dictionaries.ts';
import { getRecord, listRecords, updateRecord } from '../../../../contract/register/records.ts';
import { createQueryClient } from '../../api/index.ts';
import { DictionaryKeeper } from '../../app/DictionaryKeeper.tsx';
import { MenuContext } from '../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../frame/tabs/tab-store.ts';
import { startI18n } from '../../locales/i18n.ts';
import Dictionaries from '../../screens/register/dictionaries/index.tsx';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { DeviceTable } from './DeviceTable.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { namesFor } from '../../locales/catalogue-names.ts';
import { keepDictionaries } from '../../locales/dictionaries.ts';

const at = '2026-11-20T13:00:00.000Z';
const pole = (material: string | null) => ({
  id: 7,
  family: 'lamp-pole',
  version: 1,
  createTime: at,
  updateTime: at,
  isOnline: null,
  state: null,
  fault: null,
  latchedPosition: null,
  labels: { workId: '滨江' },
  secrets: [],
  latest: null,
  equipmentCode: 'P-7',
  equipmentName: '七号杆',
  workId: 1,
  status: 'enabled',
  equipmentTypeId: 'equipment_type_13',
  material,
});
const item = {
  id: 3,
  version: 2,
  createTime: at,
  updateTime: at,
  labels: { dictId: '材质' },
  secrets: [],
  dictId: 1,
  value: 'steel',
  orderby: 10,
  status: 'enabled',
  zhCN: '钢',
  zhTW: null,
  enUS: null,
  frFR: null,
  jaJP: null,
  koKR: null,
};
const dictionary = {
  id: 1,
  version: 1,
  createTime: at,
  updateTime: at,
  labels: {},
  secrets: [],
  dictCode: 'poleMaterial',
  zhCN: '材质',
  zhTW: null,
  enUS: null,
  frFR: null,
  jaJP: null,
  koKR: null,
  description: null,
};
const material = (steel: string) => ({
  code: 'poleMaterial',
  name: '材质',
  builtIn: true,
  open: true,
  items: [
    { value: 'bamboo', label: '竹', enabled: true },
    { value: 'steel', label: steel, enabled: true },
    { value: 'aluminium', label: '铝合金', enabled: false },
  ],
});
let server: ContractServer;
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
const valuesPage = {
  name: 'asset/dictionary-items',
  screen: 'asset/dictionary-items',
  path: '/asset/dictionary-items',
  title: '字典项',
  language: null,
  icon: null,
  parents: [],
  permissionCode: null,
};
async function open(path: string, content: ReactNode) {
  const i18n = await startI18n('zh-CN');
  await namesFor('zh-CN');
  await act(async () =>
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter initialEntries={[path]}>
              <MenuContext
                value={{ top: [], pages: [valuesPage], codes: new Set(['device.edit', 'record.edit', 'record.del']) }}
              >
                <TabStoreContext value={createTabStore()}>
                  <TabKeyContext value="/x">
                    <DictionaryKeeper />
                    <Suspense fallback="…">{content}</Suspense>
                    <Address />
                  </TabKeyContext>
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    ),
  );
}
const poles = <DeviceTable family="lamp-pole" screen="pole/poles" />;
/** What the field offers once it is opened. */
async function offered(label: string): Promise<string[]> {
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  fireEvent.mouseDown(await dialog.findByLabelText(label, undefined, find));
  await waitFor(() => expect(document.querySelector('.ant-select-item-option')).not.toBeNull());
  return [...document.querySelectorAll('.ant-select-item-option')].map((option) => option.textContent ?? '');
}

beforeEach(async () => {
  server = await contractServer();
  server.answer(listDictionaries, { data: [material('钢材')], recordsTotal: 1 });
});
afterEach(async () => {
  cleanup();
  keepDictionaries([]);
  await server.close();
});

test('details say what the dictionary says', async () => {
  server.answer(listDevices, { data: [pole('steel')], recordsTotal: 1 });
  server.answer(getDevice, pole('steel'));
  await open('/x?open=7', poles);
  const details = within(await screen.findByRole('dialog', undefined, find));
  expect(await details.findByText('钢材', undefined, find)).toBeTruthy();
});

test('a form offers the site’s values in its order, a disabled one only where it is held', async () => {
  server.answer(listDevices, { data: [], recordsTotal: 0 });
  server.answer(getDevice, pole(null));
  await open('/x?form=7', poles);
  expect(await offered('材质')).toEqual(['竹', '钢材']);
  cleanup();
  server.answer(getDevice, pole('aluminium'));
  await open('/x?form=7', poles);
  expect(await offered('材质')).toEqual(['竹', '钢材', '铝合金']);
});

test('what is given once for ever is shown, not offered; after a change the words are asked again', async () => {
  server.answer(listRecords, { data: [item], recordsTotal: 1 });
  server.answer(getRecord, item);
  const renamed = { ...item, version: 3, zhCN: '钢制' };
  server.answer(updateRecord, renamed);
  await open('/x?form=3', <RecordScreen record="dictionary-item" screen="asset/dictionary-items" />);
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  expect((await dialog.findByLabelText(/^字典值/, undefined, find)).tagName).toBe('OUTPUT');
  expect(dialog.getByLabelText(/^所属字典/).textContent).toBe('材质');
  fireEvent.change(dialog.getByLabelText(/^简体中文/), { target: { value: '钢制' } });
  const asked = server.of(listDictionaries).length;
  fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
  await waitFor(() => expect(JSON.parse(server.of(updateRecord)[0]!.body)).toEqual({ zhCN: '钢制', version: 2 }));
  await waitFor(() => expect(server.of(listDictionaries).length).toBeGreaterThan(asked));
});

test('a dictionary leads to its values', async () => {
  server.answer(listRecords, { data: [dictionary], recordsTotal: 1 });
  await open('/x', <Dictionaries />);
  const button = await screen.findByRole('button', { name: '字典项 poleMaterial' }, find);
  await act(async () => fireEvent.click(button));
  await waitFor(() => expect(address).toBe('/asset/dictionary-items?dictId=1&sort=orderby,asc'));
});
