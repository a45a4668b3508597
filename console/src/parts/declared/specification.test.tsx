import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { specifiedRules } from '../../../../catalogue/specification.cases.ts';
import { createDevice } from '../../../../contract/register/devices.ts';
import { createQueryClient } from '../../api/index.ts';
import { MenuContext } from '../../frame/menu/menu-context.ts';
import { startI18n } from '../../locales/i18n.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { namesFor } from '../../locales/catalogue-names.ts';
import { deviceSource } from './source.ts';
import { FamilyForm } from './FamilyForm.tsx';

let server: ContractServer;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
beforeEach(async () => {
  server = await contractServer();
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test.each(specifiedRules)(
  'specified 9.5, said by the form beside its field: %s (%s)',
  async (_rule, key, values, refused) => {
    const family = familyOf(key)!;
    const i18n = await startI18n('zh-CN');
    await namesFor('zh-CN');
    const initial = {
      values: {
        equipmentCode: 'X1',
        equipmentName: 'x',
        workId: 1,
        ...(key === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_24' } : {}),
        ...values,
      },
      labels: {},
    };
    const { container } = render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <MemoryRouter>
              <MenuContext value={{ top: [], pages: [], codes: new Set(['device.add']) }}>
                <Suspense fallback="…">
                  <FamilyForm
                    source={deviceSource(family)}
                    row={null}
                    initial={initial}
                    reload={() => Promise.resolve(undefined)}
                    onSaved={() => undefined}
                    onCancel={() => undefined}
                    onDirty={() => undefined}
                  />
                </Suspense>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    fireEvent.submit((await screen.findByRole('button', { name: '保存' })).closest('form')!);
    const wrong = [...container.querySelectorAll<HTMLElement>('[id$="-error"]')].map((one) => one.id.split('-').at(-2));
    expect(wrong.toSorted()).toEqual(refused.map((one) => one.split(':')[0]));
    expect(server.of(createDevice)).toEqual([]);
  },
);
