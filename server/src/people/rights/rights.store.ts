import { sql } from 'kysely';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { areaMembers, displayName } from '../accounts/index.ts';

/**
 * The enabled accounts, the caller left out, one of whose roles has the permission and who see the area: its own people,
 * then administrators. Among either the ones last active first; those without a name for the caller (null) last of all.
 * `limit` at most.
 */
export async function findHolders(
  db: Db,
  caller: Caller,
  permission: Permission,
  limit: number,
): Promise<(string | null)[]> {
  const areas = caller.workAreaId === null ? caller.workAreas : [caller.workAreaId];
  const { rows } = await sql<{ name: string | null }>`
    WITH able AS MATERIALIZED (
      SELECT DISTINCT rm.role_id FROM menu_entry m JOIN role_menu rm ON rm.menu_id = m.id
      WHERE m.permission_code = ${permission}
    ), near AS MATERIALIZED (
      SELECT member.account_id FROM ${areaMembers(areas)} member
    ), holder AS (
      SELECT a.id, ${displayName('a', caller)} AS name, a.id IN (SELECT account_id FROM near) AS is_near
      FROM account a
      WHERE a.id IN (SELECT ar.account_id FROM account_role ar WHERE ar.role_id IN (SELECT role_id FROM able))
        AND (a.level = 0 OR a.id IN (SELECT account_id FROM near))
        AND NOT a.disabled AND a.id <> ${caller.accountId}
    )
    SELECT h.name FROM holder h LEFT JOIN account_activity act ON act.account_id = h.id
    ORDER BY h.name IS NULL, h.is_near DESC, act.last_active_at DESC NULLS LAST, h.id LIMIT ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}
