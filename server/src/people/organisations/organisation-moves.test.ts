import { describe, expect, test } from 'vitest';
import { organisationsOffice } from './testing/organisations.ts';

const { level, save, move, make, node, places } = await organisationsOffice();

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
