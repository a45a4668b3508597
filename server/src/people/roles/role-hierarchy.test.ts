import { describe, expect, test } from 'vitest';
import type { RoleDetail } from '../../../../contract/specified/roles.ts';
import { rightsTestApp } from '../../testing/rights.ts';

/**
 * Decisions 6. `manager` (level 2) holds Manager with the rights over roles and the lamps; below it stand Mine, which
 * it does not hold, and Held, which it does. Stranger stands beside.
 */
const app = await rightsTestApp();
const roleCodes = app.menus(
  'system',
  'role-management',
  'system-role-management-view',
  'system-role-management-add',
  'system-role-management-edit',
  'system-role-management-del',
);
const lamps = app.menus('lamp', 'lamp-monitor', 'lamp-monitor-view', 'lamp-monitor-control');
const roads = app.menus('asset', 'asset-roads');
const manager = await app.role('Manager', [...roleCodes, ...lamps]);
const second = await app.role('Second', [...roads, ...lamps]);
const mine = await app.role('Mine', app.menus('lamp', 'lamp-monitor', 'lamp-monitor-view'), manager);
const below = await app.role('Below mine', app.menus('lamp', 'lamp-monitor', 'lamp-monitor-view'), mine);
const held = await app.role('Held', app.menus('lamp', 'lamp-monitor'), manager);
const stranger = await app.role('Stranger', lamps);
const token = await app.account('manager', 2, [manager, held]);
/** An administrator who does not hold the first role. */
const limited = await app.account('limited', 0, [manager]);

interface Answer {
  code: number;
  id?: number;
  params?: { field: string; rule: string }[];
  msg: string;
}
const put = (body: object, as = token) =>
  app.call<Answer>('/api/system/cscpRoless', { method: 'PUT', body, token: as });
const create = (body: object, as = token) =>
  app.call<Answer>('/api/cscpRolesCreators', { body: { roleExtent: 'x', ...body }, token: as });
const saveMenus = (roles: number, menus: readonly number[], as = token) =>
  app.form<Answer>(
    '/api/system/menu/save',
    { roles: String(roles), menus: menus.join(','), permissions: '' },
    { token: as },
  );
const remove = (id: number, as = token) =>
  app.call<Answer>(`/api/system/cscpRoless/${id}`, { method: 'DELETE', token: as });
const parentOf = async (id: number | undefined) =>
  (await app.call<RoleDetail>(`/api/system/cscpRoless/${id ?? 0}`)).body.parentId;

describe('who changes which role', () => {
  const rows: [string, number, string, number | undefined][] = [
    ['a role below his own', mine, 'manager', undefined],
    ['a role further below', below, 'manager', undefined],
    ['a role he holds', manager, 'manager', 1209],
    ['a role he holds, though it stands below another of his', held, 'manager', 1209],
    ['a role beside his own', stranger, 'manager', 1212],
    ['the first role', 1, 'manager', 1212],
    ['an administrator: a role he holds', manager, 'limited', undefined],
    ['an administrator: any other', stranger, 'limited', undefined],
    ['an administrator: the first', 1, 'limited', undefined],
  ];
  test.each(rows)('specified 4.8: %s', async (_name, id, who, code) => {
    const as = who === 'manager' ? token : limited;
    const list = await app.call<{ data: RoleDetail[] }>('/api/cscpRolesCreators', { token: as });
    expect(list.body.data.find((role) => role.id === id)?.manageable).toBe(code === undefined);
    for (const reply of [
      await put({ id, roleExtent: 'changed' }, as),
      ...(code === undefined ? [] : [await saveMenus(id, [], as), ...(id === 1 ? [] : [await remove(id, as)])]),
    ]) {
      expect({ status: reply.status, code: reply.body.code }).toEqual(
        code === undefined ? { status: 200, code: 0 } : { status: 403, code },
      );
    }
  });
});

describe('nobody puts into a role a menu he does not hold', () => {
  test.each<[string, () => Promise<{ status: number; body: Answer }>]>([
    ['menu/save', () => saveMenus(mine, roads)],
    ['a new role', () => create({ name: 'Too much', menus: roads })],
    ['a changed role', () => put({ id: mine, menus: roads })],
    ['a copy', () => app.call<Answer>(`/api/v1/roles/${second}/copy`, { body: { name: 'Copied' }, token })],
    ['an administrator neither', () => saveMenus(stranger, [...lamps, ...roads], limited)],
  ])('specified 4.8: %s is 403 by name, and nothing changes', async (_name, call) => {
    const before = [await app.holds(mine), await app.holds(stranger)];
    const reply = await call();
    expect(reply).toMatchObject({ status: 403, body: { code: 1208 } });
    expect(reply.body.msg).toContain('道路');
    expect([await app.holds(mine), await app.holds(stranger)]).toEqual(before);
  });

  test('an entry whose page he does not hold comes without the page', async () => {
    const operator = await app.role('Button only', [...roleCodes, ...app.menus('lamp-monitor-control')]);
    const as = await app.account('button', 2, [operator]);
    const { body } = await create(
      { name: 'Button too', menus: app.menus('lamp', 'lamp-monitor', 'lamp-monitor-control') },
      as,
    );
    expect(await app.holds(body.id ?? 0)).toEqual(['lamp-monitor-control']);
  });
});

