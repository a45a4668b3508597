import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import type { moveMenuNodes, saveMenuNode } from '../../../../../../contract/specified/menu-configuration.ts';
import { getMenuNodes } from '../../../../../../contract/specified/menu-configuration.ts';
import { connectLive, createQueryClient, LiveContext, type LiveConnection } from '../../../../api/index.ts';
import { MenuContext } from '../../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../../locales/i18n.ts';
import { Toasts } from '../../../../parts/index.ts';
import { toasts } from '../../../../frame/toast-store.ts';
import { storeToken } from '../../../../session/index.ts';
import { contractServer, type ContractServer, type SeenRequest } from '../../../../testing/contract-server.ts';
import MenuConfiguration from '../index.tsx';
import { root, type Node } from '../node.ts';

/** The menu configuration over a tree that a contract server keeps. Call it at the top of a test file. */
export function menuPage() {
  const node = (id: number, parentId: number, title: string, values: Partial<Node> = {}): Node => ({
    ...root,
    id,
    parentId,
    type: 'menu2',
    title,
    name: `name-${id}`,
    icon: 'cube',
    url: `/p/${id}`,
    component: 'lamp/monitor',
    permissionCode: null,
    orderby: id,
    language: null,
    titles: {},
    version: 4,
    hasChildren: false,
    ...values,
  });
  let nodes: Node[] = [];
  let server: ContractServer;
  let live: LiveConnection;
  const find = { timeout: 8_000 };
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  const listOf = (request: SeenRequest) => {
    const parentId = Number(request.query.get('parentId'));
    const data = nodes
      .filter((one) => one.parentId === parentId)
      .toSorted((a, b) => a.orderby - b.orderby)
      .map((one) => ({ ...one, hasChildren: nodes.some((other) => other.parentId === one.id) }));
    return { data, recordsTotal: data.length };
  };
  const bodies = (route: typeof saveMenuNode | typeof moveMenuNodes): unknown[] =>
    server.of(route).map(({ body }) => JSON.parse(body) as unknown);

  async function open() {
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={await startI18n('zh-CN')}>
          <QueryClientProvider client={createQueryClient()}>
            <LiveContext value={live}>
              <MemoryRouter>
                <MenuContext
                  value={{
                    top: [],
                    pages: [],
                    codes: new Set(['cscp.sr']),
                    known: {
                      builtIn: new Set(['user-management']),
                      components: new Set(['lamp/monitor', 'asset/roads']),
                    },
                  }}
                >
                  <TabStoreContext value={createTabStore()}>
                    <TabKeyContext value="/menus">
                      <main>
                        <Suspense fallback="…">
                          <MenuConfiguration />
                        </Suspense>
                      </main>
                      <AskHost />
                      <Toasts />
                    </TabKeyContext>
                  </TabStoreContext>
                </MenuContext>
              </MemoryRouter>
            </LiveContext>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    return screen.findByRole('treeitem', { name: /^异步路由配置/ }, find);
  }
  const line = (name: RegExp): Promise<HTMLElement> => screen.findByRole('treeitem', { name }, find);
  const press = (...keys: string[]): void => {
    for (const key of keys) fireEvent.keyDown(document.activeElement!, { key });
  };
  const focus = (one: HTMLElement): void => act(() => one.focus());
  const unfold = async (name: RegExp): Promise<void> => {
    focus(await line(name));
    press('ArrowRight');
  };
  const names = (): string[] =>
    screen.getAllByRole('treeitem').map((one) => one.querySelector('[id]')?.firstElementChild?.textContent ?? '');
  const dialog = async () => within(await screen.findByRole('dialog', undefined, find));
  const type = (box: HTMLElement, value: string): void => {
    fireEvent.change(box, { target: { value } });
  };
  const choose = async (combobox: HTMLElement, option: string | RegExp): Promise<void> => {
    fireEvent.mouseDown(combobox);
    const found = (await screen.findAllByText(option, undefined, find)).findLast((each) =>
      each.closest('.ant-select-item'),
    );
    fireEvent.click(found!);
  };

  beforeEach(async () => {
    storeToken('Bearer test');
    toasts.setState([], true);
    nodes = [
      node(1, 0, '智慧路灯', { type: 'menu1', url: '/lamp', component: 'layout', orderby: 1 }),
      node(2, 0, '资产', { type: 'menu1', url: '/asset', component: 'layout', orderby: 2 }),
      node(3, 1, '单灯监控', { orderby: 1, permissionCode: 'lamp.monitor', titles: { 'fr-FR': 'Suivi' } }),
      node(4, 1, '集控', { orderby: 2 }),
      node(5, 3, '控制', { type: 'button', permissionCode: 'lamp.control', url: null, component: null, orderby: 1 }),
      node(6, 2, '道路', { component: 'asset/nowhere', orderby: 1 }),
    ];
    server = await contractServer();
    server.answer(getMenuNodes, listOf);
    live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  });
  afterEach(async () => {
    cleanup();
    live.stop();
    await server.close();
  });

  return {
    node,
    get nodes() {
      return nodes;
    },
    set nodes(next) {
      nodes = next;
    },
    get server() {
      return server;
    },
    get live() {
      return live;
    },
    find,
    listOf,
    bodies,
    open,
    line,
    press,
    focus,
    unfold,
    names,
    dialog,
    type,
    choose,
  };
}
