import axe from 'axe-core';
import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Activity, Suspense, useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hangings } from '../../../../../catalogue/topology.ts';
import { findInTree, getTreeLevel, moveInTree } from '../../../../../contract/register/topology.ts';
import { createQueryClient } from '../../../api/index.ts';
import { buildMenu, type MenuEntry } from '../../../frame/menu/menu.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { Toasts } from '../../../parts/index.ts';
import { contractServer, type ContractServer, type SeenRequest } from '../../../testing/contract-server.ts';
import { mayStand, type Node } from './item.ts';
import Topology from './index.tsx';

const node = (id: number, family: string, code: string, more: Partial<Node> = {}): Node => ({
  key: `device:${id}`,
  kind: 'device',
  id,
  workId: 1,
  family,
  group: null,
  code,
  name: null,
  version: 4,
  state: null,
  online: null,
  lamps: null,
  alarms: null,
  offline: null,
  children: 0,
  ...more,
});
const first = node(1, 'transformer', 'TR-1', { lamps: 40, alarms: 3, offline: 1, children: 1 });
const second = node(2, 'transformer', 'TR-2', { lamps: 0, alarms: 0, offline: 0 });
const box = node(3, 'control-box', 'PX-3', { lamps: 40, alarms: 3, offline: 1, children: 1 });
const loop: Node = {
  ...node(4, '', 'L1', { lamps: 40, alarms: 0, offline: 0, children: 250 }),
  key: 'loop:4',
  kind: 'loop',
  family: null,
};
const lamp = (id: number): Node =>
  node(100 + id, 'single-lamp-controller', `BJ-${id}`, { state: id === 1 ? 'alarm' : 'on', online: true });
const group: Node = {
  ...node(0, '', ''),
  key: 'group:boxes',
  kind: 'group',
  id: null,
  workId: null,
  family: null,
  group: 'boxes',
  version: null,
  children: 2,
};
let under = 'device:1';
const levelOf = ({ query }: SeenRequest) => {
  const [key, page] = [query.get('under'), Number(query.get('page') ?? 1)];
  if (key === null)
    return {
      data: [first, under === 'device:2' ? { ...second, children: 1 } : second].map((one) =>
        one.key === under ? one : { ...one, children: 0 },
      ),
      recordsTotal: 2,
      groups: [group],
    };
  const data =
    key === under
      ? [box]
      : key === 'device:3'
        ? [loop]
        : key === 'loop:4'
          ? Array.from({ length: 6 }, (_, index) => lamp((page - 1) * 100 + index + 1))
          : [];
  return { data, recordsTotal: key === 'loop:4' ? 250 : data.length, groups: [] };
};
const entries: MenuEntry[] = [
  {
    id: 1,
    parentId: 0,
    type: 'non-menu',
    name: 'device',
    title: 'device',
    icon: null,
    url: '/device/:id',
    component: 'device',
    permissionCode: null,
    orderby: 1,
    language: null,
  },
];
const menu = buildMenu(entries, { builtIn: new Set(), components: new Set(['device']) });
let server: ContractServer;
let address = '';
let query = '';
let navigate: NavigateFunction;
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

function Address() {
  const { pathname, search } = useLocation();
  const to = useNavigate();
  useEffect(() => {
    [address, query, navigate] = [pathname, search, to];
  }, [pathname, search, to]);
  return null;
}
/** Opens the page; answers with a way to hide and show its tab. */
async function open(path = '/asset/topology', codes: readonly string[] = ['device.query', 'device.edit']) {
  const [i18n, client, tabs] = [await startI18n('zh-CN'), createQueryClient(), createTabStore()];
  await namesFor('zh-CN');
  const page = (mode: 'visible' | 'hidden') => (
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <MemoryRouter initialEntries={[path]}>
            <MenuContext value={{ ...menu, codes: new Set(codes) }}>
              <TabStoreContext value={tabs}>
                <TabKeyContext value="/x">
                  <main>
                    <Suspense fallback="…">
                      <Activity mode={mode}>
                        <Topology />
                      </Activity>
                    </Suspense>
                  </main>
                  <button type="button">别处</button>
                  <Address />
                  <Toasts />
                </TabKeyContext>
              </TabStoreContext>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>
  );
  const { rerender } = render(page('visible'));
  await screen.findByRole('heading', { level: 1, name: '供电与通信' });
  return (mode: 'visible' | 'hidden'): void => rerender(page(mode));
}
const line = (name: RegExp) => screen.findByRole('treeitem', { name });
/** The line in hand; the page's body, which has the focus when nothing does, holds every text. */
const focusedLine = (): string | null | undefined => document.activeElement?.closest('[role="treeitem"]')?.textContent;
const press = (key: string): void => {
  fireEvent.keyDown(document.activeElement!, { key });
};
const unfold = async (name: RegExp): Promise<void> => {
  const one = await line(name);
  act(() => one.focus());
  press('ArrowRight');
};