describe('the parent', () => {
  test('specified 4.8: a role made by a non-administrator stands below one of his own roles', async () => {
    expect(await create({ name: 'Foreign parent', parentId: stranger })).toMatchObject({
      status: 400,
      body: { code: 3204 },
    });
    expect(
      await parentOf((await create({ name: 'Own parent', parentId: held, menus: app.menus('lamp') })).body.id),
    ).toBe(held);
  });

  test('a family client sends parentId 0: the widest of his roles that holds it all becomes the parent', async () => {
    expect(await parentOf((await create({ name: 'Family', parentId: 0, menus: lamps })).body.id)).toBe(manager);
    const two = await app.account('two', 3, [manager, second]);
    expect(await parentOf((await create({ name: 'Roads', parentId: 0, menus: roads }, two)).body.id)).toBe(second);
    expect(await create({ name: 'Both', menus: [...roads, ...roleCodes] }, two)).toMatchObject({
      status: 400,
      body: { code: 3205 },
    });
  });

  test('a non-administrator cannot lift a role out from under its parent, nor put it below a foreign one', async () => {
    expect(await put({ id: mine, parentId: 0 })).toMatchObject({ status: 400, body: { code: 3204 } });
    expect(await put({ id: mine, parentId: stranger })).toMatchObject({ status: 400, body: { code: 3204 } });
    expect(await put({ id: below, parentId: manager, name: 'Below mine' })).toMatchObject({
      status: 200,
      body: { code: 0 },
    });
    expect(await parentOf(below)).toBe(manager);
    await put({ id: below, parentId: mine }, app.adminToken);
  });

  test.each<[string, () => number]>([
    ['itself', () => mine],
    ['a role below it', () => below],
  ])('specified 4.7: a cycle is refused: %s', async (_name, parent) => {
    expect(await put({ id: mine, parentId: parent() }, app.adminToken)).toMatchObject({
      status: 400,
      body: { code: 3203 },
    });
    expect(await parentOf(mine)).toBe(manager);
  });

  test('two administrators make each other’s role the parent at once: one is refused', async () => {
    const [a, b] = [await app.role('Cycle A', []), await app.role('Cycle B', [])];
    const replies = await Promise.all([
      put({ id: a, parentId: b }, app.adminToken),
      put({ id: b, parentId: a }, app.adminToken),
    ]);
    expect(replies.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 400]);
  });
});

describe('menus ⊆ those of the parent (specified 4.7)', () => {
  test('beyond the parent is 400 by name, 0 is no bound', async () => {
    expect(await saveMenus(below, lamps, app.adminToken)).toMatchObject({ status: 400, body: { code: 3205 } });
    expect((await saveMenus(below, lamps, app.adminToken)).body.msg).toContain('控制');
    const free = (await create({ name: 'Free', menus: lamps }, app.adminToken)).body.id ?? 0;
    expect(await put({ id: free, parentId: mine }, app.adminToken)).toMatchObject({
      status: 400,
      body: { code: 3205 },
    });
    expect(await put({ id: free, parentId: mine, menus: app.menus('lamp-monitor') }, app.adminToken)).toMatchObject({
      status: 200,
    });
    expect(await app.holds(free)).toEqual(['lamp', 'lamp-monitor']);
  });

  test('a narrowed role narrows everything below it in the same save, and says so; versions tell', async () => {
    const top = await app.role('Wide', lamps);
    const middle = await app.role('Wide too', lamps, top);
    const bottom = await app.role('Narrow', app.menus('lamp', 'lamp-monitor', 'lamp-monitor-control'), middle);
    const spared = await app.role('Spared', app.menus('lamp'), top);
    const reply = await saveMenus(top, app.menus('lamp', 'lamp-monitor', 'lamp-monitor-view'), app.adminToken);
    expect(reply).toMatchObject({
      status: 200,
      body: { success: true, msg: '角色保存成功！ 其下 2 个角色同时失去了被移除的菜单。' },
    });
    expect([await app.holds(middle), await app.holds(bottom), await app.holds(spared)]).toEqual([
      ['lamp', 'lamp-monitor', 'lamp-monitor-view'],
      ['lamp', 'lamp-monitor'],
      ['lamp'],
    ]);
    const versions = await app.db
      .selectFrom('role')
      .select(['id', 'version'])
      .where('id', 'in', [top, middle, bottom, spared])
      .orderBy('id')
      .execute();
    expect(versions.map(({ version }) => version)).toEqual([2, 2, 2, 1]);
  });
});

describe('the first role', () => {
  test('holds every entry, always, and has no parent', async () => {
    expect(await saveMenus(1, lamps, app.adminToken)).toMatchObject({ status: 400, body: { code: 3206 } });
    expect(await put({ id: 1, menus: '' }, app.adminToken)).toMatchObject({ status: 400, body: { code: 3206 } });
    expect(await put({ id: 1, parentId: manager }, app.adminToken)).toMatchObject({
      status: 400,
      body: { code: 3206 },
    });
    const all = (await app.db.selectFrom('menu_entry').select('id').execute()).map(({ id }) => id);
    expect(await saveMenus(1, all, app.adminToken)).toMatchObject({ status: 200 });
  });
});
