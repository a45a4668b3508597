import axe from 'axe-core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { getMenus } from '../../../../../contract/specified/account.ts';
import { getMenuNodes, saveMenuNode } from '../../../../../contract/specified/menu-configuration.ts';
import { createQueryClient } from '../../../api/index.ts';
import { TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import MenuConfiguration from './index.tsx';
import { type Node } from './node.ts';
import { menuPage } from './testing/menu-page.tsx';

const page = menuPage();
const { node, find, listOf, bodies, open, line, unfold, names, dialog, type, choose } = page;

describe('the tree', () => {
  test('is lazy: the root’s children at first, others when they are opened; axe finds nothing', async () => {
    await open();
    expect(names()).toEqual(['异步路由配置', '智慧路灯', '资产']);
    expect(page.server.of(getMenuNodes).map(({ query }) => query.get('parentId'))).toEqual(['0']);
    await unfold(/^智慧路灯/);
    await line(/^单灯监控/);
    expect(page.server.of(getMenuNodes).map(({ query }) => query.get('parentId'))).toEqual(['0', '1']);
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes: [first] }) => [id, first?.html])).toEqual([]);
  });

  test('per node add, remove and edit; the root is only added to and does not move; nothing stands below a button', async () => {
    await open();
    await unfold(/^智慧路灯/);
    await line(/^单灯监控/);
    await unfold(/^单灯监控/);
    const button = await line(/^控制/);
    const offered = (one: HTMLElement) =>
      within(one)
        .getAllByRole('button')
        .map((each) => each.getAttribute('aria-label'));
    expect(offered(await line(/^异步路由配置/))).toEqual(['在“异步路由配置”下添加']);
    expect(offered(await line(/^资产/))).toEqual(['在“资产”下添加', '删除“资产”', '编辑“资产”', '移动“资产”']);
    expect(offered(button)).toEqual(['删除“控制”', '编辑“控制”', '移动“控制”']);
  });

  test('a page the console does not have is marked', async () => {
    await open();
    await unfold(/^资产/);
    expect((await line(/^道路/)).textContent).toContain('页面未就绪');
  });

  test('a failed fetch says so and can be tried again', async () => {
    page.server.refuse(getMenuNodes, 500, { message: '服务暂时不可用' });
    render(
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter>
            <TabStoreContext value={createTabStore()}>
              <Suspense fallback="…">
                <MenuConfiguration />
              </Suspense>
            </TabStoreContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>,
    );
    await screen.findByText('获取数据失败！', undefined, find);
    page.server.answer(getMenuNodes, listOf);
    fireEvent.click(screen.getByRole('button', { name: /重试/ }));
    await line(/^智慧路灯/);
  });

  test('another administrator’s change comes in by itself', async () => {
    await open();
    await waitFor(() => expect(page.live.state().state).toBe('live'));
    page.nodes = [...page.nodes, node(9, 0, '能源', { type: 'menu1' })];
    page.server.tell({ type: 'menus' });
    await line(/^能源/);
  });
});

