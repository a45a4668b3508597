import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { createDevice, deleteDevice, getDeviceUses, updateDevice } from '../../../../contract/register/devices.ts';
import { watchActivity } from '../../api/activity.ts';
import { createQueryClient, reactToRefusals } from '../../api/index.ts';
import { MenuContext } from '../../frame/menu/menu-context.ts';
import { startI18n } from '../../locales/i18n.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { namesFor } from '../../locales/catalogue-names.ts';
import { FamilyForm } from './FamilyForm.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { deviceSource, type Row } from './source.ts';
import { StatusButton } from './StatusButton.tsx';

let server: ContractServer;
const forbidden = vi.fn();
const source = deviceSource(familyOf('gateway')!);
const row: Row = { id: 5, version: 2, labels: {}, updateTime: null, equipmentCode: 'GW-5', status: 'enabled' };
const reason = '缺少权限';
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getDeviceUses, { blocking: [], lost: [] });
  for (const route of [createDevice, updateDevice, deleteDevice])
    server.refuse(route, 403, { code: 1201, message: reason });
  forbidden.mockClear();
  reactToRefusals({ signedOut: () => undefined, forbidden });
  onTestFinished(watchActivity());
});
afterEach(async () => {
  cleanup();
  reactToRefusals(undefined);
  await server.close();
});

const nothing = (): void => undefined;
/** By hand: what nobody's hands led to within 10 s is the console's own, and its refusal warns nobody. */
const press = (button: HTMLElement): void => {
  fireEvent.pointerDown(button);
  fireEvent.click(button);
};
const pressIn = async (name: string): Promise<void> =>
  press(within(await screen.findByRole('dialog')).getByRole('button', { name }));
const places: readonly [string, ReactNode, () => Promise<void>][] = [
  [
    'taking a device out of use',
    <StatusButton key="1" source={source} row={row} />,
    async () => {
      press(await screen.findByRole('button', { name: '停用' }));
      await pressIn('停用');
    },
  ],
  [
    'deleting one',
    <DeleteDialog key="2" source={source} row={row} onClose={nothing} onDeleted={nothing} />,
    async () => {
      await screen.findByText(/删除后/);
      await pressIn('删除');
    },
  ],
  [
    'saving one',
    <FamilyForm
      key="3"
      source={source}
      row={null}
      initial={{ values: { equipmentCode: 'X1', equipmentName: 'x', workId: 1 }, labels: {} }}
      reload={() => Promise.resolve(undefined)}
      onSaved={nothing}
      onCancel={nothing}
      onDirty={nothing}
    />,
    async () => {
      press(await screen.findByRole('button', { name: '保存' }));
    },
  ],
];

test.each(places)('a 403 to %s warns, and is told where it was asked', async (_what, part, ask) => {
  const i18n = await startI18n('zh-CN');
  await namesFor('zh-CN');
  await act(
    async () =>
      void render(
        <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
          <I18nextProvider i18n={i18n}>
            <QueryClientProvider client={createQueryClient()}>
              <MemoryRouter>
                <MenuContext
                  value={{ top: [], pages: [], codes: new Set(['device.add', 'device.edit', 'device.del']) }}
                >
                  <Suspense fallback="…">{part}</Suspense>
                </MenuContext>
              </MemoryRouter>
            </QueryClientProvider>
          </I18nextProvider>
        </ConfigProvider>,
      ),
  );
  await ask();
  expect((await screen.findByRole('alert')).textContent).toContain(reason);
  expect(forbidden).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: reason }));
});