beforeEach(async () => {
  under = 'device:1';
  server = await contractServer();
  server.answer(getTreeLevel, levelOf);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('opens level by level by keys, each line with its lamps and their troubles in words; long levels go on; Enter opens the page', async () => {
  await open();
  expect((await line(/TR-1/)).textContent).toContain('变压器40 盏灯告警 3离线 1');
  expect((await line(/未接变压器的配电箱/)).textContent).toContain('2 个');
  await unfold(/TR-1/);
  await unfold(/PX-3/);
  await unfold(/L1/);
  expect((await line(/BJ-1(?!\d)/)).textContent).toContain('告警');
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  const end = screen.getByRole('tree');
  const inTree = () =>
    server
      .of(getTreeLevel)
      .filter(({ query }) => query.get('under') === 'loop:4')
      .map(({ query }) => query.get('page'));
  expect(inTree()).toEqual(['1']);
  act(() =>
    within(end)
      .getAllByRole('treeitem')
      .find((one) => one.tabIndex === 0)!
      .focus(),
  );
  press('End');
  press('ArrowUp');
  press('ArrowUp');
  press('Enter');
  await waitFor(() => expect(inTree()).toEqual(['1', '2']));
  act(() => screen.getByRole('treeitem', { name: /PX-3/ }).focus());
  press('Enter');
  await waitFor(() => expect(address).toBe('/device/3'));
});

test('a branch is moved by the dialog: what moves, its target among what can carry it, a refusal that names it, then where it is now', async () => {
  server.answer(findInTree, ({ query }) => {
    if (query.get('key') === 'device:3')
      return {
        data: [
          {
            node: box,
            path: [
              { key: under, page: 1, code: 'TR', name: null },
              { key: 'device:3', page: 1, code: 'PX-3', name: null },
            ],
          },
        ],
      };
    expect([query.get('kinds'), query.get('workId')]).toEqual(['transformer', '1']);
    return {
      data: [first, second].map((one) => ({
        node: one,
        path: [{ key: one.key, page: 1, code: one.code, name: null }],
      })),
    };
  });
  server.refuse(moveInTree, 400, { message: 'PX-3：已经变更' });
  await open();
  await unfold(/TR-1/);
  await line(/PX-3/);
  fireEvent.click(screen.getByRole('button', { name: '移动“PX-3”到…' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/将移动 1 项/).textContent).toContain('40 盏灯');
  expect(dialog.getByRole('button', { name: '移动' })).toHaveProperty('disabled', true);
  fireEvent.mouseDown(dialog.getByRole('combobox', { name: '查找上级：变压器' }));
  fireEvent.click(await screen.findByText('TR-2', { selector: '.ant-select-item-option b' }));
  fireEvent.click(dialog.getByRole('button', { name: '移动' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('PX-3');
  server.answer(moveInTree, () => {
    under = 'device:2';
    return { moved: 1 };
  });
  fireEvent.click(dialog.getByRole('button', { name: '移动' }));
  await screen.findByText('已移动 1 项');
  expect(JSON.parse(server.of(moveInTree)[1]!.body)).toEqual({
    nodes: [{ key: 'device:3', version: 4 }],
    to: 'device:2',
  });
  await waitFor(() => expect(focusedLine()).toContain('PX-3'));
});

test('a branch that was dragged, here by keys, is moved by Enter: the dialog begins with its button', async () => {
  server.answer(moveInTree, { moved: 1 });
  server.answer(findInTree, { data: [] });
  await open();
  await unfold(/TR-1/);
  const dragged = await line(/PX-3/);
  act(() => dragged.focus());
  press(' ');
  await act(async () => press('Enter'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/TR-2/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: '移动' })));
});

test('several are moved at once; who may not edit is offered nothing of it', async () => {
  await open();
  await unfold(/TR-1/);
  await unfold(/PX-3/);
  await unfold(/L1/);
  for (const name of ['BJ-1', 'BJ-2']) fireEvent.click(await screen.findByRole('button', { name: `选上“${name}”` }));
  expect(screen.getByText('已选 2 项')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '移动到…' }));
  const dialog = within(await screen.findByRole('dialog'));
  server.answer(moveInTree, () => ({ moved: 2 }));
  server.answer(findInTree, () => ({ data: [] }));
  fireEvent.click(dialog.getByRole('checkbox', { name: '不挂在任何上级下' }));
  fireEvent.click(dialog.getByRole('button', { name: '移动' }));
  await screen.findByText('已移动 2 项');
  expect(JSON.parse(server.of(moveInTree)[0]!.body)).toEqual({
    nodes: [
      { key: 'device:101', version: 4 },
      { key: 'device:102', version: 4 },
    ],
    to: null,
  });
  cleanup();
  await open('/asset/topology', ['device.query']);
  await line(/TR-1/);
  expect(screen.queryByRole('button', { name: /移动|选上/ })).toBeNull();
});

const foundIn305 = () => ({
  data: [
    {
      node: lamp(205),
      path: ['device:1', 'device:3', 'loop:4', 'device:305'].map((key, index) => ({
        key,
        page: index === 3 ? 3 : 1,
        code: key,
        name: null,
      })),
    },
  ],
});

test('a node from the address is gone to, through the pages above it', async () => {
  server.answer(findInTree, foundIn305);
  await open('/asset/topology?at=device:305');
  await waitFor(() => expect(focusedLine()).toContain('BJ-205'));
  expect(screen.getByText('显示前面的（200 个）')).toBeTruthy();
});

test('it is gone to once: showing the tab again takes nobody back there, the same link does', async () => {
  server.answer(findInTree, foundIn305);
  const turn = await open('/asset/topology?tree=power&at=device:305');
  await waitFor(() => expect(focusedLine()).toContain('BJ-205'));
  expect(query).toBe('?tree=power');
  const elsewhere = screen.getByRole('button', { name: '别处' });
  act(() => elsewhere.focus());
  turn('hidden');
  turn('visible');
  expect(document.activeElement).toBe(elsewhere);
  await act(async () => navigate('/asset/topology?at=device:305'));
  await waitFor(() => expect(focusedLine()).toContain('BJ-205'));
  expect(server.of(findInTree)).toHaveLength(2);
});

test('a page that fails leaves the rest of its level; its line tries it again, below a node and at the top', async () => {
  let broken = true;
  server.on(getTreeLevel, ({ query: asked }) => {
    const page = Number(asked.get('page') ?? 1);
    if (page > 1 && broken) return { status: 500, body: { status: 500, message: '坏了' } };
    const kind = asked.get('under') === null ? 'device' : 'road';
    const data = Array.from({ length: 6 }, (_, index) => ({
      ...lamp((page - 1) * 100 + index + 1),
      key: `${kind}:${page * 10 + index}`,
    }));
    return {
      status: 200,
      body: { data: kind === 'device' && page === 1 ? [loop, ...data] : data, recordsTotal: 250, groups: [] },
    };
  });
  const pages = (under: string | null): (string | null)[] =>
    server
      .of(getTreeLevel)
      .filter((one) => one.query.get('under') === under)
      .map((one) => one.query.get('page'));
  await open();
  await unfold(/L1/);
  for (const under of ['loop:4', null]) {
    broken = true;
    const next = await waitFor(() => {
      const lines = screen.getAllByRole('treeitem', { name: /还有 150 个/ });
      expect(lines).toHaveLength(under === null ? 1 : 2);
      return lines[0]!;
    });
    fireEvent.doubleClick(next);
    await screen.findByRole('treeitem', { name: /还有 150 个.*没有取到数据/ });
    expect(screen.getByRole('treeitem', { name: /L1/ })).toBeTruthy();
    broken = false;
    fireEvent.doubleClick(screen.getByRole('treeitem', { name: /没有取到数据/ }));
    await waitFor(() =>
      expect(screen.getAllByRole('treeitem', { name: /还有 50 个/ })).toHaveLength(under === null ? 2 : 1),
    );
    expect(pages(under)).toEqual(['1', '2', '2']);
  }
});

test('a level of which nothing came is tried again by its own line', async () => {
  let broken = true;
  server.answer(findInTree, foundIn305);
  server.on(getTreeLevel, (request) =>
    broken && request.query.get('under') === 'loop:4'
      ? { status: 500, body: { status: 500 } }
      : { status: 200, body: levelOf(request) },
  );
  await open();
  await unfold(/TR-1/);
  await unfold(/PX-3/);
  await unfold(/L1/);
  const retry = await within(await line(/L1/)).findByRole('button', { name: '重试' });
  broken = false;
  fireEvent.click(retry);
  expect((await line(/BJ-1(?!\d)/)).textContent).toContain('告警');
});

test('a failure says what happened and is tried again', async () => {
  server.refuse(getTreeLevel, 500, { message: '坏了', requestId: 'r-7' });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: '重试' }));
  await waitFor(() => expect(server.of(getTreeLevel).length).toBeGreaterThan(1));
});

test('what may stand below what is what the catalogue says', () => {
  expect([
    mayStand('power', box, second),
    mayStand('power', box, loop),
    mayStand('power', loop, box),
    mayStand('power', loop, group),
    mayStand('power', box, group),
  ]).toEqual([true, false, true, false, true]);
  expect(hangings('communication', 'single-lamp-controller').map(({ to }) => to)).toEqual([
    'central-controller',
    'gateway',
  ]);
  expect(hangings('mounting', 'pole-tilt-sensor')).toMatchObject([{ to: 'lamp-pole', required: true }]);
});
