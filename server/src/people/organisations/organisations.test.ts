import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { organisationsOffice, type Problem } from './testing/organisations.ts';

const { app, paths, token, zhang, li, northGroup, level, save, move, make, node, places } = await organisationsOffice();

describe('one level of the tree (specified 7.5)', () => {
  test('a new node: sibling order 0, empty parent is the root and comes back as 0, links carry no organisation yet', async () => {
    const saved = await app.call<{ id: number }>(paths.save, {
      token,
      body: {
        cscpOrgDTOs: { id: null, orgName: ' 照明一部 ', description: '', parentId: null },
        cscpUserOrgDTOs: [{ userId: String(zhang.accountId), orgId: null }],
        cscpWorkGroupOrgDTOs: [{ groupId: northGroup, orgId: null }],
      },
    });
    const { id } = saved.body;
    expect([saved.status, saved.body]).toEqual([200, { id }]);
    const { cscpOrgDTOs, cscpUserOrgDTOs, cscpWorkGroupOrgDTOs } = await level('null');
    expect(cscpOrgDTOs.find((one) => one.id === id)).toEqual({
      id,
      orgName: '照明一部',
      description: null,
      parentId: 0,
      orderby: 0,
      version: 1,
      hasChildren: false,
      people: 1,
      groups: 1,
    });
    expect(cscpUserOrgDTOs).toContainEqual({
      userId: zhang.accountId,
      orgId: id,
      username: 'zhang',
      familyName: '张',
      name: '三',
    });
    expect(cscpWorkGroupOrgDTOs).toContainEqual({ groupId: northGroup, orgId: id, groupName: '北巡组' });
  });

  test('siblings in order; link rows only of this level; an empty level has three empty arrays; an unknown one is none', async () => {
    const parent = await make();
    const [b, a] = [await make(parent, 2), await make(parent, 1)];
    await save({ id: a }, { cscpUserOrgDTOs: [{ userId: zhang.accountId, orgId: a }], cscpWorkGroupOrgDTOs: [] });
    await save({ id: await make(a) }, { cscpUserOrgDTOs: [{ userId: li.accountId }] });
    const found = await level(parent);
    expect(found.cscpOrgDTOs.map(({ id, hasChildren }) => [id, hasChildren])).toEqual([
      [a, true],
      [b, false],
    ]);
    expect(found.cscpUserOrgDTOs.map((link) => link['orgId'])).toEqual([a]);
    expect(await level(b)).toEqual({ cscpOrgDTOs: [], cscpUserOrgDTOs: [], cscpWorkGroupOrgDTOs: [] });
    expect((await app.call(`${paths.all}?parentId=999999`, { token })).status).toBe(404);
  });
});

