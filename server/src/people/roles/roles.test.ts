import { describe, expect, test } from 'vitest';
import type { listRoleSummaries } from '../../../../contract/people/roles.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { RoleDetail, RoleSaved } from '../../../../contract/specified/roles.ts';
import { languages } from '../../../../catalogue/languages.ts';
import type { Static } from 'typebox';
import { rightsTestApp } from '../../testing/rights.ts';
import { roleTexts } from './texts.ts';

const app = await rightsTestApp();
type Saved = Static<typeof RoleSaved>;
interface Problem {
  status: number;
  code: number;
  message: string;
  params: { field: string; rule: string }[];
}
const create = (body: object, token = app.adminToken) =>
  app.call<Saved & Problem>('/api/cscpRolesCreators', { body, token });
const update = (body: object, token = app.adminToken) =>
  app.call<Saved & Problem>('/api/system/cscpRoless', { method: 'PUT', body, token });
const read = async (id: number) => (await app.call<RoleDetail>(`/api/system/cscpRoless/${id}`)).body;
const made = async (name: string, extra: object = {}) =>
  (await create({ name, roleExtent: '片区', ...extra })).body.id ?? 0;
const fieldsOf = ({ params }: Problem) => params.map(({ field, rule }) => `${field} ${rule}`);

describe('the role form (specified 4.2)', () => {
  test('a new role: icon md-key, no parent, its creator’s name; 200 with code 0, msg and id', async () => {
    const { status, body } = await create({ name: '  巡检班 ', roleExtent: ' 东区 ', somethingElse: 1 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { code: 0, msg: '角色创建成功！', id: expect.any(Number) as number },
    });
    expect(await read(body.id ?? 0)).toMatchObject({
      name: '巡检班',
      roleExtent: '东区',
      icon: 'md-key',
      parentId: 0,
      creatorName: 'admin',
      version: 1,
      manageable: true,
    });
  });

  test.each<[string, object, string[]]>([
    [
      'specified 4.2: name, icon and roleExtent required, told together',
      { name: ' ', icon: '', roleExtent: null },
      ['name required', 'roleExtent required', 'icon required'],
    ],
    ['specified 4.2: nothing sent', {}, ['name required', 'roleExtent required']],
    [
      'specified 4.2: 1–50 characters, by code points after trimming',
      { name: '灯'.repeat(51), roleExtent: '💡'.repeat(51) },
      ['name maxLength', 'roleExtent maxLength'],
    ],
    [
      'specified 10.6: an unknown parent and unknown menus are the input’s fault, with the rest',
      { name: '', roleExtent: 'x', parentId: 999_999, menus: [1, 999_999] },
      ['name required', 'parentId notFound', 'menus notFound'],
    ],
    ['specified 10.6: menus that are no ids', { name: 'x', roleExtent: 'x', menus: '1,drop table' }, ['menus type']],
    ['specified 10.6: __proto__ among the menus', { name: 'x', roleExtent: 'x', menus: '__proto__' }, ['menus type']],
  ])('%s', async (_name, body, fields) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply.body)).toEqual(fields);
  });

  test('50 astral characters are 50', async () =>
    expect((await create({ name: '💡'.repeat(50), roleExtent: '💡'.repeat(50) })).status).toBe(200));

  test.each(languages)(
    'specified 4.3: a taken name is 200 with code 39 and the server’s message, in %s; case and width do not matter',
    async (language) => {
      await create({ name: 'Taken', roleExtent: 'x' });
      const before = await app.db
        .selectFrom('role')
        .select((row) => row.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      const reply = await app.call<Saved>('/api/cscpRolesCreators', {
        body: { name: ' ＴＡＫＥＮ', roleExtent: 'y' },
        headers: { 'accept-language': language },
      });
      expect(reply).toMatchObject({ status: 200, body: { code: 39, msg: roleTexts(language).nameTaken } });
      expect(
        await app.db
          .selectFrom('role')
          .select((row) => row.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      ).toEqual(before);
    },
  );

  test('specified 4.3: renaming to a taken name is code 39 too; two at once: one gets it', async () => {
    const id = await made('Other');
    expect((await update({ id, name: 'taken' })).body.code).toBe(39);
    expect((await read(id)).name).toBe('Other');
    const both = await Promise.all([
      create({ name: 'Race', roleExtent: 'x' }),
      create({ name: 'race', roleExtent: 'x' }),
    ]);
    expect(both.map(({ body }) => body.code).toSorted((a, b) => a - b)).toEqual([0, 39]);
  });

  test('specified 10.8: absent fields stay, an old version is 409 and nothing changes', async () => {
    const id = await made('Versioned', { icon: 'lamp' });
    expect((await update({ id: String(id), roleExtent: '西区', version: 1 })).body).toMatchObject({ code: 0, id });
    expect(await read(id)).toMatchObject({ name: 'Versioned', icon: 'lamp', roleExtent: '西区', version: 2 });
    expect(await update({ id, name: 'Late', version: 1 })).toMatchObject({ status: 409, body: { code: 1401 } });
    expect((await read(id)).name).toBe('Versioned');
  });

  test('specified 10.6: 400 comes before 404', async () => {
    expect((await update({ id: 999_999, name: '' })).status).toBe(400);
    expect((await update({ id: 999_999, name: 'x' })).status).toBe(404);
  });

  test('the operation log has one row a save, and one for a refused one', async () => {
    const from = await app.db
      .selectFrom('operation_log')
      .select((row) => row.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    await create({ name: 'Logged', roleExtent: 'x' });
    await create({ name: 'logged', roleExtent: 'x' });
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['message', 'username'])
      .where('id', '>', from.id)
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { message: 'role.create', username: 'admin' },
      { message: 'role.create taken', username: 'admin' },
    ]);
  });
});

