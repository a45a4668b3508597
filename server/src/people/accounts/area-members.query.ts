import { sql, type RawBuilder } from 'kysely';

/**
 * A subquery: ids of the accounts that belong to a work group of the areas, as its members or by an organisation above
 * it. Administrators (level 0) see every area without belonging to one.
 */
export const areaMembers = (areas: 'all' | readonly number[]): RawBuilder<unknown> => sql`(
    WITH RECURSIVE team AS MATERIALIZED (
      SELECT wg.id FROM work_group wg
      WHERE ${areas === 'all' ? sql`true` : sql`wg.work_area_id = ANY(${areas as number[]}::bigint[])`}
    ), org AS (
      SELECT ow.organisation_id AS id FROM organisation_work_group ow WHERE ow.work_group_id IN (SELECT id FROM team)
      UNION SELECT o.parent_id FROM organisation o JOIN org ON o.id = org.id WHERE o.parent_id IS NOT NULL
    )
    SELECT account_id FROM work_group_member WHERE work_group_id IN (SELECT id FROM team)
    UNION SELECT account_id FROM organisation_account WHERE organisation_id IN (SELECT id FROM org)
  )`;
