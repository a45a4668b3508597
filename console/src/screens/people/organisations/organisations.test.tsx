import axe from 'axe-core';
import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findOrganisations, getOrganisationContents } from '../../../../../contract/people/organisations.ts';
import {
  deleteOrganisations,
  listOrganisations,
  moveOrganisations,
  saveOrganisation,
} from '../../../../../contract/specified/organisations.ts';
import { listUserOptions, listWorkGroupOptions } from '../../../../../contract/specified/work-groups.ts';
import { connectLive, createQueryClient, LiveContext, type LiveConnection } from '../../../api/index.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { Toasts } from '../../../parts/index.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { storeToken } from '../../../session/index.ts';
import { contractServer, type ContractServer, type SeenRequest } from '../../../testing/contract-server.ts';
import OrganisationManagement from './index.tsx';
import { ruleAgainst, root, type Node } from './organisation.ts';

const people = [
  { id: 7, userId: 7, familyName: '张', name: '三', username: 'zhang', mobile: '13800138000' },
  { id: 8, userId: 8, familyName: '李', name: '四', username: 'li', mobile: null },
  { id: 9, userId: 9, familyName: null, name: null, username: 'night', mobile: null },
];
const groups = [
  { id: 31, groupName: '北巡组' },
  { id: 32, groupName: '南巡组' },
];
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

describe('the tree and what hangs on a node', () => {
  test('is lazy below its fixed root; people and groups stand beside the tree; axe finds nothing', async () => {
    await open();
    await line(/^组织管理/);
    expect(names()).toEqual(['组织管理', '城东照明所', '城西照明所']);
    expect((await line(/^城东照明所/)).textContent).toContain('滨江与城东2 人1 个工作组');
    expect(details().getByRole('heading', { level: 2 }).textContent).toBe('城东照明所');
    expect(
      details()
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['北巡组', '张三(zhang)', '(night)']);
    await unfold(/^城东照明所/);
    fireEvent.click(await line(/^滨江中队/));
    expect(details().getByText('李四(li)')).toBeTruthy();
    expect(details().getByText('没有工作组')).toBeTruthy();
    expect(server.of(listOrganisations).map(({ query }) => query.get('parentId'))).toEqual(['0', '1']);
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes: [first] }) => [id, first?.html])).toEqual([]);
  });

  test('the root is only added to; other nodes are added to, removed, edited and moved; who may only look has none of it', async () => {
    await open();
    const offered = (one: HTMLElement) =>
      within(one)
        .queryAllByRole('button')
        .map((each) => each.getAttribute('aria-label'));
    expect(offered(await line(/^组织管理/))).toEqual(['在“组织管理”下添加']);
    expect(offered(await line(/^城西照明所/))).toEqual([
      '在“城西照明所”下添加',
      '删除“城西照明所”',
      '编辑“城西照明所”',
      '移动“城西照明所”',
    ]);
    cleanup();
    await open(['cscp.org.query']);
    expect(offered(await line(/^城西照明所/))).toEqual([]);
    expect(details().queryAllByRole('button')).toEqual([]);
  });

  test('a failed fetch says so and can be tried again; without the right it says that; nothing yet offers the first step', async () => {
    server.refuse(listOrganisations, 500, { message: '服务暂时不可用' });
    await open();
    await screen.findByText('获取数据失败！', undefined, find);
    stored = [];
    server.answer(listOrganisations, levelOf);
    fireEvent.click(screen.getByRole('button', { name: /重试/ }));
    fireEvent.click(await screen.findByRole('button', { name: '添加第一个组织' }, find));
    await dialog();
    cleanup();
    server.refuse(listOrganisations, 403, { message: '没有权限' });
    await open();
    await screen.findByText('没有权限', undefined, find);
  });

  test('another operator’s change comes in by itself', async () => {
    await open();
    await line(/^城西照明所/);
    await waitFor(() => expect(live.state().state).toBe('live'));
    stored = [...stored, made(9, 0, '城南照明所', 3)];
    server.tell({ type: 'menus' });
    await line(/^城南照明所/);
  });

  test('a change that is told while a node is being opened is not lost', async () => {
    await open();
    await line(/^城西照明所/);
    await waitFor(() => expect(live.state().state).toBe('live'));
    let answerOld: (() => void) | undefined;
    server.on(listOrganisations, async (request) => {
      const body = levelOf(request);
      if (request.query.get('parentId') === '1' && answerOld === undefined)
        await new Promise<void>((done) => {
          answerOld = done;
        });
      return { status: 200, body };
    });
    await unfold(/^城东照明所/);
    await waitFor(() => expect(answerOld).toBeDefined());
    stored = [...stored, made(9, 1, '北山中队', 3), made(10, 0, '城南照明所', 3)];
    server.tell({ type: 'menus' });
    await line(/^城南照明所/);
    answerOld?.();
    await line(/^北山中队/);
  });

  test('a node is found wherever it stands: its way is opened, it is chosen and has the focus', async () => {
    server.answer(findOrganisations, {
      data: [
        {
          id: 5,
          name: '夜班小组',
          path: [
            { id: 1, name: '城东照明所' },
            { id: 3, name: '滨江中队' },
          ],
        },
      ],
      recordsTotal: 1,
    });
    await open();
    await line(/^城西照明所/);
    const box = screen.getByRole('combobox', { name: '按名称查找组织' });
    fireEvent.mouseDown(box);
    type(box, '夜班');
    await choose(box, '夜班小组');
    await waitFor(
      () => expect(document.activeElement?.closest('[role="treeitem"]')?.textContent).toContain('夜班小组'),
      find,
    );
    expect(names()).toEqual(['组织管理', '城东照明所', '滨江中队', '夜班小组', '湖滨中队', '城西照明所']);
    expect(server.of(findOrganisations).at(-1)?.query.get('name')).toBe('夜班');
    expect(details().getByText('城东照明所 / 滨江中队')).toBeTruthy();
  });
});