describe('the lists', () => {
  test('specified 4.10: {data, recordsTotal, recordsFiltered}; id, name and icon are offered; pages from 1, 0 is the first', async () => {
    await made('Zeta 10');
    await made('Zeta 2');
    const { body } = await app.call<{ data: RoleDetail[]; recordsTotal: number; recordsFiltered: number }>(
      '/api/cscpRolesCreators?size=1000&name=ＺＥＴＡ&sort=name,asc',
    );
    expect(body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 });
    expect(body.data.map(({ name }) => name)).toEqual(['Zeta 2', 'Zeta 10']);
    for (const [page, name] of [
      [0, 'Zeta 2'],
      [1, 'Zeta 2'],
      [2, 'Zeta 10'],
    ] as const) {
      expect(
        (
          await app.call<{ data: RoleDetail[] }>(`/api/cscpRolesCreators?size=1&page=${page}&name=zeta&sort=name`)
        ).body.data.map((role) => role.name),
      ).toEqual([name]);
    }
    const { token } = await app.signIn({ username: 'plain' });
    const options = await app.call<{ data: object[] }>('/api/system/cscpRolessByCriteria?size=1000', { token });
    expect(Object.keys(options.body.data[0] ?? {})).toEqual(['id', 'name', 'icon']);
    expect((await app.call('/api/cscpRolesCreators', { token })).status).toBe(403);
  });

  test.each(['name;drop', 'version', '__proto__', 'id,up', 'id,asc,x'])(
    'specified 10.9: no order by %s',
    async (sort) => {
      expect(await app.call(`/api/cscpRolesCreators?sort=${sort}`)).toMatchObject({
        status: 400,
        body: { params: [{ field: 'sort' }] },
      });
    },
  );

  test('specified 10.9: no page of 1001', async () =>
    expect((await app.call('/api/cscpRolesCreators?size=1001')).status).toBe(400));
});

describe('deleting (specified 4.4)', () => {
  test('the bare count; in use: 400 with the count; free again: deleted', async () => {
    const id = await made('In use');
    const token = await app.account('user1', 5, [id]);
    await app.account('user2', 5, [id]);
    expect((await app.call(`/api/system/cscpRoleUsers/${id}`)).body).toBe(2);
    expect(await app.call(`/api/system/cscpRoless/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 400,
      body: { code: 3201, msg: '该角色已被2个账号使用，不能删除。' },
    });
    expect(
      await app.call(`/api/system/cscpRoless/${id}`, { method: 'DELETE', headers: { 'accept-language': 'en-US' } }),
    ).toMatchObject({ body: { message: 'The role is used by 2 accounts and cannot be deleted.' } });
    await app.db.deleteFrom('account_role').where('role_id', '=', id).execute();
    expect(await app.call(`/api/system/cscpRoless/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await app.call(`/api/system/cscpRoless/${id}`, { token: app.adminToken })).status).toBe(404);
    expect((await app.call('/api/user/cscpMenus', { token })).status).toBe(403);
  });

  test('while it is being granted: the deletion waits and is refused', async () => {
    const id = await made('Granted now');
    const { accountId } = await app.signIn({ username: 'granting' });
    let deletion: ReturnType<typeof app.call> | undefined;
    await app.db.transaction().execute(async (tx) => {
      await tx.insertInto('account_role').values({ account_id: accountId, role_id: id }).execute();
      deletion = app.call(`/api/system/cscpRoless/${id}`, { method: 'DELETE' });
    });
    expect(await deletion).toMatchObject({ status: 400, body: { code: 3201 } });
  });

  test('the first role never; an unknown one is 404', async () => {
    expect(await app.call('/api/system/cscpRoless/1', { method: 'DELETE' })).toMatchObject({
      status: 400,
      body: { code: 3202 },
    });
    expect((await app.call('/api/system/cscpRoless/999999', { method: 'DELETE' })).status).toBe(404);
    expect((await app.call('/api/system/cscpRoleUsers/999999')).status).toBe(404);
  });

  test('the roles below come below its parent', async () => {
    const [top, middle] = [await made('Top'), await made('Middle')];
    await update({ id: middle, parentId: top });
    const bottom = await made('Bottom', { parentId: middle });
    await app.call(`/api/system/cscpRoless/${middle}`, { method: 'DELETE' });
    expect((await read(bottom)).parentId).toBe(top);
  });

  test('specified 4.1: the creator’s name stays when the account is gone', async () => {
    const token = await app.account('maker', 0, [1]);
    const id = (await create({ name: 'Orphan', roleExtent: 'x' }, token)).body.id ?? 0;
    await app.db.deleteFrom('account').where('username', '=', 'maker').execute();
    expect((await read(id)).creatorName).toBe('maker');
  });
});

