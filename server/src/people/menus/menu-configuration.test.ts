import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { menuTexts } from './texts.ts';
import { menuTree } from './testing/menu-tree.ts';

const { app, save, drag, remove, children, node, page, added, section } = await menuTree();

describe('the tree as it is read (specified 5.7)', () => {
  test('the direct children in order, whether each has children; 0 and nothing are the root; an unknown node is 404', async () => {
    const root = await children();
    expect(root.data.map(({ name }) => name)).toEqual(['lamp', 'pole', 'asset', 'system']);
    expect(root.recordsTotal).toBe(4);
    expect(root.data[0]).toEqual({
      id: app.menu('lamp'),
      parentId: 0,
      type: 'menu1',
      title: '智慧路灯',
      name: 'lamp',
      icon: 'lamp',
      url: '/lamp',
      component: 'layout',
      permissionCode: null,
      orderby: 0,
      language: 'lamp',
      titles: {},
      version: 1,
      hasChildren: true,
    });
    expect(await children(0)).toEqual(root);
    expect((await children(app.menu('lamp-monitor'))).data.map(({ type, hasChildren }) => [type, hasChildren])).toEqual(
      [
        ['button', false],
        ['button', false],
        ['button', false],
        ['button', false],
        ['button', false],
        ['non-menu', false],
        ['non-menu', false],
      ],
    );
    expect((await app.call('/api/system/menu/getMenu?parentId=999999')).status).toBe(404);
  });
});

