import { sql, type RawBuilder } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly icon: string;
  readonly extent: string;
  /** 0: no parent, no bound. */
  readonly parentId: number;
  /** Kept when the account is gone. */
  readonly creatorName: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = sql`r.id, r.name, r.icon, r.extent, r.parent_id AS "parentId", r.creator_name AS "creatorName", r.version, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

export async function findRoles(db: Db | Transaction): Promise<Role[]> {
  const { rows } = await sql<Role>`SELECT ${columns} FROM role r ORDER BY r.id`.execute(db);
  return rows;
}

export interface RolePage {
  readonly nameKey: string;
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
  readonly offset: number;
}

/** One page of the roles whose name contains the key, and how many there are in all. */
export async function findPage(db: Db, page: RolePage): Promise<{ rows: Role[]; total: number }> {
  const matching = sql`FROM role r WHERE strpos(r.name_key, ${page.nameKey}) > 0`;
  const [found, counted] = await Promise.all([
    sql<Role>`SELECT ${columns} ${matching} ORDER BY ${page.order} LIMIT ${page.limit} OFFSET ${page.offset}`.execute(
      db,
    ),
    sql<{ n: number }>`SELECT count(*)::int AS n ${matching}`.execute(db),
  ]);
  return { rows: found.rows, total: counted.rows[0]?.n ?? 0 };
}

const orders: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`r.id`,
  name: sql`r.name_key COLLATE natural_order`,
};

/** The order `id,desc` of a list asks for, out of its allow-list; undefined when it offers no such order. */
export function orderOf(text: string): RawBuilder<unknown> | undefined {
  const [key = '', direction = 'asc', ...rest] = text.split(',').map((part) => part.trim().toLowerCase());
  const order = Object.hasOwn(orders, key) ? orders[key] : undefined;
  if (!order || rest.length > 0 || !['asc', 'desc'].includes(direction)) return undefined;
  return direction === 'asc' ? sql`${order}, r.id` : sql`${order} DESC, r.id`;
}

export async function findHeldRoles(db: Db | Transaction, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('account_role')
    .select('role_id')
    .where('account_id', '=', accountId)
    .orderBy('role_id')
    .execute();
  return rows.map((row) => row.role_id);
}

/** The entries a role holds. */
export async function findMenusOf(db: Db | Transaction, roleId: number): Promise<Set<number>> {
  const rows = await db.selectFrom('role_menu').select('menu_id').where('role_id', '=', roleId).execute();
  return new Set(rows.map((row) => row.menu_id));
}

/** What these roles hold, by role. */
export async function findMenusOfAll(
  db: Db | Transaction,
  roleIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const rows =
    roleIds.length === 0
      ? []
      : await db.selectFrom('role_menu').select(['role_id', 'menu_id']).where('role_id', 'in', roleIds).execute();
  const found = new Map(roleIds.map((id) => [id, new Set<number>()]));
  for (const row of rows) found.get(row.role_id)?.add(row.menu_id);
  return found;
}

export async function countUsers(db: Db | Transaction, roleId: number): Promise<number> {
  const { n } = await db
    .selectFrom('account_role')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow();
  return n;
}

export interface RoleSummary {
  readonly id: number;
  readonly users: number;
  readonly pages: number;
  readonly operations: number;
}
/**
 * Every role with the number of its accounts, pages and operations. A page is an entry of the menu with a screen: no
 * section, no form. An operation has a code of its own: the right to see a page is none (decision 6).
 */
export async function summarise(db: Db): Promise<RoleSummary[]> {
  const { rows } = await sql<RoleSummary>`SELECT r.id, coalesce(u.n, 0) AS users, coalesce(m.pages, 0) AS pages,
      coalesce(m.operations, 0) AS operations
    FROM role r
    LEFT JOIN (SELECT role_id, count(*)::int AS n FROM account_role GROUP BY role_id) u ON u.role_id = r.id
    LEFT JOIN (SELECT h.role_id, (count(*) FILTER (WHERE e.type IN ('menu1', 'menu2') AND e.component <> 'layout'))::int AS pages,
        (count(*) FILTER (WHERE e.type = 'button' AND e.permission_code IS DISTINCT FROM p.permission_code))::int AS operations
      FROM role_menu h JOIN menu_entry e ON e.id = h.menu_id LEFT JOIN menu_entry p ON p.id = e.parent_id
      GROUP BY h.role_id) m ON m.role_id = r.id
    ORDER BY r.id`.execute(db);
  return rows;
}

export interface RoleFields {
  readonly name: string;
  readonly nameKey: string;
  readonly icon: string;
  readonly extent: string;
  readonly parentId: number;
}

const storedFields = (fields: RoleFields) => ({
  name: fields.name,
  name_key: fields.nameKey,
  icon: fields.icon,
  extent: fields.extent,
  parent_id: fields.parentId,
});

export async function insertRole(
  tx: Transaction,
  fields: RoleFields,
  creator: { readonly accountId: number; readonly username: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('role')
    .values({ ...storedFields(fields), creator_id: creator.accountId, creator_name: creator.username })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRole(tx: Transaction, id: number, fields: RoleFields): Promise<void> {
  await tx.updateTable('role').set(storedFields(fields)).where('id', '=', id).execute();
}

/** Marks changed roles: edits of an older version fail. */
export async function markChanged(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`UPDATE role SET version = version + 1, updated_at = now()
    WHERE id = ANY(${ids as number[]}::bigint[])`.execute(tx);
}

/** Makes a role hold exactly these entries. */
export async function replaceMenus(tx: Transaction, roleId: number, menuIds: readonly number[]): Promise<void> {
  const ids = menuIds as number[];
  await sql`DELETE FROM role_menu WHERE role_id = ${roleId} AND NOT menu_id = ANY(${ids}::bigint[])`.execute(tx);
  await sql`INSERT INTO role_menu (role_id, menu_id) SELECT ${roleId}::bigint, unnest(${ids}::bigint[])
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** Takes from these roles whatever is not among the entries; returns the roles that lost something. */
export async function narrowRoles(
  tx: Transaction,
  roleIds: readonly number[],
  menuIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`WITH lost AS (
      DELETE FROM role_menu WHERE role_id = ANY(${roleIds as number[]}::bigint[])
        AND NOT menu_id = ANY(${menuIds as number[]}::bigint[]) RETURNING role_id
    ) SELECT DISTINCT role_id AS id FROM lost`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Waits for transactions that are granting the role, and blocks further grants. */
export async function lockRole(tx: Transaction, id: number): Promise<void> {
  await sql`SELECT 1 FROM role WHERE id = ${id} FOR UPDATE`.execute(tx);
}

/** Deletes a role; the roles below it come below its own parent, whose menus bound theirs too. */
export async function deleteRole(tx: Transaction, role: Role): Promise<void> {
  await tx
    .updateTable('role')
    .set((row) => ({ parent_id: role.parentId, version: row('version', '+', 1) }))
    .where('parent_id', '=', role.id)
    .execute();
  await tx.deleteFrom('role').where('id', '=', role.id).execute();
}
