import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { permissions } from '../../../../contract/permissions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getMenus } from '../../../../contract/specified/account.ts';
import { wingMenus } from '../../menu.ts';
import { readMigrations } from '../../platform/db/index.ts';
import { testApp } from '../../testing/app.ts';
import { prepareInstallation, type MenuSeed } from '../installation/index.ts';
import { builtInMenu, inSection } from './index.ts';

const app = await testApp();
type Menus = ReplyOf<typeof getMenus>;
const menusOf = async (token: string) => (await app.call<Menus>('/api/user/cscpMenus', { token })).body;
const all = (entries: readonly MenuSeed[]): MenuSeed[] =>
  entries.flatMap((entry) => [entry, ...all(entry.children ?? [])]);

describe('the declared menu', () => {
  const entries = all(builtInMenu(wingMenus, { demo: true }));

  test('names are unique, codes are declared, every page says its code and has a view button with it first', () => {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const entry of entries) {
      if (entry.permissionCode !== undefined) expect(permissions).toContain(entry.permissionCode);
      if (entry.type !== 'menu2') continue;
      // The specification's own pages go by their name, at an address below their section.
      expect(entry).toMatchObject({
        url: entry.component === entry.name ? `/system/${entry.name}` : `/${entry.component}`,
        language: entry.component,
      });
      expect(entry.children?.[0]).toMatchObject({
        type: 'button',
        title: '查看',
        permissionCode: entry.permissionCode,
      });
    }
  });

  test('sections and what they hold stand in their order, whichever wing declares them', () => {
    const held = (section: string) =>
      builtInMenu(wingMenus, { demo: false })
        .find(({ name }) => name === section)
        ?.children?.map(({ name }) => name) ?? [];
    expect(builtInMenu([...wingMenus].toReversed(), { demo: true })).toEqual(builtInMenu(wingMenus, { demo: true }));
    expect(builtInMenu(wingMenus, { demo: true }).map(({ name }) => name)).toEqual(['lamp', 'pole', 'asset', 'system']);
    for (const [section, order] of [
      ['lamp', 'lamp-monitor lamp-commands lamp-approvals lamp-history lamp-polls lamp-central-controllers'],
      ['pole', 'pole-poles pole-gateways pole-information-screens pole-parking-locks pole-page'],
      [
        'asset',
        'asset-control-boxes asset-map asset-topology asset-statistics asset-connections asset-connect asset-inbox asset-imports asset-work-areas asset-roads asset-loops asset-groups asset-channels asset-dictionaries asset-dictionary-items device-page',
      ],
      [
        'system',
        'user-management role-management workgroup-management organization-management logging-login logging-operation async-routes-config system-command-policy system-login-appearance system-health system-base-maps system-storage',
      ],
    ] as const) {
      const known = order.split(' ');
      expect(held(section).filter((name) => known.includes(name))).toEqual(known);
    }
  });

  test('two parts cannot claim one place', () => {
    const part = () => [inSection('lamp', 1)];
    expect(() => builtInMenu([part, part], { demo: false })).toThrow('place 1 of the section lamp');
  });
});

describe('the menu of an account', () => {
  test('a granted entry brings its ancestors, and they bring no permission', async () => {
    const { accountId, token } = await app.signIn({ username: 'single' });
    const { role_id: roleId } = await app.db
      .selectFrom('account_role')
      .select('role_id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const control = await app.db
      .selectFrom('menu_entry')
      .select('id')
      .where('name', '=', 'lamp-monitor-control')
      .executeTakeFirstOrThrow();
    await app.db.insertInto('role_menu').values({ role_id: roleId, menu_id: control.id }).execute();
    expect((await menusOf(token)).map(({ name, permissionCode }) => [name, permissionCode])).toEqual([
      ['lamp', null],
      ['lamp-monitor', null],
      ['lamp-monitor-control', 'lamp.control'],
    ]);
  });

  test('titles come in the caller’s language where the site gave them, else in Chinese', async () => {
    await app.db
      .updateTable('menu_entry')
      .set({ titles: { 'ko-KR': '도로' } })
      .where('name', '=', 'asset-roads')
      .execute();
    const titleIn = async (language: string) =>
      (await app.call<Menus>('/api/user/cscpMenus', { headers: { 'accept-language': language } })).body.find(
        ({ name }) => name === 'asset-roads',
      )?.title;
    expect([await titleIn('ko-KR'), await titleIn('en-US'), await titleIn('zh-CN')]).toEqual(['도로', '道路', '道路']);
  });

  test('no entry at all: 403 with the message that it has no menu yet', async () => {
    const { token } = await app.signIn({ username: 'nothing' });
    expect(await app.call('/api/user/cscpMenus', { token })).toMatchObject({
      status: 403,
      body: { code: 1204, message: '该账号尚未分配任何菜单，请联系管理员。' },
    });
  });

  test('pages that were seeded with an icon of others get their own; an icon that somebody chose stays', async () => {
    const before = {
      'organization-management': 'layers',
      'system-storage': 'layers',
      'lamp-polls': 'target',
      'asset-imports': 'download',
      'asset-work-areas': 'target',
      'asset-loops': 'plug',
      'asset-channels': 'plug',
      'asset-connect': 'plug',
      'pole-manhole-covers': 'target',
      'asset-roads': 'target',
    };
    const set = (name: string, icon: string) =>
      app.db.updateTable('menu_entry').set({ icon }).where('name', '=', name).execute();
    for (const [name, icon] of Object.entries(before)) await set(name, icon);
    await set('asset-channels', 'star');
    const { sql: text } = readMigrations().find(({ number }) => number === 57) ?? { sql: '' };
    await sql.raw(text).execute(app.db);
    const declared = all(builtInMenu(wingMenus, { demo: true }));
    const iconOf = (name: string) => declared.find((entry) => entry.name === name)?.icon;
    const rows = await app.db
      .selectFrom('menu_entry')
      .select(['name', 'icon'])
      .where('name', 'in', Object.keys(before))
      .execute();
    expect(Object.fromEntries(rows.map(({ name, icon }) => [name, icon]))).toEqual({
      ...Object.fromEntries(Object.keys(before).map((name) => [name, iconOf(name)])),
      'asset-channels': 'star',
      'asset-roads': 'target',
    });
  });

  test('entries of a later version come in; what an administrator deleted or renamed does not come back', async () => {
    await app.db.deleteFrom('menu_entry').where('name', '=', 'asset-groups').execute();
    await app.db.updateTable('menu_entry').set({ title: '路' }).where('name', '=', 'asset-roads').execute();
    const later: MenuSeed = { type: 'menu1', name: 'later', title: '以后', url: '/later', component: 'layout' };
    await prepareInstallation({
      db: app.db,
      dataDir: '/nonexistent',
      adminPassword: null,
      menu: [...builtInMenu(wingMenus, { demo: true }), later],
      hash: (password) => Promise.resolve(password),
      refusal: () => undefined,
    });
    const menus = await menusOf(app.adminToken);
    expect(menus.find(({ name }) => name === 'later')).toMatchObject({ parentId: 0, title: '以后' });
    expect(menus.find(({ name }) => name === 'asset-roads')?.title).toBe('路');
    expect(menus.some(({ name }) => name === 'asset-groups')).toBe(false);
  });
});
