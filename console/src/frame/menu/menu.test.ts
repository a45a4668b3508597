import { describe, expect, test } from 'vitest';
import { matchPage } from './match-page.ts';
import { buildMenu, componentKey, firstPage, type MenuEntry, type ScreenNames } from './menu.ts';

const known: ScreenNames = {
  builtIn: new Set(['home', 'self-edit', 'user-management', 'user-edit']),
  components: new Set(['lamp/monitor', 'lamp/monitor/detail', 'lamp/central-controllers', 'asset/roads']),
};

let nextId = 1;
const entry = (values: Partial<MenuEntry>): MenuEntry => {
  const id = values.id ?? nextId++;
  return {
    id,
    name: `entry-${id}`,
    title: `标题${id}`,
    icon: null,
    url: null,
    component: null,
    parentId: 0,
    type: 'menu2',
    permissionCode: null,
    orderby: id,
    language: null,
    ...values,
  };
};
const lamp = (values: Partial<MenuEntry> = {}): MenuEntry =>
  entry({ id: 100, type: 'menu1', name: 'lamp', title: '智慧路灯', url: '/lamp', component: 'layout', ...values });
const monitor = (values: Partial<MenuEntry> = {}): MenuEntry =>
  entry({
    id: 101,
    parentId: 100,
    name: 'lamp-monitor',
    title: '单灯监控',
    url: '/lamp/monitor',
    component: 'lamp/monitor',
    ...values,
  });

const titles = (entries: MenuEntry[]): unknown => {
  const tree = (nodes: ReturnType<typeof buildMenu>['top']): unknown =>
    nodes.map((node) => (node.children.length > 0 ? [node.title, tree(node.children)] : node.title));
  return tree(buildMenu(entries, known).top);
};

describe('the menu', () => {
  test('Home comes first and needs no entry', () => {
    expect(titles([lamp(), monitor()])).toEqual(['首页', ['智慧路灯', ['单灯监控']]]);
  });

  test('is sorted by orderby at every level, whatever the order of the list', () => {
    const list = [
      entry({ id: 3, parentId: 1, title: 'B', orderby: 2, url: 'b', component: 'asset/roads' }),
      entry({ id: 2, parentId: 1, title: 'A', orderby: 10, url: 'a', component: 'asset/roads' }),
      lamp({ orderby: 9 }),
      monitor(),
      entry({ id: 1, type: 'menu1', title: '资产', orderby: 1, url: '/asset', component: 'layout' }),
    ];
    expect(titles(list)).toEqual(['首页', ['资产', ['B', 'A']], ['智慧路灯', ['单灯监控']]]);
  });

  test('buttons and pages without menu are not shown, types beginning with menu are', () => {
    const list = [
      lamp(),
      monitor(),
      entry({ type: 'button', parentId: 101, permissionCode: 'lamp.control', title: '控制' }),
      entry({
        type: 'non-menu',
        parentId: 101,
        title: '详情',
        url: '/lamp/monitor/:id',
        component: 'lamp/monitor/detail',
      }),
    ];
    expect(titles(list)).toEqual(['首页', ['智慧路灯', ['单灯监控']]]);
  });

  test('a menu2-sp without path and component is a group', () => {
    const list = [
      lamp(),
      entry({ id: 5, parentId: 100, type: 'menu2-sp', title: '集中控制器' }),
      entry({
        parentId: 5,
        title: '集控管理',
        url: '/lamp/central-controllers',
        component: 'lamp/central-controllers',
      }),
    ];
    expect(titles(list)).toEqual(['首页', ['智慧路灯', [['集中控制器', ['集控管理']]]]]);
  });

  test('an entry appears only when its page works, a group only when something in it does', () => {
    const list = [
      lamp(),
      entry({ parentId: 100, title: '历史曲线', url: '/lamp/history', component: 'lamp/history' }),
      entry({ type: 'menu1', title: '能源管理', url: '/energy', component: 'layout' }),
    ];
    expect(titles(list)).toEqual(['首页']);
  });

  test('entries without both component and path are dropped', () => {
    expect(titles([entry({ type: 'menu1', title: '空' }), lamp(), monitor()])).toEqual([
      '首页',
      ['智慧路灯', ['单灯监控']],
    ]);
  });

  test('an entry whose parent is missing stands at the top; a cycle hangs nothing', () => {
    expect(titles([monitor({ parentId: 999 })])).toEqual(['首页', '单灯监控']);
    expect(titles([lamp({ parentId: 101 }), monitor()])).toEqual(['首页']);
  });
});

describe('the routes', () => {
  test('a built-in name maps to the built-in screen, whatever its component says', () => {
    const { pages } = buildMenu(
      [entry({ name: 'user-management', title: '用户', url: '/sys/users', component: 'whatever/else' })],
      known,
    );
    expect(pages.find((page) => page.name === 'user-management')).toMatchObject({
      path: '/sys/users',
      screen: 'user-management',
    });
  });

  test('any other entry with a path loads its component’s screen', () => {
    const { pages } = buildMenu(
      [lamp(), monitor({ component: 'views/lamp/monitor/index.vue', url: 'lamp/monitor' })],
      known,
    );
    expect(pages.find((page) => page.name === 'lamp-monitor')).toMatchObject({
      path: '/lamp/monitor',
      screen: 'lamp/monitor',
      parents: [{ id: 100, title: '智慧路灯' }],
    });
  });

  test('home and the personal centre need no entry', () => {
    expect(buildMenu([], known).pages.map((page) => page.path)).toEqual(['/home', '/self-edit']);
  });

  test('fixed paths win over parameters', () => {
    const { pages } = buildMenu(
      [
        lamp(),
        monitor(),
        entry({ type: 'non-menu', parentId: 101, name: 'detail', url: '/lamp/:id', component: 'lamp/monitor/detail' }),
      ],
      known,
    );
    expect(matchPage(pages, '/lamp/monitor')?.name).toBe('lamp-monitor');
    expect(matchPage(pages, '/lamp/7')?.name).toBe('detail');
    expect(matchPage(pages, '/lamp/7/x')).toBeUndefined();
  });

  test('every permission code counts, whatever the type of its entry', () => {
    const { codes } = buildMenu(
      [
        lamp(),
        monitor({ permissionCode: 'lamp.monitor' }),
        entry({ type: 'button', permissionCode: 'lamp.control' }),
        entry({ type: 'button', permissionCode: ' ' }),
      ],
      known,
    );
    expect([...codes].sort()).toEqual(['lamp.control', 'lamp.monitor']);
  });

  test('a first level leads to its first page', () => {
    const { top } = buildMenu(
      [
        lamp(),
        entry({ id: 5, parentId: 100, type: 'menu2-sp', orderby: 0 }),
        entry({ parentId: 5, url: '/lamp/central-controllers', component: 'lamp/central-controllers' }),
        monitor(),
      ],
      known,
    );
    const node = top[1];
    expect(node && firstPage(node)?.path).toBe('/lamp/central-controllers');
  });

  test.each([
    ['lamp/monitor', 'lamp/monitor'],
    ['/lamp/monitor/', 'lamp/monitor'],
    ['@/views/lamp/monitor/index.vue', 'lamp/monitor'],
    ['screens/asset/roads.tsx', 'asset/roads'],
  ])('component %s is %s', (component, key) => {
    expect(componentKey(component)).toBe(key);
  });
});