describe('the dialog', () => {
  test('says everything that is missing at once, in the specification’s words', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: '在“异步路由配置”下添加' }));
    const form = await dialog();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect(form.getByText('请选择该节点的数据类型')).toBeTruthy();
    await choose(form.getByRole('combobox', { name: /类型/ }), '一级菜单');
    type(form.getByRole('textbox', { name: /路由名/ }), '路灯');
    type(form.getByRole('textbox', { name: /访问路径/ }), 'lamp');
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    for (const text of [
      '请填写路由标题',
      '请输入合法的路由名，不能包含中文。',
      '一级路由的访问路径必须以“/”开头',
      '请填写路由对应的Vue组件',
    ])
      expect(form.getByText(text)).toBeTruthy();
    // What is right is the first that is sent.
    page.server.answer(getMenus, []);
    page.server.answer(saveMenuNode, { success: true, msg: '添加节点成功！', id: 20 });
    type(form.getByRole('textbox', { name: /^标题/ }), '能源');
    type(form.getByRole('textbox', { name: /路由名/ }), 'energy');
    type(form.getByRole('textbox', { name: /访问路径/ }), '/energy');
    type(form.getByRole('combobox', { name: /组件/ }), 'layout');
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('添加节点成功！', undefined, find);
    expect(bodies(saveMenuNode)).toMatchObject([{ name: 'energy' }]);
  });

  test('leaving a field says what is wrong with what was typed there; an empty one waits for the submit', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: '在“异步路由配置”下添加' }));
    const form = await dialog();
    await choose(form.getByRole('combobox', { name: /类型/ }), '一级菜单');
    fireEvent.blur(form.getByRole('textbox', { name: /路由名/ }));
    expect(form.queryByText('请填写路由名')).toBeNull();
    const leave = (box: HTMLElement): void => {
      type(box, '路灯');
      fireEvent.blur(box);
    };
    leave(form.getByRole('textbox', { name: /路由名/ }));
    expect(await form.findByText('请输入合法的路由名，不能包含中文。')).toBeTruthy();
    leave(form.getByRole('textbox', { name: /访问路径/ }));
    expect(await form.findByText('请输入合法的路由路径，不能包含中文。')).toBeTruthy();
    leave(form.getByRole('combobox', { name: /组件/ }));
    expect(await form.findByText('请输入合法的组件路径，不能包含中文。')).toBeTruthy();
  });

  test('a new node takes its parent’s id, its own comes with the answer; its parent opens and the own menu loads again', async () => {
    page.server.answer(getMenus, []);
    page.server.on(saveMenuNode, ({ body }) => {
      page.nodes = [...page.nodes, node(20, 2, '分组', { ...(JSON.parse(body) as Partial<Node>), id: 20, orderby: 2 })];
      return { status: 200, body: { success: true, msg: '添加节点成功！', id: 20 } };
    });
    await open();
    fireEvent.click(screen.getByRole('button', { name: '在“资产”下添加' }));
    const form = await dialog();
    await choose(form.getByRole('combobox', { name: /类型/ }), '二级或三级菜单');
    type(form.getByRole('textbox', { name: /^标题/ }), '分组');
    fireEvent.click(form.getByRole('button', { name: /其他语言的标题（0\/5）/ }));
    type(form.getByRole('textbox', { name: '法文' }), 'Groupes');
    type(form.getByRole('textbox', { name: /路由名/ }), 'asset-groups');
    type(form.getByRole('textbox', { name: /访问路径/ }), 'asset/groups');
    type(form.getByRole('combobox', { name: /组件/ }), 'asset/groups');
    type(form.getByRole('combobox', { name: /权限码/ }), 'record.query');
    await choose(form.getByRole('combobox', { name: /权限码/ }), /record\.query$/);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('添加节点成功！', undefined, find);
    expect(bodies(saveMenuNode)).toEqual([
      {
        id: null,
        parentId: 2,
        type: 'menu2',
        title: '分组',
        name: 'asset-groups',
        icon: 'folder',
        url: 'asset/groups',
        component: 'asset/groups',
        permissionCode: 'record.query',
        language: null,
        titles: { 'fr-FR': 'Groupes' },
      },
    ]);
    await line(/^分组/);
    expect(names()).toEqual(['异步路由配置', '智慧路灯', '资产', '道路', '分组']);
  });

  test('an edit shows the stored values, tells what the i18n key reads, and sends its version', async () => {
    page.server.answer(saveMenuNode, { success: true, msg: '更新节点成功！', id: 2 });
    await open();
    fireEvent.doubleClick(await line(/^资产/));
    const form = await dialog();
    expect((form.getByRole('textbox', { name: /访问路径/ }) as HTMLInputElement).value).toBe('/asset');
    type(form.getByRole('combobox', { name: /i18n 键/ }), 'asset/roads');
    expect(form.getByText('菜单里现在显示“道路”，来自这个键而不是标题')).toBeTruthy();
    type(form.getByRole('combobox', { name: /i18n 键/ }), 'no/such');
    expect(form.getByText('控制台没有这个键，菜单里显示标题“资产”')).toBeTruthy();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveMenuNode)).toMatchObject([{ id: 2, parentId: 0, version: 4, orderby: 2, language: 'no/such' }]);
  });

  test('what the server refuses stands beside its field, anything else with the specified failure', async () => {
    page.server.refuse(saveMenuNode, 400, {
      code: 1001,
      params: [{ field: 'name', rule: 'taken', message: '已被占用' }],
    });
    await open();
    fireEvent.doubleClick(await line(/^资产/));
    const form = await dialog();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('已被占用');
    page.server.refuse(saveMenuNode, 400, { code: 3305, message: '菜单配置的入口必须保留' });
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect((await form.findByText(/^更新节点失败！/)).textContent).toContain('菜单配置的入口必须保留');
  });

  test('two administrators: the second sees both versions and decides', async () => {
    page.server.on(saveMenuNode, ({ body }) => {
      const { version } = JSON.parse(body) as { version: number };
      return version === 4
        ? { status: 409, body: { status: 409, code: 1401, message: '已被修改' } }
        : { status: 200, body: { success: true, msg: '', id: 2 } };
    });
    await open();
    fireEvent.doubleClick(await line(/^资产/));
    const form = await dialog();
    type(form.getByRole('textbox', { name: /^标题/ }), '我的资产');
    page.nodes = page.nodes.map((one) => (one.id === 2 ? { ...one, title: '他的资产', version: 5 } : one));
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('别人刚刚改过这个节点');
    expect(
      within(form.getByRole('table'))
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['我的资产', '他的资产']);
    fireEvent.click(await form.findByRole('button', { name: '按所选继续' }));
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveMenuNode)).toMatchObject([{ version: 4 }, { version: 5, title: '我的资产' }]);
  });

  test('unsaved input is asked about before it is lost', async () => {
    await open();
    fireEvent.doubleClick(await line(/^资产/));
    const form = await dialog();
    await act(async () => type(form.getByRole('textbox', { name: /^标题/ }), '别的'));
    fireEvent.click(form.getByRole('button', { name: '取消' }));
    await screen.findByText('有没保存的内容', undefined, find);
    fireEvent.click(screen.getByRole('button', { name: '放弃并继续' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^标题/ })).toBeNull());
  });
});