describe('the dialog', () => {
  test('says everything that is wrong at once, in the specification’s words; lengths count characters after trimming', async () => {
    await open();
    fireEvent.click(await screen.findByRole('button', { name: '在“组织管理”下添加' }, find));
    const form = await dialog();
    expect(screen.getByText('节点信息编辑')).toBeTruthy();
    type(form.getByRole('textbox', { name: '组织描述' }), '短短');
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect([
      await form.findByText('请填写组织名称', undefined, find),
      form.getByText('组织描述长度在 3 到 18 个字符'),
      form.getByText('有 2 处需要修改'),
    ]).toHaveLength(3);
    type(form.getByRole('textbox', { name: '组织名称' }), ' 照明 ');
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    expect(await form.findByText('组织名称长度在 3 到 10 个字符', undefined, find)).toBeTruthy();
    // What is right is the first that is sent.
    server.answer(saveOrganisation, { id: 20 });
    type(form.getByRole('textbox', { name: '组织名称' }), '照明科室');
    type(form.getByRole('textbox', { name: '组织描述' }), '管照明的');
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await waitFor(() => expect(server.of(saveOrganisation)).not.toHaveLength(0));
    expect(server.of(saveOrganisation).map(({ body }) => body)).toEqual([expect.stringContaining('照明科室')]);
  });

  test('a new node: below the chosen one, sibling order 0, links without an organisation; its parent opens and it is shown', async () => {
    server.on(saveOrganisation, () => {
      stored = [...stored, made(20, 2, '北山中队', 0, { people: [8] })];
      return { status: 200, body: { id: 20 } };
    });
    await open();
    fireEvent.click(within(await line(/^城西照明所/)).getByRole('button', { name: '在“城西照明所”下添加' }));
    const form = await dialog();
    type(form.getByRole('textbox', { name: '组织名称' }), '北山中队');
    await choose(form.getByRole('combobox', { name: '工作组' }), '南巡组');
    type(form.getByRole('combobox', { name: '人员' }), 'li');
    await choose(form.getByRole('combobox', { name: '人员' }), '李四(li)');
    await waitFor(() =>
      expect(
        server
          .of(listUserOptions)
          .some(
            ({ query }) =>
              query.get('username') === 'li' && query.get('discDetail') === 'li' && query.get('page') === '0',
          ),
      ).toBe(true),
    );
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('添加节点成功！', undefined, find);
    expect(bodies(saveOrganisation)).toEqual([
      {
        cscpOrgDTOs: [{ id: null, orgName: '北山中队', description: null, parentId: 2, orderby: 0 }],
        cscpUserOrgDTOs: [{ userId: 8, orgId: null }],
        cscpWorkGroupOrgDTOs: [{ groupId: 32, orgId: null }],
      },
    ]);
    await line(/^北山中队/);
    expect(names()).toEqual(['组织管理', '城东照明所', '城西照明所', '北山中队']);
    await waitFor(() => expect(details().getByRole('heading', { level: 2 }).textContent).toBe('北山中队'));
  });

  test('an edit shows the stored links by name, sends its version and place, and what the server refuses stands by its field', async () => {
    server.refuse(saveOrganisation, 400, {
      code: 1001,
      params: [{ field: 'cscpUserOrgDTOs.1.userId', rule: 'notFound', message: '所选人员不存在' }],
    });
    await open();
    fireEvent.doubleClick(await line(/^城东照明所/));
    const form = await dialog();
    await form.findByText('张三(zhang)', undefined, find);
    await form.findByText('北巡组', undefined, find);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('所选人员不存在', undefined, find);
    server.answer(saveOrganisation, { id: 1 });
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveOrganisation)[1]).toEqual({
      cscpOrgDTOs: [{ id: 1, orgName: '城东照明所', description: '滨江与城东', parentId: 0, orderby: 1, ifVersion: 4 }],
      cscpUserOrgDTOs: [
        { userId: 7, orgId: 1 },
        { userId: 9, orgId: 1 },
      ],
      cscpWorkGroupOrgDTOs: [{ groupId: 31, orgId: 1 }],
    });
  });

  test('two operators: the second sees both versions and decides line by line', async () => {
    server.on(saveOrganisation, ({ body }) => {
      const {
        cscpOrgDTOs: [node],
      } = JSON.parse(body) as { cscpOrgDTOs: { ifVersion: number }[] };
      return node?.ifVersion === 4
        ? { status: 409, body: { status: 409, code: 1401, message: '已被修改' } }
        : { status: 200, body: { id: 2 } };
    });
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    type(form.getByRole('textbox', { name: '组织名称' }), '我的照明所');
    stored = stored.map((one) => (one.id === 2 ? { ...one, orgName: '他的照明所', people: [8], version: 5 } : one));
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('别人刚刚修改了这个组织', undefined, find);
    await form.findByText('李四(li)', undefined, find);
    fireEvent.click(await form.findByRole('button', { name: '按所选继续' }));
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveOrganisation)[1]).toMatchObject({
      cscpOrgDTOs: [{ ifVersion: 5, orgName: '我的照明所' }],
      cscpUserOrgDTOs: [{ userId: 8 }],
    });
  });

  test('deleted meanwhile: says so and cannot be saved; anything else with the specified failure', async () => {
    server.refuse(saveOrganisation, 500, { message: '磁盘已满' });
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect((await form.findByText(/^更新节点失败！/, undefined, find)).textContent).toContain('磁盘已满');
    server.refuse(saveOrganisation, 404, { message: '不存在' });
    stored = stored.filter(({ id }) => id !== 2);
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await form.findByText(/^这个组织已被别人删除或移走/, undefined, find);
    expect(((await form.findByRole('button', { name: '保存' }, find)) as HTMLButtonElement).disabled).toBe(true);
  });

  test('unsaved input is asked about before it is lost', async () => {
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    await act(async () => type(form.getByRole('textbox', { name: '组织名称' }), '别的名称'));
    fireEvent.click(form.getByRole('button', { name: '取消' }));
    await screen.findByText('有没保存的内容', undefined, find);
    fireEvent.click(screen.getByRole('button', { name: '放弃并继续' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: '组织名称' })).toBeNull());
  });
});

