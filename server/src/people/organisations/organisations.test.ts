import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { testApp } from '../../testing/app.ts';
import { createOrganisations, organisationsRoutes } from './index.ts';

const app = await testApp({ routes: (parts) => organisationsRoutes(createOrganisations(parts)) });
const paths = {
  all: '/api/system/cscpOrgs/all',
  save: '/api/system/cscpOrgs/save',
  move: '/api/system/cscpOrgs/updateOrg',
  remove: '/api/system/cscpOrgs/delCscpOrg',
};
const { token } = await app.signIn({
  username: 'orgadmin',
  level: 0,
  permissions: ['cscp.org.query', 'cscp.org.edit'],
});
const zhang = await app.signIn({ username: 'zhang' });
const li = await app.signIn({ username: 'li' });
await app.db
  .updateTable('account')
  .set({ family_name: '张', given_name: '三' })
  .where('id', '=', zhang.accountId)
  .execute();
const areaId = async (name: string): Promise<number> =>
  (
    await app.db
      .insertInto('work_area')
      .values({ work_code: name, work_name: name })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const groupId = async (area: number, name = '巡检组'): Promise<number> =>
  (await app.db.insertInto('work_group').values({ work_area_id: area, name }).returning('id').executeTakeFirstOrThrow())
    .id;
const north = await areaId('北区');
const south = await areaId('南区');
const northGroup = await groupId(north, '北巡组');
const southGroup = await groupId(south, '南巡组');

interface Node {
  id: number;
  orgName: string;
  description: string | null;
  parentId: number;
  orderby: number;
  version: number;
  hasChildren: boolean;
  people: number;
  groups: number;
}
interface Level {
  cscpOrgDTOs: Node[];
  cscpUserOrgDTOs: Record<string, unknown>[];
  cscpWorkGroupOrgDTOs: Record<string, unknown>[];
}
interface Problem {
  title: string;
  params: { field: string; rule: string }[];
  id: number;
  msg: string;
}
const level = async (parentId: number | string, as = token): Promise<Level> =>
  (await app.call<Level>(`${paths.all}?parentId=${parentId}`, { token: as })).body;
const save = (node: object, links: object = {}, as = token) =>
  app.call<Problem>(paths.save, { body: { cscpOrgDTOs: [node], ...links }, token: as });
const move = (nodes: readonly object[], as = token) => app.call<Problem>(paths.move, { body: nodes, token: as });
const make = async (parentId = 0, orderby = 0, name = '某某组织'): Promise<number> =>
  (await save({ id: null, orgName: name, parentId, orderby })).body.id;
const node = async (id: number, parentId: number) => (await level(parentId)).cscpOrgDTOs.find((one) => one.id === id);
const places = async () =>
  (await app.db.selectFrom('organisation').select(['id', 'parent_id', 'sort_order']).orderBy('id').execute()).map(
    (row) => Object.values(row).join(),
  );

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

describe('dragging (specified 7.4): all or nothing', () => {
  test('order and parents of what was sent are stored', async () => {
    const parent = await make();
    const [a, b, c] = [await make(parent, 1), await make(parent, 2), await make(parent, 3)];
    const reply = await move([
      { id: a, parentId: parent, orderby: 3 },
      { id: c, parentId: b, orderby: 0 },
      { id: String(b), orderby: '1' },
    ]);
    expect([reply.status, reply.body]).toEqual([200, { success: true, msg: '更新节点成功！' }]);
    expect((await level(parent)).cscpOrgDTOs.map(({ id, orderby }) => [id, orderby])).toEqual([
      [b, 1],
      [a, 3],
    ]);
    expect(await node(c, b)).toMatchObject({ parentId: b, orderby: 0, version: 2 });
  });

  test('two may change places, one within the other', async () => {
    const outer = await make();
    const inner = await make(outer);
    expect(
      (
        await move([
          { id: inner, parentId: 0, orderby: 1 },
          { id: outer, parentId: inner, orderby: 0 },
        ])
      ).status,
    ).toBe(200);
    expect((await node(outer, inner))?.parentId).toBe(inner);
  });

  test.each([
    ['below its own child', (a: number, b: number) => [{ id: a, parentId: b }]],
    ['below itself', (a: number) => [{ id: a, parentId: a }]],
    [
      'below one that does not exist',
      (a: number, b: number) => [
        { id: b, orderby: 9 },
        { id: a, parentId: 999_999 },
      ],
    ],
    ['beside the root', (a: number) => [{ id: a, parentId: -1 }]],
    ['the root itself', (a: number) => [{ id: 0, parentId: a }]],
    [
      'the same node twice',
      (a: number) => [
        { id: a, orderby: 1 },
        { id: a, orderby: 2 },
      ],
    ],
    ['nothing', () => []],
    ['an order that is none', (a: number) => [{ id: a, orderby: -1 }]],
  ])('%s: refused, and nothing changed', async (_what, nodes) => {
    const outer = await make();
    const inner = await make(outer);
    const before = await places();
    expect((await move([...nodes(outer, inner)])).status).toBe(400);
    expect(await places()).toEqual(before);
  });

  test('a batch that is half wrong changes nothing', async () => {
    const [a, b] = [await make(0, 5), await make(0, 6)];
    expect(
      (
        await move([
          { id: a, orderby: 7 },
          { id: 999_999, orderby: 1 },
        ])
      ).status,
    ).toBe(404);
    expect([(await node(a, 0))?.orderby, (await node(b, 0))?.orderby]).toEqual([5, 6]);
  });

  test('two operators who drag into each other at once: one succeeds, the other is told, the tree stays a tree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make(), await make()];
      const statuses = (
        await Promise.all([move([{ id: a, parentId: b, orderby: 0 }]), move([{ id: b, parentId: a, orderby: 0 }])])
      ).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 400]);
      expect([await node(a, 0), await node(b, 0)].filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('a drop that says its versions was made on one picture of the tree', () => {
  const family = async () => {
    const parent = await make();
    const ids = [await make(parent, 1), await make(parent, 2), await make(parent, 3)] as const;
    return {
      parent,
      ids,
      orders: async () => (await level(parent)).cscpOrgDTOs.map(({ id, orderby }) => [id, orderby]),
    };
  };

  test('it is stored while the picture holds, and an alone one gets 0', async () => {
    const {
      parent,
      ids: [a, b, c],
      orders,
    } = await family();
    expect(
      (
        await move([
          { id: c, parentId: parent, orderby: 1, ifVersion: 1 },
          { id: a, parentId: parent, orderby: 2, ifVersion: 1 },
          { id: b, parentId: parent, orderby: 3, ifVersion: 1 },
        ])
      ).status,
    ).toBe(200);
    expect(await orders()).toEqual([
      [c, 1],
      [a, 2],
      [b, 3],
    ]);
    expect((await move([{ id: b, parentId: a, orderby: 0, ifVersion: 2 }])).status).toBe(200);
  });

  test.each([
    [
      'a node of it was changed',
      ({ ids: [a] }: Awaited<ReturnType<typeof family>>) => save({ id: a, orgName: '改名组织' }),
    ],
    [
      'its siblings were reordered',
      ({ ids: [a, b] }: Awaited<ReturnType<typeof family>>) =>
        move([
          { id: b, orderby: 1 },
          { id: a, orderby: 2 },
        ]),
    ],
    [
      'a sibling was taken away',
      ({ ids: [, , c] }: Awaited<ReturnType<typeof family>>) => move([{ id: c, parentId: 0, orderby: 9 }]),
    ],
    [
      'a sibling was added',
      ({ parent }: Awaited<ReturnType<typeof family>>) => save({ id: null, orgName: '新来组织', parentId: parent }),
    ],
  ])('refused as changed meanwhile, and nothing changes, when %s', async (_what, meanwhile) => {
    const made = await family();
    const guest = await make(0, 50);
    const nodes = [
      { id: guest, parentId: made.parent, orderby: 1, ifVersion: 1 },
      ...made.ids.map((id, at) => ({ id, parentId: made.parent, orderby: at + 2, ifVersion: 1 })),
    ];
    expect((await meanwhile(made)).status).toBe(200);
    const before = await places();
    expect(await move(nodes)).toMatchObject({ status: 409, body: { code: 1401 } });
    expect(await places()).toEqual(before);
  });

  test('into an empty node that is no longer empty: refused', async () => {
    const [parent, guest] = [await make(), await make(0, 60)];
    await make(parent);
    expect((await move([{ id: guest, parentId: parent, orderby: 0, ifVersion: 1 }])).status).toBe(409);
    expect((await node(guest, 0))?.orderby).toBe(60);
  });
});

describe('finding and counting (ours)', () => {
  const find = async (name: string) =>
    (
      await app.call<{ data: { id: number; name: string; path: { name: string }[] }[]; recordsTotal: number }>(
        `/api/v1/organisations?name=${encodeURIComponent(name)}`,
        { token },
      )
    ).body;

  test('by a part of the name, with the way down to it; signs of patterns are letters', async () => {
    const top = await make(0, 0, '城东照明所');
    const below = await make(await make(top, 1, '滨江中队'), 1, '夜班 A_1 组');
    expect(await find('a_1')).toEqual({
      data: [
        {
          id: below,
          name: '夜班 A_1 组',
          path: [
            { id: top, name: '城东照明所' },
            { id: expect.any(Number) as number, name: '滨江中队' },
          ],
        },
      ],
      recordsTotal: 1,
    });
    expect([await find('A%1'), await find('   ')]).toEqual([
      { data: [], recordsTotal: 0 },
      { data: [], recordsTotal: 0 },
    ]);
    expect((await find('城东')).data[0]?.path).toEqual([]);
  });

  test('what lies in one: everybody and every group once, foreign groups not', async () => {
    const top = await make(0, 0, '城西照明所');
    const below = await make(top);
    await save(
      { id: top },
      { cscpUserOrgDTOs: [{ userId: zhang.accountId }], cscpWorkGroupOrgDTOs: [{ groupId: northGroup }] },
    );
    await save(
      { id: below },
      {
        cscpUserOrgDTOs: [{ userId: zhang.accountId }, { userId: li.accountId }],
        cscpWorkGroupOrgDTOs: [{ groupId: northGroup }, { groupId: southGroup }],
      },
    );
    const contents = async (as: string) =>
      (await app.call(`/api/v1/organisations/${top}/contents`, { token: as })).body;
    expect(await contents(token)).toEqual({ id: top, name: '城西照明所', descendants: 1, people: 2, groups: 2 });
    const northern = await app.signIn({ username: 'north3', permissions: ['cscp.org.query'], workAreas: [north] });
    expect(await contents(northern.token)).toMatchObject({ people: 2, groups: 1 });
    expect((await app.call('/api/v1/organisations/999999/contents', { token })).status).toBe(404);
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

describe('rights and data scope (specified 7.8)', () => {
  test('its people see the areas of its groups and of everything below, at once', async () => {
    const seer = await app.signIn({ username: 'seer' });
    const areas = async () => (await app.sessions.authenticate(seer.token, { background: true }))?.workAreas;
    let heard = 0;
    const stop = app.bus.subscribe('rights.changed', () => {
      heard += 1;
    });
    const top = await make();
    const below = await make(top);
    await save({ id: below }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }] });
    await save({ id: top }, { cscpUserOrgDTOs: [{ userId: seer.accountId }] });
    const before = await areas();
    await move([{ id: below, parentId: 0, orderby: 1 }]);
    stop();
    expect([before, await areas(), heard]).toEqual([[south], [], 5]);
  });

  test('who sees one area gives nobody another one: no foreign group, nobody above one, no branch with one elsewhere', async () => {
    const northern = await app.signIn({
      username: 'northern',
      level: 3,
      permissions: ['cscp.org.query', 'cscp.org.edit'],
      workAreas: [north],
    });
    const withSouth = await make();
    await save({ id: withSouth }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }, { groupId: northGroup }] });
    const plain = await make();
    const statuses = [
      (await save({ id: plain }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }] }, northern.token)).status,
      (await save({ id: withSouth }, { cscpUserOrgDTOs: [{ userId: northern.accountId }] }, northern.token)).status,
      (await move([{ id: withSouth, parentId: plain, orderby: 0 }], northern.token)).status,
      (await save({ id: withSouth, parentId: plain }, {}, northern.token)).status,
    ];
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await move([{ id: withSouth, orderby: 4 }], northern.token)).status).toBe(200);
  });

  test('foreign groups are not told, not counted, and stay when the others are replaced', async () => {
    const northern = await app.signIn({
      username: 'north2',
      level: 3,
      permissions: ['cscp.org.query', 'cscp.org.edit'],
      workAreas: [north],
    });
    const id = await make();
    await save({ id }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }, { groupId: northGroup }] });
    const seen = await level(0, northern.token);
    expect(seen.cscpWorkGroupOrgDTOs.filter((link) => link['orgId'] === id)).toEqual([
      { groupId: northGroup, orgId: id, groupName: '北巡组' },
    ]);
    expect(seen.cscpOrgDTOs.find((one) => one.id === id)?.groups).toBe(1);
    expect((await save({ id }, { cscpWorkGroupOrgDTOs: [] }, northern.token)).status).toBe(200);
    expect(
      (await level(0)).cscpWorkGroupOrgDTOs.filter((link) => link['orgId'] === id).map((link) => link['groupId']),
    ).toEqual([southGroup]);
  });

  test('looking needs org.query or org.edit, changing org.edit', async () => {
    const looker = await app.signIn({ username: 'looker', permissions: ['cscp.org.query'] });
    expect((await app.call(paths.all, { token: looker.token })).status).toBe(200);
    expect((await save({ orgName: '照明部' }, {}, looker.token)).status).toBe(403);
  });

  test('every change stands in the operation log with its name', async () => {
    const id = await make();
    await save({ id, orgName: '改名组织' });
    await move([{ id, orderby: 8 }]);
    await app.call(paths.remove, { method: 'DELETE', token, body: { cscpOrgDTOs: [{ id }] } });
    const rows = await app.db.selectFrom('operation_log').select('message').orderBy('id', 'desc').limit(4).execute();
    expect(rows.map(({ message }) => message)).toEqual([
      'organisation.delete',
      'organisation.move',
      'organisation.update',
      'organisation.create',
    ]);
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
