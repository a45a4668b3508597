import { sql, type RawBuilder } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { MenuEntry } from './menu-tree.ts';

/** An entry with who changed it last, and from which version on. */
export type StoredEntry = MenuEntry & { readonly changedSession: number | null; readonly changedSince: number | null };

/** What is stored of an entry. */
export type MenuFields = Omit<MenuEntry, 'id' | 'version'>;

const columns = sql`m.id, coalesce(m.parent_id, 0) AS "parentId", m.type, m.title, m.titles, m.name, m.icon, m.url,
  m.component,
  m.permission_code AS "permissionCode", m.sort_order AS "sortOrder", m.language, m.version`;

/** Every entry, siblings in order: a few hundred rows. */
export async function findEntries(db: Db | Transaction): Promise<StoredEntry[]> {
  const { rows } =
    await sql<StoredEntry>`SELECT ${columns}, m.changed_session AS "changedSession", m.changed_since AS "changedSince"
      FROM menu_entry m ORDER BY m.sort_order, m.id`.execute(db);
  return rows;
}

/** The direct children of an entry (0: of the root) in order. */
export async function findChildren(db: Db, parentId: number): Promise<(MenuEntry & { hasChildren: boolean })[]> {
  const { rows } = await sql<MenuEntry & { hasChildren: boolean }>`
    SELECT ${columns}, EXISTS (SELECT 1 FROM menu_entry c WHERE c.parent_id = m.id) AS "hasChildren"
    FROM menu_entry m WHERE m.parent_id IS NOT DISTINCT FROM nullif(${parentId}::bigint, 0)
      ORDER BY m.sort_order, m.id`.execute(db);
  return rows;
}

export async function entryExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('menu_entry').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

const valuesOf = (entry: MenuFields): Record<string, RawBuilder<unknown>> => ({
  parent_id: sql`nullif(${entry.parentId}::bigint, 0)`,
  type: sql`${entry.type}`,
  title: sql`${entry.title}`,
  titles: sql`${JSON.stringify(entry.titles)}::jsonb`,
  name: sql`${entry.name}`,
  icon: sql`${entry.icon}`,
  url: sql`${entry.url}`,
  component: sql`${entry.component}`,
  permission_code: sql`${entry.permissionCode}`,
  sort_order: sql`${entry.sortOrder}`,
  language: sql`${entry.language}`,
});

export async function insertEntry(tx: Transaction, entry: MenuFields): Promise<number> {
  const values = valuesOf(entry);
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO menu_entry (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    VALUES (${sql.join(Object.values(values))}) RETURNING id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/** A new version, by this session: a run of its own changes keeps the version it began from. */
const nextVersion = (sessionId: number) => sql`version = m.version + 1, changed_session = ${sessionId}::bigint,
  changed_since = CASE WHEN m.changed_session = ${sessionId} THEN m.changed_since ELSE m.version END`;

export async function updateEntry(tx: Transaction, id: number, entry: MenuFields, sessionId: number): Promise<void> {
  const sets = Object.entries(valuesOf(entry)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`UPDATE menu_entry m SET ${sql.join(sets)}, ${nextVersion(sessionId)} WHERE id = ${id}`.execute(tx);
}

/** Gives entries their new places, all in one statement. */
export async function placeEntries(
  tx: Transaction,
  places: readonly { id: number; parentId: number; sortOrder: number }[],
  sessionId: number,
): Promise<void> {
  await sql`UPDATE menu_entry m SET parent_id = nullif(p.parent_id, 0), sort_order = p.sort_order,
    ${nextVersion(sessionId)}
    FROM unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ parentId }) => parentId)}::bigint[],
      ${places.map(({ sortOrder }) => sortOrder)}::int[]) AS p (id, parent_id, sort_order)
    WHERE m.id = p.id`.execute(tx);
}

/** The foreign key takes everything below with it, and what roles held of it. */
export async function deleteEntry(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('menu_entry').where('id', '=', id).execute();
}

/** Grants an entry to a role, and, where `alike` names another entry, to every role that holds that one. */
export async function grantEntry(
  tx: Transaction,
  id: number,
  roleId: number,
  alike: number | undefined,
): Promise<void> {
  await sql`INSERT INTO role_menu (role_id, menu_id)
    SELECT ${roleId}::bigint, ${id}::bigint UNION SELECT role_id, ${id}::bigint FROM role_menu
      WHERE menu_id = ${alike ?? 0} ON CONFLICT DO NOTHING`.execute(tx);
}