describe('a node’s own rules', () => {
  const rows: [string, object, string, keyof ReturnType<typeof menuTexts>][] = [
    ['type required (specified 5.4)', { type: null }, 'type', 'typeRequired'],
    ['an unknown type (specified 5.2)', { type: 'menu3' }, 'type', 'typeRequired'],
    ['title required (specified 5.4)', { title: ' ' }, 'title', 'titleRequired'],
    ['name required (specified 5.4)', { name: '' }, 'name', 'nameRequired'],
    ['name without Chinese (specified 5.4)', { name: '路由' }, 'name', 'nameChinese'],
    ['url required (specified 5.4)', { url: undefined }, 'url', 'urlRequired'],
    ['url without Chinese (specified 5.4)', { url: '/路灯' }, 'url', 'urlChinese'],
    ['url without wide signs', { url: '/a，b' }, 'url', 'urlChinese'],
    ['component required (specified 5.4)', { component: null }, 'component', 'componentRequired'],
    ['component without Chinese (specified 5.4)', { component: 'views/灯' }, 'component', 'componentChinese'],
    [
      'a first-level path begins with a slash (specified 5.4)',
      { type: 'menu1', parentId: 0, url: 'lamp' },
      'url',
      'urlSlash',
    ],
    [
      'a button has a permission code (specified 5.3)',
      { type: 'button', permissionCode: '' },
      'permissionCode',
      'codeRequired',
    ],
    [
      'out of the declared list (specified 5.8)',
      { permissionCode: 'cscp.everything', title: '' },
      'permissionCode',
      'codeUnknown',
    ],
  ];
  describe.each(languages)('in %s', (language) => {
    test.each(rows)('%s', async (_name, more, field, text) => {
      const reply = await save(page(more), { headers: { 'accept-language': language } });
      expect(reply.status).toBe(400);
      expect(reply.body.params.find((problem) => problem.field === field)?.message).toBe(menuTexts(language)[text]);
    });
  });

  test('the specification’s words in Chinese', () => {
    const {
      typeRequired,
      titleRequired,
      nameRequired,
      nameChinese,
      urlRequired,
      urlChinese,
      componentRequired,
      componentChinese,
      added: created,
      updated,
      deleted,
    } = menuTexts('zh-CN');
    expect([
      typeRequired,
      titleRequired,
      nameRequired,
      nameChinese,
      urlRequired,
      urlChinese,
      componentRequired,
      componentChinese,
      created,
      updated,
      deleted,
    ]).toEqual([
      '请选择该节点的数据类型',
      '请填写路由标题',
      '请填写路由名',
      '请输入合法的路由名，不能包含中文。',
      '请填写路由访问路径',
      '请输入合法的路由路径，不能包含中文。',
      '请填写路由对应的Vue组件',
      '请输入合法的组件路径，不能包含中文。',
      '添加节点成功！',
      '更新节点成功！',
      '删除成功！',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['everything at once', { id: null }, ['type required', 'title required', 'name required']],
    [
      'every rule of a page at once',
      { type: 'menu1', title: '', name: '名', url: '地址', component: '组件' },
      ['title required', 'name pattern', 'url pattern', 'url pattern', 'component pattern'],
    ],
    [
      'too long',
      page({
        title: '长'.repeat(101),
        name: 'n'.repeat(101),
        url: `/${'u'.repeat(200)}`,
        component: 'c'.repeat(201),
        icon: 'i'.repeat(101),
        language: 'l'.repeat(101),
      }),
      [
        'title maxLength',
        'name maxLength',
        'url maxLength',
        'component maxLength',
        'icon maxLength',
        'language maxLength',
      ],
    ],
    [
      'titles in a language that is none of ours, or too long',
      page({ titles: { 'xx-XX': 'x', 'en-US': 't'.repeat(101) } }),
      ['titles.xx-XX enum', 'titles.en-US maxLength'],
    ],
    ['a name that stands already', page({ name: 'user-management' }), ['name taken']],
    ['a name of a page that needs no entry', page({ name: 'home' }), ['name taken']],
  ])('%s', async (_name, body, problems) => {
    const reply = await save(body);
    expect(reply.status).toBe(400);
    expect(reply.body.params.map(({ field, rule }) => `${field} ${rule}`)).toEqual(problems);
  });

  test('an unknown permission code alone has an error of its own', async () => {
    expect(await save(page({ permissionCode: 'cscp.everything' }))).toMatchObject({
      status: 400,
      body: { code: 3304, params: [{ field: 'permissionCode', rule: 'enum' }] },
    });
  });

  test('a group has neither url nor component; a button has only its code; the icon of a page is the folder', async () => {
    const parentId = await section();
    const group = await added({ type: 'menu2-sp', parentId, permissionCode: null });
    expect(await node(parentId, group)).toMatchObject({ url: null, component: null, icon: 'folder' });
    const inside = await added({ parentId: group });
    const button = await added({ type: 'button', parentId: inside, permissionCode: 'lamp.control' });
    expect(await node(inside, button)).toMatchObject({
      url: null,
      component: null,
      icon: null,
      permissionCode: 'lamp.control',
    });
  });
});

describe('adding and changing', () => {
  test('specified 5.6, 5.7: at the end of its siblings, 0 in an empty parent; the id comes back; the first role holds it', async () => {
    const parentId = await section();
    const [first, second] = [
      await save(page({ parentId: String(parentId) })),
      await save(page({ parentId, orderby: 0 })),
    ];
    expect(first).toMatchObject({ status: 200, body: { success: true, msg: '添加节点成功！' } });
    expect((await children(parentId)).data.map(({ id, orderby }) => [id, orderby])).toEqual([
      [first.body.id, 0],
      [second.body.id, 1],
    ]);
    expect(
      await app.db.selectFrom('role_menu').select('role_id').where('menu_id', '=', first.body.id).execute(),
    ).toEqual([{ role_id: 1 }]);
  });

  test('a page’s “view” button comes to everybody who holds the page; another button only to the first role', async () => {
    const id = await added({ parentId: app.menu('lamp'), permissionCode: 'device.query' });
    const role = await app.role('Page alone', [id]);
    await added({ type: 'button', parentId: id, permissionCode: 'device.query', name: 'page-alone-view' });
    await added({ type: 'button', parentId: id, permissionCode: 'device.del', name: 'page-alone-del' });
    expect(await app.holds(role)).toContain('page-alone-view');
    expect(await app.holds(role)).not.toContain('page-alone-del');
  });

  test('specified 10.8: absent fields stay, null empties; an old version is 409; a 404 after the 400', async () => {
    const parentId = await section();
    const id = await added({
      parentId,
      language: 'key',
      icon: 'lamp',
      titles: { 'en-US': 'Test', 'fr-FR': ' Essai ', 'zh-CN': 'ignored', 'ja-JP': ' ' },
    });
    expect(await save({ id, title: '新标题', language: null, version: 1 })).toMatchObject({
      status: 200,
      body: { msg: '更新节点成功！', id },
    });
    expect(await node(parentId, id)).toMatchObject({
      title: '新标题',
      language: null,
      icon: 'lamp',
      titles: { 'en-US': 'Test', 'fr-FR': 'Essai' },
      version: 2,
    });
    expect(await save({ id, title: '更新', version: 3 })).toMatchObject({ status: 409, body: { code: 1401 } });
    expect((await save({ id: 999_999, title: '更新' })).status).toBe(404);
    expect((await save({ id: 999_999, name: '名' })).status).toBe(400);
  });

  test('specified 10.8: what somebody else changed since is 409, by dialog or drag; one’s own changes are no conflict', async () => {
    const parentId = await section();
    const id = await added({ parentId });
    const other = { token: await app.account('second', 0, [1]) };
    await drag([{ id, orderby: 4 }]);
    expect((await save({ id, title: '一', version: 1 })).status).toBe(200);
    expect(await save({ id, title: '二', version: 1 }, other)).toMatchObject({ status: 409, body: { code: 1401 } });
    expect((await save({ id, title: '二', version: 3 }, other)).status).toBe(200);
    for (const version of [1, 2, 3])
      expect((await save({ id, title: '三', version })).status, `version ${version}`).toBe(409);
    await drag([{ id, orderby: 5 }]);
    expect((await save({ id, title: '三', version: 3 })).status).toBe(409);
    expect((await save({ id, title: '三', version: 4 })).status).toBe(200);
    expect((await node(parentId, id))?.title).toBe('三');
  });

  test('specified 5.2: what may stand below what, for a new node and a new type', async () => {
    const parentId = await section();
    const group = await added({ type: 'menu2-sp', parentId });
    const inside = await added({ parentId: group });
    for (const more of [
      { type: 'button', parentId: group, permissionCode: 'lamp.control' },
      { type: 'menu1', parentId },
      { type: 'menu2', parentId: inside },
      { type: 'menu2', parentId: 0 },
      { type: 'button', parentId: 0, permissionCode: 'lamp.control' },
    ]) {
      expect(await save(page(more)), JSON.stringify(more)).toMatchObject({ status: 400, body: { code: 3306 } });
    }
    expect(await save({ id: group, type: 'menu2', url: '/x', component: 'x' })).toMatchObject({
      status: 400,
      body: { code: 3306 },
    });
    expect(await save({ id: parentId, type: 'button', permissionCode: 'cscp.sr' })).toMatchObject({
      status: 400,
      body: { code: 3306 },
    });
    expect((await node(parentId, group))?.type).toBe('menu2-sp');
    await remove(inside);
    expect((await save({ id: group, type: 'menu2', url: '/x', component: 'x' })).status).toBe(200);
  });

  test('a missing parent is 400', async () => {
    expect(await save(page({ parentId: 999_999 }))).toMatchObject({
      status: 400,
      body: { code: 3302, params: [{ field: 'parentId' }] },
    });
  });
});

describe('who may', () => {
  test('specified 5.1: administrators with the code; a lower rank with it is 403, an administrator without it too', async () => {
    const lower = await app.signIn({ username: 'lower', level: 1, permissions: ['cscp.sr'] });
    const without = await app.signIn({ username: 'without', level: 0, permissions: ['lamp.monitor'] });
    for (const [path, method, body] of [
      ['getMenu?parentId=0', 'GET'],
      ['addMenu', 'PUT', page()],
      ['updateMenu', 'PUT', [{ id: 1 }]],
      ['deleteMenu/1', 'DELETE'],
    ] as const) {
      const call = { method, ...(body ? { body } : {}) };
      expect(await app.call(`/api/system/menu/${path}`, { ...call, token: lower.token }), path).toMatchObject({
        status: 403,
        body: { code: 1211 },
      });
      expect(await app.call(`/api/system/menu/${path}`, { ...call, token: without.token }), path).toMatchObject({
        status: 403,
        body: { code: 1201 },
      });
    }
  });
});
