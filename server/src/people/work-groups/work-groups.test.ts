import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { testApp } from '../../testing/app.ts';
import { createWorkGroups, workGroupsRoutes } from './index.ts';

const codes: Permission[] = ['cscp.wg.query', 'cscp.wg.add', 'cscp.wg.edit', 'cscp.wg.del'];
const app = await testApp({ routes: (parts) => workGroupsRoutes(createWorkGroups(parts)) });
const path = '/api/cscpWorkGroups';
const areaId = async (name: string): Promise<number> =>
  (
    await app.db
      .insertInto('work_area')
      .values({ work_code: name, work_name: name })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const north = await areaId('北区');
const south = await areaId('南区');
const { token: admin } = await app.signIn({ username: 'wgadmin', level: 0, permissions: codes });
const northern = await app.signIn({ username: 'northern', level: 3, permissions: codes, workAreas: [north] });
const member = await app.signIn({ username: 'member', level: 5 });
const other = await app.signIn({ username: 'other', level: 5 });
let count = 0;

interface Saved {
  success: boolean;
  msg: string;
  id: number;
}
interface Problem {
  title: string;
  status: number;
  params: { field: string; rule: string; message: string }[];
}
const body = (more: object = {}) => ({
  groupName: `巡检${(count += 1)}组`,
  description: '每天巡检',
  userDetail: [{ userId: member.accountId }],
  workId: north,
  ...more,
});
const make = async (more: object = {}, token = admin): Promise<number> =>
  (await app.call<Saved>(path, { body: body(more), token })).body.id;
const get = async (id: number) => (await app.call<Record<string, unknown>>(`${path}/${id}`, { token: admin })).body;
const put = (more: object, token = admin) => app.call<Saved & Problem>(path, { method: 'PUT', body: more, token });
const list = async (query: string, options: { token?: string; workAreaId?: number } = {}) =>
  (
    await app.call<{
      data: { id: number; groupName: string; members: number; workName: string }[];
      recordsTotal: number;
      recordsFiltered: number;
    }>(`${path}?${query}`, { token: admin, ...options })
  ).body;

describe('create, read, change, delete (specified 6.4)', () => {
  test('what is created comes back whole, texts trimmed and composed', async () => {
    const made = await app.call<Saved>(path, {
      body: body({ groupName: '  Cafe\u0301  ', description: ' 每天巡检 ' }),
      token: admin,
      headers: { 'accept-language': 'zh-CN' },
    });
    expect([made.status, made.body]).toEqual([200, { success: true, msg: '新建工作组成功！', id: made.body.id }]);
    expect(await get(made.body.id)).toEqual({
      id: made.body.id,
      groupName: 'Café',
      description: '每天巡检',
      orgId: null,
      workId: north,
      workName: '北区',
      version: 1,
      userDetail: [{ userId: member.accountId }],
      users: [member.accountId],
    });
  });

  test('an update changes what it names, ignores what it does not offer, and answers the specified text', async () => {
    const id = await make();
    const reply = await put({ id: String(id), description: '每周巡检', workName: '别处', users: [1] });
    expect([reply.status, reply.body.msg]).toEqual([200, '更新工作组成功！']);
    expect(await get(id)).toMatchObject({
      description: '每周巡检',
      workName: '北区',
      users: [member.accountId],
      version: 2,
    });
  });

  test('members and project are replaced, people named twice are one', async () => {
    const id = await make();
    await put({ id, userDetail: [{ userId: other.accountId }, { userId: other.accountId }], workId: south });
    expect(await get(id)).toMatchObject({ users: [other.accountId], workId: south, workName: '南区' });
  });

  test('an old version is a conflict that changes nothing', async () => {
    const id = await make();
    await put({ id, description: '第一次改', version: 1 });
    const second = await put({ id, description: '第二次改', version: 1 });
    expect([second.status, (await get(id))['description']]).toEqual([409, '第一次改']);
  });

  test('the organisation: set, sent back, another one, none', async () => {
    const organisations = await app.db
      .insertInto('organisation')
      .values([{ name: '甲组织' }, { name: '乙组织' }])
      .returning('id')
      .execute();
    const [first = 0, second = 0] = organisations.map((row) => row.id);
    const id = await make({ orgId: first });
    const seen = [(await get(id))['orgId']];
    for (const orgId of [first, second, null]) {
      await put({ id, orgId });
      seen.push((await get(id))['orgId']);
    }
    expect(seen).toEqual([first, first, second, null]);
  });

  test('deleting', async () => {
    const id = await make();
    const reply = await app.call<Saved>(`${path}/${id}`, { method: 'DELETE', token: admin });
    expect([reply.status, reply.body]).toEqual([200, { success: true, msg: '删除成功！' }]);
    expect((await app.call(`${path}/${id}`, { token: admin })).status).toBe(404);
    expect((await app.call(`${path}/${id}`, { method: 'DELETE', token: admin })).status).toBe(404);
  });
});

describe('rules (specified 6.3): the title says in words what is wrong', () => {
  test.each([
    ['a name of two', { groupName: '巡检' }, 'groupName', 'minLength', '工作组名称长度在 3 到 10 个字符'],
    [
      'a name of eleven',
      { groupName: '一二三四五六七八九十一' },
      'groupName',
      'maxLength',
      '工作组名称长度在 3 到 10 个字符',
    ],
    ['no name', { groupName: '   ' }, 'groupName', 'required', '请填写工作组名称'],
    ['a description of two', { description: '巡检' }, 'description', 'minLength', '工作组描述长度在 3 到 18 个字符'],
    ['no description', { description: null }, 'description', 'required', '请填写工作组描述'],
    ['no members', { userDetail: [] }, 'userDetail', 'minItems', '请选择工作组成员'],
    ['nobody at all', { userDetail: null }, 'userDetail', 'minItems', '请选择工作组成员'],
    [
      'a member who does not exist',
      { userDetail: [{ userId: 999_999 }] },
      'userDetail.0.userId',
      'notFound',
      '所选成员不存在',
    ],
    ['no project', { workId: null }, 'workId', 'required', '请选择所属项目'],
    ['a project that does not exist', { workId: 999_999 }, 'workId', 'notFound', '所选项目不存在'],
    ['an organisation that does not exist', { orgId: 999_999 }, 'orgId', 'notFound', '所选组织不存在'],
  ])('%s', async (_what, wrong, field, rule, title) => {
    const id = await make();
    for (const reply of [
      await app.call<Problem>(path, { body: body(wrong), token: admin }),
      await put({ id, ...wrong }),
    ]) {
      expect([reply.status, reply.body.title, reply.body.params]).toEqual([
        400,
        title,
        [{ field, rule, message: title }],
      ]);
    }
  });

  test('characters count as people count them', async () => {
    expect((await app.call(path, { body: body({ groupName: '𠮷'.repeat(10) }), token: admin })).status).toBe(200);
    expect((await app.call(path, { body: body({ groupName: '𠮷𠮷' }), token: admin })).status).toBe(400);
  });

  test('everything wrong at once, nothing stored', async () => {
    const before = (await list('size=1')).recordsTotal;
    const { body: problem } = await app.call<Problem>(path, { body: {}, token: admin });
    expect(problem.params.map(({ field }) => field)).toEqual(['groupName', 'description', 'userDetail', 'workId']);
    expect((await list('size=1')).recordsTotal).toBe(before);
  });

  test('the words come in the caller’s language', async () => {
    const titles = await Promise.all(
      languages.map(
        async (language) =>
          (
            await app.call<Problem>(path, {
              body: body({ groupName: 'ab' }),
              token: admin,
              headers: { 'accept-language': language },
            })
          ).body.title,
      ),
    );
    expect(new Set(titles).size).toBe(languages.length);
  });
});

describe('the list (specified 6.1)', () => {
  test('one box looks into names and descriptions, whatever the case and width', async () => {
    const [named, described] = [await make({ groupName: 'ＬＡＭＰ一组' }), await make({ description: 'Lamp 50%_x' })];
    expect((await list('groupName=lamp&description=lamp&size=100')).data.map(({ id }) => id)).toEqual([
      named,
      described,
    ]);
    expect((await list('groupName=lamp&size=100')).data.map(({ id }) => id)).toEqual([named]);
    expect(
      (await list(`groupName=${encodeURIComponent('50%_x')}&description=${encodeURIComponent('50%_x')}`)).recordsTotal,
    ).toBe(1);
    expect((await list('groupName=50__x&description=50__x')).recordsTotal).toBe(0);
  });

  test('pages count from 1, 0 is also the first; sorting out of an allow-list', async () => {
    await Promise.all([make(), make(), make()]);
    const [first, zero, second] = [
      await list('size=2&page=1'),
      await list('size=2&page=0'),
      await list('size=2&page=2'),
    ];
    expect(first.data).toEqual(zero.data);
    expect(first.data.map(({ id }) => id)).not.toContain(second.data[0]?.id);
    expect(first.recordsTotal).toBe(first.recordsFiltered);
    const names = (await list('sort=groupName,desc&size=1000')).data.map(({ groupName }) => groupName);
    expect(names).toEqual(
      [...(await list('sort=groupName,asc&size=1000')).data.map(({ groupName }) => groupName)].reverse(),
    );
    expect((await app.call(`${path}?sort=password,asc`, { token: admin })).status).toBe(400);
  });

  test('a row tells its project and how many members it has', async () => {
    const id = await make();
    expect((await list('size=1000')).data.find((row) => row.id === id)).toMatchObject({ workName: '北区', members: 1 });
  });
});

describe('data scope (specified 6.6, 7.8)', () => {
  test('the work area in force limits the list; a foreign one is refused', async () => {
    const [inNorth, inSouth] = [await make(), await make({ workId: south })];
    const ids = async (options: Parameters<typeof list>[1]) =>
      (await list('size=1000', options)).data.map(({ id }) => id);
    expect(await ids({ workAreaId: south })).toContain(inSouth);
    expect(await ids({ workAreaId: south })).not.toContain(inNorth);
    expect(await ids({ token: northern.token })).not.toContain(inSouth);
    expect((await app.call(path, { token: northern.token, workAreaId: south })).status).toBe(403);
    expect((await app.call(`${path}/${inNorth}`, { token: admin, workAreaId: south })).status).toBe(403);
  });

  test('who sees one area neither reads, changes nor deletes a group elsewhere, nor moves one there', async () => {
    const [foreign, own] = [await make({ workId: south }), await make()];
    const token = northern.token;
    const statuses = [
      (await app.call(`${path}/${foreign}`, { token })).status,
      (await put({ id: foreign, description: '不可以' }, token)).status,
      (await app.call(`${path}/${foreign}`, { method: 'DELETE', token })).status,
      (await app.call(path, { body: body({ workId: south }), token })).status,
      (await put({ id: own, workId: south }, token)).status,
      (await app.call(path, { body: body({ workId: 999_999 }), token })).status,
    ];
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await get(foreign))['version']).toBe(1);
  });

  test('the options hold the groups of every area one sees, whichever one works in', async () => {
    const [inNorth, inSouth] = [await make(), await make({ workId: south })];
    const ids = async (token: string) =>
      (
        await app.call<{ data: { id: number }[] }>('/api/system/cscpWorkGroupsOr', {
          token,
          headers: { workid: String(north) },
        })
      ).body.data.map(({ id }) => id);
    expect(await ids(admin)).toEqual(expect.arrayContaining([inNorth, inSouth]));
    expect(await ids(northern.token)).not.toContain(inSouth);
  });
});

