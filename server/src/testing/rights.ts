import { createMenuConfiguration, menuConfigurationRoutes } from '../people/menus/index.ts';
import { createRoles, rolesRoutes } from '../people/roles/index.ts';
import { testApp, type CallOptions, type Reply, type TestApp, type TestAppOptions } from './app.ts';

export interface RightsTestApp extends TestApp {
  /** The id of a built-in menu entry by its name. */
  menu(name: string): number;
  menus(...names: string[]): number[];
  /** A role that holds exactly these entries (no ancestors added). */
  role(name: string, holds: readonly number[], parentId?: number): Promise<number>;
  /** An account with exactly these roles; returns its token. */
  account(username: string, level: number, roleIds: readonly number[]): Promise<string>;
  /** What a role holds now, as names in order. */
  holds(roleId: number): Promise<string[]>;
  /** A form-encoded call, as the specification wants two of them. */
  form<T = Record<string, unknown>>(
    path: string,
    fields: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Reply<T>>;
}

/** An app with roles and menu configuration. */
export async function rightsTestApp(options: TestAppOptions = {}): Promise<RightsTestApp> {
  const app = await testApp({
    ...options,
    routes: async (parts) => [
      ...rolesRoutes(createRoles(parts)),
      ...menuConfigurationRoutes(createMenuConfiguration(parts)),
      ...((await options.routes?.(parts)) ?? []),
    ],
  });
  const ids = new Map(
    (await app.db.selectFrom('menu_entry').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
  );
  const menu = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`there is no menu entry ${name}`);
    return id;
  };
  return {
    ...app,
    menu,
    menus: (...names) => names.map(menu),
    async role(name, holds, parentId = 0) {
      const { id } = await app.db
        .insertInto('role')
        .values({ name, name_key: name.toLowerCase(), extent: '-', creator_name: 'test', parent_id: parentId })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (holds.length > 0)
        await app.db
          .insertInto('role_menu')
          .values(holds.map((menuId) => ({ role_id: id, menu_id: menuId })))
          .execute();
      return id;
    },
    async account(username, level, roleIds) {
      const { id } = await app.db
        .insertInto('account')
        .values({
          username,
          name_key: username.toLowerCase(),
          level,
          password_hash: '-',
          password_changed_at: new Date(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (roleIds.length > 0)
        await app.db
          .insertInto('account_role')
          .values(roleIds.map((roleId) => ({ account_id: id, role_id: roleId })))
          .execute();
      return app.sessions.begin({ accountId: id, remember: true, address: '127.0.0.1', userAgent: 'test' });
    },
    async holds(roleId) {
      const rows = await app.db
        .selectFrom('role_menu')
        .innerJoin('menu_entry', 'menu_entry.id', 'role_menu.menu_id')
        .select('menu_entry.name')
        .where('role_id', '=', roleId)
        .orderBy('menu_entry.name')
        .execute();
      return rows.map(({ name }) => name);
    },
    form: (path, fields, call = {}) =>
      app.call(path, {
        method: 'POST',
        ...call,
        body: new URLSearchParams(fields).toString(),
        headers: { ...call.headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
  };
}
