import { sql } from 'kysely';
import type { Language } from '../../../../catalogue/languages.ts';
import type { Db } from '../../platform/db/index.ts';
import type { MenuEntry } from './menu-tree.ts';

/** An entry as an account sees it: with its title in the account's language. */
export type MenuRow = Omit<MenuEntry, 'titles' | 'version'>;

/**
 * The entries granted to an account's roles with all their ancestors; one that is only an ancestor brings no
 * permission.
 */
export async function findMenuOf(db: Db, accountId: number, language: Language): Promise<MenuRow[]> {
  const { rows } = await sql<MenuRow>`
    WITH RECURSIVE granted AS (
      SELECT DISTINCT rm.menu_id AS id FROM account_role ar JOIN role_menu rm ON rm.role_id = ar.role_id
        WHERE ar.account_id = ${accountId}
    ), shown AS (
      SELECT m.id, m.parent_id FROM menu_entry m JOIN granted USING (id)
      UNION SELECT m.id, m.parent_id FROM menu_entry m JOIN shown ON m.id = shown.parent_id
    )
    SELECT m.id, coalesce(m.parent_id, 0) AS "parentId", m.type, coalesce(m.titles ->> ${language}, m.title) AS title,
      m.name, m.icon, m.url, m.component, m.language, m.sort_order AS "sortOrder",
           CASE WHEN g.id IS NOT NULL THEN m.permission_code END AS "permissionCode"
    FROM menu_entry m JOIN shown ON shown.id = m.id LEFT JOIN granted g ON g.id = m.id
    ORDER BY m.parent_id NULLS FIRST, m.sort_order, m.id`.execute(db);
  return rows;
}