describe('rights (specified 6.5)', () => {
  test.each<[Permission, 'PUT' | 'DELETE', number]>([
    ['cscp.user.edit', 'PUT', 200],
    ['cscp.user.del', 'DELETE', 200],
    ['cscp.user.edit', 'DELETE', 403],
    ['cscp.user.del', 'PUT', 403],
  ])('%s lets one %s: %i', async (code, method, status) => {
    const { token } = await app.signIn({ username: `r${(count += 1)}`, permissions: [code], workAreas: [north] });
    const id = await make();
    expect(
      (
        await app.call(method === 'PUT' ? path : `${path}/${id}`, {
          method,
          token,
          ...(method === 'PUT' ? { body: { id, description: '改一下' } } : {}),
        })
      ).status,
    ).toBe(status);
  });

  test('membership decides at once what somebody sees, and open consoles hear of it', async () => {
    let heard = 0;
    const stop = app.bus.subscribe('rights.changed', () => {
      heard += 1;
    });
    const { accountId, token } = await app.signIn({ username: 'joiner', permissions: ['cscp.wg.query'] });
    const seen = async () => (await list('size=1', { token })).recordsTotal > 0;
    const before = await seen();
    const id = await make({ userDetail: [{ userId: accountId }] });
    const during = await seen();
    await put({ id, userDetail: [{ userId: member.accountId }] });
    stop();
    expect([before, during, await seen(), heard]).toEqual([false, true, false, 2]);
  });

  test('every change stands in the operation log with its name', async () => {
    const id = await make();
    await put({ id, description: '改一下' });
    await app.call(`${path}/${id}`, { method: 'DELETE', token: admin });
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['message', 'status'])
      .where('uri', 'like', `%${path}%`)
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(rows.map(({ message }) => message)).toEqual(['workGroup.delete', 'workGroup.update', 'workGroup.create']);
  });
});
