import { describe, expect, test } from 'vitest';
import { menuTree } from './testing/menu-tree.ts';

const { app, save, drag, remove, children, everything, added, section } = await menuTree();

describe('dragging (specified 5.5): all or nothing', () => {
  test('order and parent of the nodes sent; only what changed gets a new version', async () => {
    const [from, to] = [await section(), await section()];
    const [a, b, c] = [
      await added({ parentId: from }),
      await added({ parentId: from }),
      await added({ parentId: from }),
    ];
    expect(
      await drag([
        { id: c, parentId: to, orderby: 0 },
        { id: b, parentId: from, orderby: 1 },
        { id: String(a), orderby: 2 },
      ]),
    ).toMatchObject({ status: 200, body: { success: true } });
    expect((await children(from)).data.map(({ id, orderby, version }) => [id, orderby, version])).toEqual([
      [b, 1, 1],
      [a, 2, 2],
    ]);
    expect((await children(to)).data.map(({ id, orderby }) => [id, orderby])).toEqual([[c, 0]]);
  });

  test('each broken rule is 400 and changes nothing, though the rest of the batch is good', async () => {
    const [one, two] = [await section(), await section()];
    const group = await added({ type: 'menu2-sp', parentId: one });
    const inside = await added({ parentId: group });
    const button = await added({ type: 'button', parentId: inside, permissionCode: 'lamp.control' });
    const before = await everything();
    const good = { id: inside, orderby: 7 };
    const bad: [string, object[], number, number][] = [
      ['a first-level node inside another', [{ id: two, parentId: one }], 400, 3303],
      ['another node to the top level', [{ id: group, parentId: 0 }], 400, 3303],
      ['the top level as null', [{ id: group, parentId: null }], 400, 3303],
      ['a node below itself', [{ id: group, parentId: group }], 400, 3301],
      ['a node below its descendant', [{ id: group, parentId: inside }], 400, 3301],
      [
        'two below each other',
        [
          { id: one, parentId: two },
          { id: two, parentId: one },
        ],
        400,
        3301,
      ],
      ['a missing parent', [{ id: group, parentId: 999_999 }], 400, 3302],
      ['a button below a group', [{ id: button, parentId: group }], 400, 3306],
      ['an unknown node', [{ id: 999_999, orderby: 1 }], 404, 1301],
      [
        'a node twice',
        [
          { id: group, orderby: 1 },
          { id: group, orderby: 2 },
        ],
        400,
        1001,
      ],
      ['a negative order', [{ id: group, orderby: -1 }], 400, 1001],
    ];
    for (const [name, nodes, status, code] of bad) {
      expect(await drag([good, ...nodes]), name).toMatchObject({ status, body: { code } });
      expect(await everything(), name).toEqual(before);
    }
    expect(await save({ id: two, parentId: one }), 'the same rules by the dialog').toMatchObject({
      status: 400,
      body: { code: 3303 },
    });
    expect(await drag([])).toMatchObject({ status: 400 });
  });

  test('two administrators drag two groups into each other’s at once: one is refused', async () => {
    const top = await section();
    const [a, b] = [await added({ parentId: top, type: 'menu2' }), await added({ parentId: top, type: 'menu2' })];
    await app.db.updateTable('menu_entry').set({ type: 'non-menu' }).where('id', 'in', [a, b]).execute();
    await app.db.updateTable('menu_entry').set({ type: 'menu2' }).where('id', 'in', [a]).execute();
    const replies = await Promise.all([drag([{ id: b, parentId: a }]), drag([{ id: a, parentId: b }])]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      (await app.db.selectFrom('menu_entry').select('parent_id').where('id', 'in', [a, b]).execute()).filter(
        ({ parent_id: parent }) => parent === top,
      ),
    ).toHaveLength(1);
  });
});

describe('deleting, and the way back', () => {
  test('a node goes with all its descendants and with what roles held of them', async () => {
    const top = await section();
    const inside = await added({ parentId: top });
    await added({ type: 'button', parentId: inside, permissionCode: 'lamp.control' });
    const role = await app.role('Loses', [top, inside]);
    expect(await remove(top)).toMatchObject({ status: 200, body: { success: true, msg: '删除成功！' } });
    expect(await app.db.selectFrom('menu_entry').select('id').where('id', 'in', [top, inside]).execute()).toEqual([]);
    expect(await app.holds(role)).toEqual([]);
    expect((await remove(top)).status).toBe(404);
  });

  test('the menu configuration’s own entry stays: not deleted, renamed, recoded, made a button, nor lost with its section', async () => {
    const id = app.menu('async-routes-config');
    const before = await everything();
    for (const reply of [
      await remove(id),
      await remove(app.menu('system')),
      await save({ id, name: 'other' }),
      await save({ id, permissionCode: 'lamp.control' }),
      await save({ id, permissionCode: null }),
      await save({ id, type: 'button' }),
      await save({ id, type: 'menu2-sp' }),
    ])
      expect(reply).toMatchObject({ status: 400, body: { code: 3305 } });
    expect(await everything()).toEqual(before);
    expect((await save({ id, title: '菜单' })).status).toBe(200);
    expect((await drag([{ id, parentId: app.menu('lamp'), orderby: 9 }])).status).toBe(200);
    expect((await remove(app.menu('system'))).status).toBe(200);
  });
});