describe('deleting', () => {
  test('warns, names what is lost, and goes with everything below; a failure stays in the dialog', async () => {
    server.answer(getOrganisationContents, { id: 1, name: '城东照明所', descendants: 3, people: 3, groups: 1 });
    server.refuse(deleteOrganisations, 500, { message: '磁盘已满' });
    await open();
    fireEvent.click(within(await line(/^城东照明所/)).getByRole('button', { name: '删除“城东照明所”' }));
    const form = await dialog();
    expect([screen.getByText('警告'), form.getByText('确定删除该节点（包括子节点）吗？')]).toHaveLength(2);
    await form.findByText('将删除“城东照明所”和它下面的 3 个组织。', undefined, find);
    expect(form.getByText(/^其中人员 3 名、工作组 1 个/)).toBeTruthy();
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    expect((await form.findByText(/^删除失败！/, undefined, find)).textContent).toContain('磁盘已满');
    server.on(deleteOrganisations, () => {
      stored = stored.filter(({ id }) => id === 2);
      return { status: 200, body: { success: true, msg: '' } };
    });
    fireEvent.click(await form.findByRole('button', { name: '删除' }, find));
    await screen.findByText('删除成功！', undefined, find);
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所']));
    expect(bodies(deleteOrganisations).at(-1)).toEqual({ cscpOrgDTOs: [{ id: 1 }] });
  });

  test('what lay open below a deleted node is not asked for again', async () => {
    server.answer(getOrganisationContents, { id: 1, name: '城东照明所', descendants: 3, people: 3, groups: 1 });
    await open();
    const asked = (): string[] => server.of(listOrganisations).map(({ query }) => query.get('parentId') ?? '');
    const node = await line(/^城东照明所/);
    focus(node);
    press('ArrowRight');
    await waitFor(() => expect(asked()).toContain('1'));
    await waitFor(() => expect(names().length).toBeGreaterThan(3));
    const before = asked().length;
    server.on(deleteOrganisations, () => {
      stored = stored.filter(({ id }) => id === 2);
      return { status: 200, body: { success: true, msg: '' } };
    });
    fireEvent.click(within(node).getByRole('button', { name: '删除“城东照明所”' }));
    const form = await dialog();
    await form.findByText('将删除“城东照明所”和它下面的 3 个组织。', undefined, find);
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所']));
    await waitFor(() => expect(asked().slice(before)).toEqual(['0']));
  });
});

