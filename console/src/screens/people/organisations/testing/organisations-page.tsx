import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import type {
  deleteOrganisations,
  moveOrganisations,
  saveOrganisation,
} from '../../../../../../contract/specified/organisations.ts';
import { listOrganisations } from '../../../../../../contract/specified/organisations.ts';
import { listUserOptions, listWorkGroupOptions } from '../../../../../../contract/specified/work-groups.ts';
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
import OrganisationManagement from '../index.tsx';

interface Stored {
  id: number;
  parentId: number;
  orgName: string;
  orderby: number;
  version: number;
  description: string | null;
  people: number[];
  groups: number[];
}

/** Organisation management over a tree that a contract server keeps. Call it at the top of a test file. */
export function organisationsPage() {
  const people = [
    { id: 7, userId: 7, familyName: '张', name: '三', username: 'zhang', mobile: '13800138000' },
    { id: 8, userId: 8, familyName: '李', name: '四', username: 'li', mobile: null },
    { id: 9, userId: 9, familyName: null, name: null, username: 'night', mobile: null },
  ];
  const groups = [
    { id: 31, groupName: '北巡组' },
    { id: 32, groupName: '南巡组' },
  ];

  const made = (
    id: number,
    parentId: number,
    orgName: string,
    orderby: number,
    values: Partial<Stored> = {},
  ): Stored => ({ id, parentId, orgName, orderby, version: 4, description: null, people: [], groups: [], ...values });
  let stored: Stored[] = [];
  let server: ContractServer;
  let live: LiveConnection;
  const find = { timeout: 8_000 };
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  const levelOf = ({ query }: SeenRequest) => {
    const level = stored
      .filter((one) => one.parentId === Number(query.get('parentId')))
      .toSorted((a, b) => a.orderby - b.orderby);
    return {
      cscpOrgDTOs: level.map((one) => ({
        ...one,
        people: one.people.length,
        groups: one.groups.length,
        hasChildren: stored.some((other) => other.parentId === one.id),
      })),
      cscpUserOrgDTOs: level.flatMap((one) =>
        one.people.map((userId) => ({ orgId: one.id, ...people.find((person) => person.userId === userId)! })),
      ),
      cscpWorkGroupOrgDTOs: level.flatMap((one) =>
        one.groups.map((groupId) => ({
          orgId: one.id,
          groupId,
          groupName: groups.find((group) => group.id === groupId)!.groupName,
        })),
      ),
    };
  };
  const bodies = (route: typeof saveOrganisation | typeof moveOrganisations | typeof deleteOrganisations): unknown[] =>
    server.of(route).map(({ body }) => JSON.parse(body) as unknown);
  const storeMoves = (request: SeenRequest) => {
    for (const { id, parentId, orderby } of JSON.parse(request.body) as Stored[])
      stored = stored.map((one) => (one.id === id ? { ...one, parentId, orderby, version: one.version + 1 } : one));
    return { success: true as const, msg: '' };
  };

  async function open(codes: readonly string[] = ['cscp.org.query', 'cscp.org.edit']) {
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
                    codes: new Set(codes),
                    known: { builtIn: new Set(), components: new Set() },
                  }}
                >
                  <TabStoreContext value={createTabStore()}>
                    <TabKeyContext value="/organisations">
                      <main>
                        <Suspense fallback="…">
                          <OrganisationManagement />
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
    return screen.findByRole('heading', { level: 1, name: '组织管理' }, find);
  }
  const line = (name: RegExp): Promise<HTMLElement> => screen.findByRole('treeitem', { name }, find);
  const press = (...keys: string[]): void => {
    for (const key of keys)
      fireEvent.keyDown(document.activeElement!, key.startsWith('^') ? { key: key.slice(1), ctrlKey: true } : { key });
  };
  const focus = (one: HTMLElement): void => act(() => one.focus());
  const unfold = async (name: RegExp): Promise<void> => {
    focus(await line(name));
    press('ArrowRight');
  };
  const names = (): string[] =>
    screen.getAllByRole('treeitem').map((one) => one.querySelector('[id]')?.firstElementChild?.textContent ?? '');
  const dialog = async () => within(await screen.findByRole('dialog', undefined, find));
  const details = () => within(screen.getByRole('complementary', { name: '组织详情' }));
  const type = (box: HTMLElement, value: string): void => {
    fireEvent.change(box, { target: { value } });
  };
  const choose = async (combobox: HTMLElement, option: string | RegExp): Promise<void> => {
    fireEvent.mouseDown(combobox);
    const found = await waitFor(() => {
      const item = screen.queryAllByText(option).findLast((each) => each.closest('.ant-select-item'));
      if (!item) throw new Error(`no option ${String(option)}`);
      return item;
    }, find);
    fireEvent.click(found);
  };

  beforeEach(async () => {
    storeToken('Bearer test');
    toasts.setState([], true);
    stored = [
      made(1, 0, '城东照明所', 1, { description: '滨江与城东', people: [7, 9], groups: [31] }),
      made(2, 0, '城西照明所', 2),
      made(3, 1, '滨江中队', 1, { people: [8] }),
      made(4, 1, '湖滨中队', 2),
      made(5, 3, '夜班小组', 0),
    ];
    server = await contractServer();
    server.answer(listOrganisations, levelOf);
    server.answer(listWorkGroupOptions, { data: groups, recordsTotal: 2 });
    server.answer(listUserOptions, ({ query }) => {
      const ids = query.get('ids')?.split(',').map(Number);
      const text = query.get('username') ?? '';
      const data = people.filter((person) =>
        ids ? ids.includes(person.userId) : `${person.familyName}${person.name}${person.username}`.includes(text),
      );
      return { data, recordsTotal: data.length };
    });
    live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  });
  afterEach(async () => {
    cleanup();
    live.stop();
    await server.close();
  });

  return {
    people,
    groups,
    made,
    get stored() {
      return stored;
    },
    set stored(next) {
      stored = next;
    },
    get server() {
      return server;
    },
    get live() {
      return live;
    },
    find,
    levelOf,
    bodies,
    storeMoves,
    open,
    line,
    press,
    focus,
    unfold,
    names,
    dialog,
    details,
    type,
    choose,
  };
}
