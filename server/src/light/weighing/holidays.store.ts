import { sql } from 'kysely';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Target } from '../commands/index.ts';

export interface HolidayScheme {
  readonly versionId: number;
  readonly content: SchemeContent;
}
/** Versions that lamps follow and whose calendar asks for holidays. */
export async function findHolidaySchemes(tx: Transaction): Promise<HolidayScheme[]> {
  const { rows } = await sql<HolidayScheme>`SELECT v.id AS "versionId", v.content FROM scheme_version v
    WHERE jsonb_path_exists(v.content, '$.calendar.rules[*] ? (@.enabled == true).when[*] ? (@.kind == "holiday")')
      AND EXISTS (SELECT FROM plan_assignment a WHERE a.scheme_version_id = v.id AND a.withdrawn_at IS NULL)
    ORDER BY v.id`.execute(tx);
  return rows;
}

/** The enabled lamps that follow any of these versions last, each with its version. */
export async function findFollowers(
  tx: Transaction,
  versionIds: readonly number[],
): Promise<(Target & { readonly versionId: number })[]> {
  const { rows } = await sql<Target & { readonly versionId: number }>`SELECT d.id, d.family,
      d.work_area_id AS "workAreaId", coalesce(d.parent_id, 0) AS "viaId", d.enabled, true AS visible,
      a.scheme_version_id AS "versionId"
    FROM plan_assignment a JOIN device d ON d.id = a.device_id
    WHERE a.scheme_version_id = ANY(${[...versionIds]}::bigint[]) AND a.withdrawn_at IS NULL AND d.enabled
      AND a.id = (SELECT x.id FROM plan_assignment x WHERE x.device_id = a.device_id AND x.withdrawn_at IS NULL
        ORDER BY x.from_day DESC, x.id DESC LIMIT 1) ORDER BY d.id`.execute(tx);
  return rows;
}
