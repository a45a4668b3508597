import { sql } from 'kysely';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';

/**
 * Display names of the enabled accounts, the caller left out, one of whose roles has the permission and who belong to a
 * work group of the area: as its members or by an organisation above it. The ones last active first, `limit` at most.
 */
export async function findHolders(
  db: Db,
  { accountId, workAreaId, workAreas }: Caller,
  permission: Permission,
  limit: number,
): Promise<string[]> {
  const areas = workAreaId === null ? workAreas : [workAreaId];
  const within = areas === 'all' ? sql`true` : sql`wg.work_area_id = ANY(${areas as number[]}::bigint[])`;
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE team AS MATERIALIZED (
      SELECT wg.id FROM work_group wg WHERE ${within}
    ), org AS (
      SELECT ow.organisation_id AS id FROM organisation_work_group ow WHERE ow.work_group_id IN (SELECT id FROM team)
      UNION SELECT o.parent_id FROM organisation o JOIN org ON o.id = org.id WHERE o.parent_id IS NOT NULL
    ), able AS MATERIALIZED (
      SELECT DISTINCT rm.role_id FROM menu_entry m JOIN role_menu rm ON rm.menu_id = m.id
      WHERE m.permission_code = ${permission}
    )
    SELECT coalesce(nullif(a.nickname, ''), nullif(trim(concat(a.family_name, a.given_name)), ''), a.username) AS name
    FROM account a LEFT JOIN account_activity act ON act.account_id = a.id
    WHERE a.id IN (SELECT ar.account_id FROM account_role ar WHERE ar.role_id IN (SELECT role_id FROM able))
      AND a.id IN (
        SELECT account_id FROM work_group_member WHERE work_group_id IN (SELECT id FROM team)
        UNION SELECT account_id FROM organisation_account WHERE organisation_id IN (SELECT id FROM org)
      )
      AND NOT a.disabled AND a.id <> ${accountId}
    ORDER BY act.last_active_at DESC NULLS LAST, a.id LIMIT ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}