describe('saving one organisation', () => {
  test('fields and links that are absent stay, links that are sent are replaced', async () => {
    const id = await make();
    await save(
      { id, description: '夜间照明' },
      {
        cscpUserOrgDTOs: [{ userId: zhang.accountId, orgId: id }],
        cscpWorkGroupOrgDTOs: [{ groupId: northGroup, orgId: id }],
      },
    );
    await save({ id, orgName: '改名组织' });
    expect(await node(id, 0)).toMatchObject({
      orgName: '改名组织',
      description: '夜间照明',
      people: 1,
      groups: 1,
      version: 3,
    });
    await save(
      { id, description: null },
      { cscpUserOrgDTOs: [{ userId: li.accountId, orgId: id }], cscpWorkGroupOrgDTOs: [] },
    );
    expect(await node(id, 0)).toMatchObject({ description: null, people: 1, groups: 0 });
    expect(
      (await level(0)).cscpUserOrgDTOs.filter((link) => link['orgId'] === id).map((link) => link['userId']),
    ).toEqual([li.accountId]);
  });

  test('an old version is a conflict, an unknown organisation unknown', async () => {
    const id = await make();
    await save({ id, orgName: '第一次改', ifVersion: 1 });
    expect([
      (await save({ id, orgName: '第二次改', ifVersion: 1 })).status,
      (await save({ id: 999_999, orgName: '没有此组织' })).status,
    ]).toEqual([409, 404]);
    expect((await node(id, 0))?.orgName).toBe('第一次改');
  });

  test('a client that sends back whole nodes as it once read them is never refused for their age', async () => {
    const id = await make();
    const seen = await node(id, 0);
    expect([
      (await save({ ...seen, orgName: '第一次改' })).status,
      (await save({ ...seen, orgName: '第二次改' })).status,
    ]).toEqual([200, 200]);
    expect((await move([{ ...seen, orderby: 7 }])).status).toBe(200);
    expect(await node(id, 0)).toMatchObject({ orgName: '第二次改', orderby: 7 });
  });

  test.each([
    ['no name', { orgName: ' ' }, {}, 'orgName', 'required', '请填写组织名称'],
    ['a name of two', { orgName: '照明' }, {}, 'orgName', 'minLength', '组织名称长度在 3 到 10 个字符'],
    [
      'a name of eleven',
      { orgName: '一二三四五六七八九十一' },
      {},
      'orgName',
      'maxLength',
      '组织名称长度在 3 到 10 个字符',
    ],
    [
      'a description of two',
      { orgName: '照明部', description: '短短' },
      {},
      'description',
      'minLength',
      '组织描述长度在 3 到 18 个字符',
    ],
    [
      'a description of nineteen',
      { orgName: '照明部', description: '一'.repeat(19) },
      {},
      'description',
      'maxLength',
      '组织描述长度在 3 到 18 个字符',
    ],
    [
      'somebody who does not exist',
      { orgName: '照明部' },
      { cscpUserOrgDTOs: [{ userId: 999_999 }] },
      'cscpUserOrgDTOs.0.userId',
      'notFound',
      '所选人员不存在',
    ],
    [
      'a group that does not exist',
      { orgName: '照明部' },
      { cscpWorkGroupOrgDTOs: [{ groupId: 999_999 }] },
      'cscpWorkGroupOrgDTOs.0.groupId',
      'notFound',
      '所选工作组不存在',
    ],
    [
      'links of another one',
      { orgName: '照明部' },
      { cscpUserOrgDTOs: [{ userId: 1, orgId: 77_777 }] },
      'cscpUserOrgDTOs.0.orgId',
      'invalid',
      '一次只能保存一个组织的关联',
    ],
    [
      'a parent that does not exist',
      { orgName: '照明部', parentId: 999_999 },
      {},
      'parentId',
      'notFound',
      '上级组织节点不存在',
    ],
  ])(
    '%s is refused by its field, and nothing is stored (specified 7.3)',
    async (_what, wrong, links, field, rule, title) => {
      const before = await places();
      const { status, body } = await save({ id: null, ...wrong }, links);
      expect([status, body.title, body.params.map((one) => [one.field, one.rule])]).toEqual([
        400,
        title,
        [[field, rule]],
      ]);
      expect(await places()).toEqual(before);
    },
  );

  test('two organisations at once, or none, are none', async () => {
    const bodies = [{ cscpOrgDTOs: [{ orgName: '照明部' }, { orgName: '道路部' }] }, { cscpOrgDTOs: [] }, {}];
    expect(await Promise.all(bodies.map(async (body) => (await app.call(paths.save, { body, token })).status))).toEqual(
      [400, 400, 400],
    );
  });

  test('the words come in the caller’s language', async () => {
    const titles = await Promise.all(
      languages.map(
        async (language) =>
          (
            await app.call<Problem>(paths.save, {
              token,
              body: { cscpOrgDTOs: [{ orgName: 'ab' }] },
              headers: { 'accept-language': language },
            })
          ).body.title,
      ),
    );
    expect(new Set(titles).size).toBe(languages.length);
  });
});

describe('deleting', () => {
  test('goes with everything below it, and its links', async () => {
    const top = await make();
    const below = await make(await make(top));
    await save({ id: below }, { cscpUserOrgDTOs: [{ userId: zhang.accountId }] });
    const reply = await app.call<Problem>(paths.remove, {
      method: 'DELETE',
      token,
      body: { cscpOrgDTOs: [{ id: top }] },
    });
    expect([reply.status, reply.body]).toEqual([200, { success: true, msg: '删除成功！' }]);
    expect((await places()).some((place) => [top, below].includes(Number(place.split(',')[0])))).toBe(false);
    expect(
      await app.db.selectFrom('organisation_account').selectAll().where('organisation_id', '=', below).execute(),
    ).toEqual([]);
  });

  test('several at once, parent and child among them, as nodes or as ids; one unknown deletes none', async () => {
    const top = await make();
    const ids = [top, await make(top), await make()];
    const remove = async (cscpOrgDTOs: unknown) =>
      (await app.call(paths.remove, { method: 'DELETE', token, body: { cscpOrgDTOs } })).status;
    expect(await remove([...ids, 999_999])).toBe(404);
    expect(await remove([...ids, '0'])).toBe(400);
    expect(await remove(ids)).toBe(200);
    expect(await remove({ id: top })).toBe(404);
  });
});

test('a level of 5,000 with people and groups is told by the same three queries', async () => {
  const top = await make();
  await app.db
    .insertInto('organisation')
    .values(Array.from({ length: 5000 }, (_, at) => ({ name: `组织${at}`, parent_id: top, sort_order: at })))
    .execute();
  await app.database.pool.query(
    'INSERT INTO organisation_account SELECT id, $2 FROM organisation WHERE parent_id = $1',
    [top, li.accountId],
  );
  const found = await level(top);
  expect([found.cscpOrgDTOs.length, found.cscpUserOrgDTOs.length, found.cscpOrgDTOs[4999]?.people]).toEqual([
    5000, 5000, 1,
  ]);
});