describe('moving', () => {
  const move = async (name: RegExp, ...keys: string[]): Promise<void> => {
    focus(await line(name));
    press('^x', ...keys, 'Enter');
  };

  test('siblings are numbered from 1; only what changed is sent, with the versions that were seen', async () => {
    server.answer(moveOrganisations, storeMoves);
    await open();
    await move(/^城西照明所/, 'Home');
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所', '城东照明所']));
    await waitFor(() =>
      expect(bodies(moveOrganisations)).toEqual([
        [
          { id: 2, parentId: 0, orderby: 1, ifVersion: 4 },
          { id: 1, parentId: 0, orderby: 2, ifVersion: 4 },
        ],
      ]),
    );
    // At once again, before anything else came in: the versions have gone on with the first drop.
    await waitFor(() =>
      expect(
        within(screen.getByRole('treeitem', { name: /^城西照明所/ })).queryByRole('button', {
          name: '移动“城西照明所”',
        }),
      ).not.toBeNull(),
    );
    await move(/^城西照明所/, 'End');
    await waitFor(() =>
      expect(bodies(moveOrganisations)[1]).toEqual([
        { id: 1, parentId: 0, orderby: 1, ifVersion: 5 },
        { id: 2, parentId: 0, orderby: 2, ifVersion: 5 },
      ]),
    );
  });

  test('into an empty node: order 0', async () => {
    server.answer(moveOrganisations, storeMoves);
    await open();
    await unfold(/^城东照明所/);
    await move(await line(/^湖滨中队/).then(() => /^湖滨中队/), 'End', 'ArrowUp');
    await waitFor(() =>
      expect(bodies(moveOrganisations)).toEqual([[{ id: 4, parentId: 2, orderby: 0, ifVersion: 4 }]]),
    );
  });

  test('a stale drop: the specified text with the reason, and the tree is what the server has', async () => {
    server.refuse(moveOrganisations, 409, { code: 1401, message: '已被修改' });
    await open();
    await line(/^城西照明所/);
    stored = [made(6, 0, '新来组织', 0), ...stored];
    await move(/^城西照明所/, 'Home');
    await screen.findByText(
      '拖拽的节点数据更新失败，请刷新数据重新尝试！ · 别人刚刚改动了这里，现在显示的是最新的组织树',
      undefined,
      find,
    );
    await waitFor(() => expect(names()).toEqual(['组织管理', '新来组织', '城东照明所', '城西照明所']));
  });

  test('nothing may be dropped before or after the root, only inside it', () => {
    const node: Node = { ...root, id: 1, parentId: 0 };
    expect([
      ruleAgainst({ node, target: root, where: 'before', parent: undefined }),
      ruleAgainst({ node, target: root, where: 'inside', parent: root }),
    ]).toEqual(['rule.drop.root', undefined]);
  });
});
