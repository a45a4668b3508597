import { describe, expect, test } from 'vitest';
import type { RoleMenuNode } from '../../../../contract/specified/roles.ts';
import { rightsTestApp } from '../../testing/rights.ts';

const app = await rightsTestApp();
type Tree = { items: RoleMenuNode[] };
const all = (nodes: readonly RoleMenuNode[]): RoleMenuNode[] =>
  nodes.flatMap((node) => [node, ...all(node.items ?? [])]);
const names = new Map(
  (await app.db.selectFrom('menu_entry').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
);
const tree = async (roles: number | string, token = app.adminToken, more: Record<string, string> = {}) =>
  (await app.form<Tree>('/api/menu/queryByRoleIdPlus', { roles: String(roles), ...more }, { token })).body.items;
const checkedOf = (items: readonly RoleMenuNode[]) =>
  all(items)
    .filter(({ checked }) => checked)
    .map(({ id }) => names.get(id));
const shownOf = (items: readonly RoleMenuNode[]) => all(items).map(({ id }) => names.get(id));
const monitor = [
  'lamp-monitor-view',
  'lamp-monitor-control',
  'lamp-monitor-emergency',
  'lamp-monitor-schedule',
  'lamp-monitor-demo',
  'lamp-device',
  'lamp-schedule',
];

describe('the checkbox tree (specified 4.6)', () => {
  test.each<[string, string[], string[]]>([
    ['nothing granted: nothing checked', [], []],
    [
      'a granted leaf is checked, its half-checked parents are not, though they are granted',
      ['lamp', 'lamp-monitor', 'lamp-monitor-control'],
      ['lamp-monitor-control'],
    ],
    ['a parent alone granted is not checked', ['lamp', 'lamp-monitor'], []],
    [
      'all leaves of a page: the page is checked, the section above half',
      ['lamp', 'lamp-monitor', ...monitor],
      ['lamp-monitor', ...monitor],
    ],
    [
      'a parent whose descendants are all granted is checked, granted itself or not',
      monitor,
      ['lamp-monitor', ...monitor],
    ],
  ])('%s', async (name, holds, checked) => {
    const role = await app.role(name, app.menus(...holds));
    expect(checkedOf(await tree(role))).toEqual(checked);
  });

  test('roles=0 is the whole tree unchecked, in order, with title, language key and code; as JSON and at its other path too', async () => {
    const items = await tree(0);
    expect(checkedOf(items)).toEqual([]);
    expect(shownOf(items)).toHaveLength(names.size);
    expect(items[0]).toMatchObject({
      title: '智慧路灯',
      language: 'lamp',
      checked: false,
      type: 'menu1',
      permissionCode: null,
    });
    expect((await app.call<Tree>('/api/system/menu/queryByRoleId', { body: { roles: '0' } })).body.items).toEqual(
      items,
    );
  });

  test.each(['/api/menu/queryByRoleIdPlus', '/api/system/menu/queryByRoleId'])(
    'a leaf of %s has no items, a parent has some',
    async (path) => {
      const nodes = all((await app.form<Tree>(path, { roles: '0' })).body.items);
      const parents = nodes.filter((node) => 'items' in node);
      expect([
        parents.length > 10,
        nodes.length - parents.length > 100,
        parents.filter(({ items }) => !items?.length),
      ]).toEqual([true, true, []]);
    },
  );

  test('the first role has everything checked; an unknown role is 404', async () => {
    expect(checkedOf(await tree(1))).toHaveLength(names.size);
    expect((await app.form('/api/menu/queryByRoleIdPlus', { roles: '999999' })).status).toBe(404);
  });

  test('only what the caller may grant and what is granted already, with the way there; bounded by the parent', async () => {
    const operator = await app.role(
      'Operator',
      app.menus(
        'system',
        'role-management',
        'system-role-management-edit',
        'lamp',
        'lamp-monitor',
        'lamp-monitor-control',
      ),
    );
    const token = await app.account('operator', 3, [operator]);
    expect(shownOf(await tree(0, token))).toEqual([
      'lamp',
      'lamp-monitor',
      'lamp-monitor-control',
      'system',
      'role-management',
      'system-role-management-edit',
    ]);
    const roads = await app.role('Roads', app.menus('asset-roads-view'));
    expect(shownOf(await tree(roads, token))).toContain('asset-roads-view');
    const bounded = await app.role('Bounded', app.menus('lamp', 'lamp-monitor'), operator);
    expect(shownOf(await tree(bounded))).toEqual([
      'lamp',
      'lamp-monitor',
      'lamp-monitor-control',
      'system',
      'role-management',
      'system-role-management-edit',
    ]);
    expect(shownOf(await tree(0, app.adminToken, { parentId: String(bounded) }))).toEqual(['lamp', 'lamp-monitor']);
    expect(shownOf(await tree(bounded, app.adminToken, { parentId: '0' }))).toHaveLength(names.size);
    expect((await app.form('/api/menu/queryByRoleIdPlus', { roles: '0', parentId: '999999' })).status).toBe(400);
  });

  test('titles come in the caller’s language where the site gave them', async () => {
    const id = app.menu('asset-groups');
    await app.call('/api/system/menu/addMenu', { method: 'PUT', body: { id, titles: { 'fr-FR': 'Groupes' } } });
    const titleIn = async (language: string) => {
      const { body } = await app.call<Tree>('/api/menu/queryByRoleIdPlus', {
        body: { roles: 0 },
        headers: { 'accept-language': language },
      });
      return all(body.items).find((node) => node.id === id)?.title;
    };
    expect([await titleIn('fr-FR'), await titleIn('en-US'), await titleIn('zh-CN')]).toEqual([
      'Groupes',
      '设备分组',
      '设备分组',
    ]);
  });
});

describe('menu/save', () => {
  const save = (fields: Record<string, string>) =>
    app.form<{ success: boolean; code: number; params: object[] }>('/api/system/menu/save', fields);

  test('replaces the whole set; missing ancestors come with it; twice is the same', async () => {
    const role = await app.role('Replaced', app.menus('asset', 'asset-roads'));
    for (const time of [1, 2]) {
      expect(
        await save({
          roles: String(role),
          menus: ` ${app.menu('lamp-monitor-control')}, ${app.menu('lamp-monitor-control')},`,
          permissions: '',
        }),
      ).toMatchObject({ status: 200, body: { success: true } });
      expect(await app.holds(role), `time ${time}`).toEqual(['lamp', 'lamp-monitor', 'lamp-monitor-control']);
    }
    await save({ roles: String(role), menus: '', permissions: '' });
    expect(await app.holds(role)).toEqual([]);
  });

  test.each([
    ['unknown', '999999', 'notFound'],
    ['no id', 'all', 'type'],
    ['negative', '-1', 'type'],
    ['beyond every id', '99999999999999999999', 'type'],
  ])('a menu that is %s is 400 by field, and nothing changes', async (_name, menus, rule) => {
    const role = await app.role(`Kept ${menus}`, app.menus('lamp'));
    expect(await save({ roles: String(role), menus: `${app.menu('asset')},${menus}`, permissions: '' })).toMatchObject({
      status: 400,
      body: { params: [{ field: 'menus', rule }] },
    });
    expect(await app.holds(role)).toEqual(['lamp']);
  });

  test('an unknown role is 404; without the codes it is 403', async () => {
    expect((await save({ roles: '999999', menus: '', permissions: '' })).status).toBe(404);
    const { token } = await app.signIn({ username: 'nobody', permissions: ['cscp.role.query'] });
    expect((await app.form('/api/system/menu/save', { roles: '1', menus: '' }, { token })).status).toBe(403);
  });

  test('createRole and updateRole with menus do the same in one transaction', async () => {
    const made = await app.call<{ id: number }>('/api/cscpRolesCreators', {
      body: { name: 'With menus', roleExtent: 'x', menus: app.menus('lamp-monitor-control').map(String) },
    });
    expect(await app.holds(made.body.id)).toEqual(['lamp', 'lamp-monitor', 'lamp-monitor-control']);
    await app.call('/api/system/cscpRoless', {
      method: 'PUT',
      body: { id: made.body.id, menus: String(app.menu('asset')) },
    });
    expect(await app.holds(made.body.id)).toEqual(['asset']);
    await app.call('/api/cscpRolesCreators', { body: { name: 'Taken', roleExtent: 'x' } });
    await app.call('/api/system/cscpRoless', { method: 'PUT', body: { id: made.body.id, name: 'taken', menus: '' } });
    expect(await app.holds(made.body.id)).toEqual(['asset']);
    await app.call('/api/system/cscpRoless', { method: 'PUT', body: { id: made.body.id, menus: null } });
    expect(await app.holds(made.body.id)).toEqual([]);
  });
});