describe('beyond the specified calls', () => {
  test('a copy has menus, icon, extent and parent of the other; a taken name is 400 by field', async () => {
    const parentId = await app.role('Copy parent', app.menus('lamp', 'lamp-monitor'));
    const id = await made('Original', { icon: 'lamp', parentId, menus: app.menus('lamp', 'lamp-monitor') });
    const copy = await app.call<{ id: number; name: string }>(`/api/v1/roles/${id}/copy`, { body: { name: ' Copy ' } });
    expect(copy).toMatchObject({ status: 201, body: { name: 'Copy' } });
    expect(await read(copy.body.id)).toMatchObject({ icon: 'lamp', roleExtent: '片区', parentId });
    expect(await app.holds(copy.body.id)).toEqual(['lamp', 'lamp-monitor']);
    expect(await app.call(`/api/v1/roles/${id}/copy`, { body: { name: 'COPY' } })).toMatchObject({
      status: 400,
      body: { code: 39, params: [{ field: 'name', rule: 'taken' }] },
    });
    expect((await app.call(`/api/v1/roles/${id}/copy`, { body: { name: ' ' } })).status).toBe(400);
    expect((await app.call('/api/v1/roles/999999/copy', { body: { name: 'Nothing' } })).status).toBe(404);
  });

  test('the pages and operations of a role saved with all above and below are those that its reader finds in the menu', async () => {
    const id = await made('Counted');
    // A form, three operations with the right to see the page among them, and the sections and pages above.
    const holds = app.menus(
      'lamp',
      'lamp-monitor',
      'lamp-monitor-view',
      'lamp-monitor-control',
      'lamp-device',
      'asset',
    );
    const more = app.menus('asset-roads', 'asset-roads-view', 'asset-roads-add');
    const menus = [...holds, ...more].join(',');
    await app.form('/api/system/menu/save', { roles: String(id), menus, permissions: '' });
    expect(await app.holds(id)).toHaveLength(9);
    const summaries = (await app.call<ReplyOf<typeof listRoleSummaries>>('/api/v1/role-summaries')).body.data;
    expect(summaries).toContainEqual({ id, users: 0, pages: 2, operations: 2 });
  });

  test('what a role may do: its entries with their way from the top, its accounts and the roles around it', async () => {
    const parentId = await app.role('Power parent', app.menus('lamp', 'lamp-monitor', 'lamp-monitor-control'));
    const id = await app.role('Power', app.menus('lamp-monitor', 'lamp-monitor-control'), parentId);
    const child = await app.role('Power child', [], id);
    await app.account('power', 5, [id]);
    const summaries = (await app.call<ReplyOf<typeof listRoleSummaries>>('/api/v1/role-summaries')).body.data;
    expect(summaries).toContainEqual({ id, users: 1, pages: 1, operations: 1 });
    expect(summaries).toContainEqual({ id: child, users: 0, pages: 0, operations: 0 });
    const { body } = await app.call(`/api/v1/roles/${id}/powers`);
    expect(body).toEqual({
      id,
      name: 'Power',
      users: 1,
      parent: { id: parentId, name: 'Power parent' },
      children: [{ id: child, name: 'Power child' }],
      powers: [
        {
          menuId: app.menu('lamp-monitor'),
          type: 'menu2',
          permissionCode: 'lamp.monitor',
          path: [
            { title: '智慧路灯', language: 'lamp' },
            { title: '单灯监控', language: 'lamp/monitor' },
          ],
        },
        {
          menuId: app.menu('lamp-monitor-control'),
          type: 'button',
          permissionCode: 'lamp.control',
          path: [
            { title: '智慧路灯', language: 'lamp' },
            { title: '单灯监控', language: 'lamp/monitor' },
            { title: '控制', language: 'button/control' },
          ],
        },
      ],
    });
  });
});
