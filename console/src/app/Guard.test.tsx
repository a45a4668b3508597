import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { I18nextProvider } from 'react-i18next';
import { getMenus } from '../../../contract/specified/account.ts';
import { createQueryClient } from '../api/index.ts';
import { startI18n } from '../locales/i18n.ts';
import { storeToken } from '../session/index.ts';
import { serverForEach } from '../testing/contract-server.ts';
import { Guard, type Leave } from './Guard.tsx';
import { useMenu, usePermission } from '../frame/menu/menu-context.ts';

const server = serverForEach();

function Inside() {
  return <p>{`in: ${useMenu().pages.length} pages, control ${usePermission('lamp.control')}`}</p>;
}

async function guarded() {
  const leave = vi.fn<Leave>();
  const i18n = await startI18n('zh-CN');
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={createQueryClient()}>
        <Guard leave={leave}>
          <Inside />
        </Guard>
      </QueryClientProvider>
    </I18nextProvider>,
  );
  return leave;
}

test('without a session nothing is asked and the operator goes to sign-in', async () => {
  const leave = await guarded();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('signedOut'));
  expect(server().seen).toHaveLength(0);
});

test('the layout opens once the menu is there, with its permission codes', async () => {
  storeToken('Bearer t');
  server().answer(getMenus, [
    {
      id: 1,
      parentId: 0,
      type: 'button',
      name: 'b',
      title: '控制',
      icon: null,
      url: null,
      component: null,
      permissionCode: 'lamp.control',
      orderby: 1,
      language: null,
    },
  ]);
  const leave = await guarded();
  await screen.findByText(/^in: \d pages, control true$/);
  expect(leave).not.toHaveBeenCalled();
});

test('a failing menu call leads to sign-in', async () => {
  storeToken('Bearer t');
  server().refuse(getMenus, 500, { message: 'x' });
  const leave = await guarded();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('routesFailed'));
  expect(screen.queryByText(/^in:/)).toBeNull();
});

test('an empty list counts as an error', async () => {
  storeToken('Bearer t');
  server().answer(getMenus, []);
  const leave = await guarded();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('routesFailed'));
});

test('an account whose last menu entry is taken away leaves the console; a failed refresh alone changes nothing', async () => {
  storeToken('Bearer t');
  server().answer(getMenus, [
    {
      id: 1,
      parentId: 0,
      type: 'button',
      name: 'b',
      title: '控制',
      icon: null,
      url: null,
      component: null,
      permissionCode: 'lamp.control',
      orderby: 1,
      language: null,
    },
  ]);
  const client = createQueryClient();
  const leave = vi.fn<Leave>();
  render(
    <I18nextProvider i18n={await startI18n('zh-CN')}>
      <QueryClientProvider client={client}>
        <Guard leave={leave}>
          <Inside />
        </Guard>
      </QueryClientProvider>
    </I18nextProvider>,
  );
  await screen.findByText(/^in:/);
  server().refuse(getMenus, 500, { message: 'x' });
  await client.invalidateQueries();
  expect(leave).not.toHaveBeenCalled();
  server().refuse(getMenus, 403, { message: '该账号尚未分配任何菜单' });
  await client.invalidateQueries();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('routesFailed'));
});
