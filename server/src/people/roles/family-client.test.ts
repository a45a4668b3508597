import { expect, test } from 'vitest';
import { createMenuConfiguration, menuConfigurationRoutes } from '../menus/index.ts';
import { signInTestApp } from '../../testing/sign-in.ts';
import { createRoles, rolesRoutes } from './index.ts';

/**
 * Plays the role and menu pages of a client of the specification's family literally: whole objects with fields of its
 * own, ids as text, two form-encoded calls, `undefined` where it has no work area. It knows nothing of ours.
 */
const app = await signInTestApp({
  routes: (parts) => [...rolesRoutes(createRoles(parts)), ...menuConfigurationRoutes(createMenuConfiguration(parts))],
});
const password = '灯Pole#2046x';
await app.makeAccount({ username: 'family', password, level: 0 });
const {
  body: { token },
} = await app.login('family', password);
const standing = { authorization: String(token), 'accept-language': 'zh-CN', timezoneoffset: '0', workid: 'undefined' };

interface Node {
  id: number;
  title: string;
  checked: boolean;
  items?: Node[];
}
async function ask<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: object | string,
): Promise<{ status: number; body: T }> {
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  const reply = await app.app.inject({
    method,
    url,
    headers: { ...standing, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) as T };
}

/** What its tree component calls checked and half-checked when somebody ticks these. */
function ticked(nodes: readonly Node[], chosen: ReadonlySet<string>): number[] {
  return nodes.flatMap((node) => {
    const below = ticked(node.items ?? [], chosen);
    return chosen.has(node.title) || below.length > 0 || node.checked ? [node.id, ...below] : [];
  });
}
const leaves = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => (node.items ? leaves(node.items) : [node]));

test('role pages: list, tree for a new role, save, tree again, edit, code 39, count, delete', async () => {
  const list = await ask<{ data: { id: number; name: string; icon: string; creatorName: string }[] }>(
    'GET',
    '/api/cscpRolesCreators?size=1000',
  );
  expect(list.body.data[0]).toMatchObject({ id: 1, name: 'admin', icon: 'md-key', creatorName: 'admin' });

  const fresh = await ask<{ items: Node[] }>('POST', '/api/menu/queryByRoleIdPlus', 'roles=0');
  expect(leaves(fresh.body.items).some(({ checked }) => checked)).toBe(false);
  // Its edit page works the ticks out itself: a node with `items` is ticked when all of them are, and none are all.
  const isTicked = (node: Node): boolean => (node.items ? node.items.every(isTicked) : node.checked);
  expect(fresh.body.items.filter(isTicked)).toEqual([]);
  const menus = ticked(fresh.body.items, new Set(['控制']));
  const role = { id: null, name: '值班员', roleExtent: '夜班', parentId: 0, icon: 'md-key', creatorName: '', menus };
  const created = await ask<{ code: number; msg: string; id: number }>('POST', '/api/cscpRolesCreators', role);
  expect(created).toMatchObject({ status: 200, body: { code: 0 } });
  const { id } = created.body;
  const saved = await ask(
    'POST',
    '/api/system/menu/save',
    new URLSearchParams({ roles: String(id), menus: menus.join(','), permissions: '' }).toString(),
  );
  expect(saved).toMatchObject({ status: 200, body: { success: true } });

  const again = await ask<{ items: Node[] }>('POST', '/api/menu/queryByRoleIdPlus', `roles=${id}`);
  expect(
    leaves(again.body.items)
      .filter(({ checked }) => checked)
      .map(({ title }) => title),
  ).toEqual(['控制']);
  expect(again.body.items.find(({ title }) => title === '智慧路灯')?.checked).toBe(false);

  const { body: read } = await ask<object>('GET', `/api/system/cscpRoless/${id}`);
  expect(read).toMatchObject({
    id,
    name: '值班员',
    roleExtent: '夜班',
    parentId: 0,
    icon: 'md-key',
    creatorName: 'family',
  });
  expect(
    await ask('PUT', '/api/system/cscpRoless', {
      ...read,
      id: String(id),
      name: 'Admin',
      menus,
      __v: 3,
      checkedKeys: menus,
    }),
  ).toMatchObject({ status: 200, body: { code: 39, msg: '角色名称已存在' } });
  expect(
    await ask('PUT', '/api/system/cscpRoless', { ...read, id: String(id), name: '值班长', menus, __v: 3 }),
  ).toMatchObject({ status: 200, body: { code: 0 } });

  expect((await ask('GET', `/api/system/cscpRoleUsers/${id}`)).body).toBe(0);
  expect((await ask('DELETE', `/api/system/cscpRoless/${id}`)).status).toBe(200);
});

test('menu configuration: lazy tree, whole nodes with fields of its own, drag, delete', async () => {
  interface Row {
    id: number;
    parentId: number;
    title: string;
    orderby: number;
    type: string;
  }
  const children = async (parentId: number | string) =>
    (await ask<{ data: Row[] }>('GET', `/api/system/menu/getMenu?parentId=${parentId}`)).body.data;
  const [first] = await children(0);
  expect(first).toMatchObject({ parentId: 0, type: 'menu1', title: '智慧路灯' });

  const form = {
    id: null,
    parentId: '0',
    type: 'menu1',
    title: '能源',
    name: 'energy',
    url: '/energy',
    component: 'layout',
    icon: '',
    language: '',
    permissionCode: '',
    orderby: null,
    children: [],
    loading: false,
    expand: true,
  };
  const added = await ask<{ success: boolean; msg: string; id: number }>('PUT', '/api/system/menu/addMenu', form);
  expect(added).toMatchObject({ status: 200, body: { success: true, msg: '添加节点成功！' } });
  const { id } = added.body;
  const pages: number[] = [];
  for (const name of ['report', 'curve']) {
    pages.push(
      (
        await ask<{ id: number }>('PUT', '/api/system/menu/addMenu', {
          ...form,
          parentId: String(id),
          type: 'menu2',
          title: name,
          name: `energy-${name}`,
          url: name,
          component: `energy/${name}`,
        })
      ).body.id,
    );
  }
  expect((await children(String(id))).map(({ title, orderby }) => [title, orderby])).toEqual([
    ['report', 0],
    ['curve', 1],
  ]);

  const [report, curve] = await children(id);
  const dragged = await ask('PUT', '/api/system/menu/updateMenu', [
    { ...curve, id: String(curve?.id), orderby: 1, nodeKey: 8 },
    { ...report, orderby: '2', nodeKey: 7 },
  ]);
  expect(dragged).toMatchObject({ status: 200, body: { success: true } });
  expect((await children(id)).map(({ title, orderby }) => [title, orderby])).toEqual([
    ['curve', 1],
    ['report', 2],
  ]);

  expect(
    (
      await ask('PUT', '/api/system/menu/addMenu', {
        ...report,
        orderby: 2,
        title: '能源报表',
        nodeKey: 7,
        children: [],
        selected: true,
      })
    ).body,
  ).toMatchObject({ success: true, msg: '更新节点成功！', id: report?.id });
  const menus = await ask<{ title: string; parentId: number }[]>('GET', '/api/user/cscpMenus');
  expect(menus.body.filter(({ parentId }) => parentId === id).map(({ title }) => title)).toEqual(['curve', '能源报表']);

  expect(await ask('DELETE', `/api/system/menu/deleteMenu/${id}`)).toMatchObject({
    status: 200,
    body: { success: true, msg: '删除成功！' },
  });
  expect(await app.db.selectFrom('menu_entry').select('id').where('id', 'in', pages).execute()).toEqual([]);
});
