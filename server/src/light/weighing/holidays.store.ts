import { sql } from 'kysely';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
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

export interface Follower extends Target {
  readonly versionId: number;
  /** Lighting days: the first, and the first on which it follows something else. */
  readonly from: Day;
  readonly until: Day | null;
}
/** The enabled lamps that follow any of these versions tonight or later, once for each stretch of days. */
export async function findFollowers(tx: Transaction, versionIds: readonly number[], now: Date): Promise<Follower[]> {
  const { rows } = await sql<Follower>`SELECT d.id, d.family,
      d.work_area_id AS "workAreaId", coalesce(d.parent_id, 0) AS "viaId", d.enabled, true AS visible,
      a.scheme_version_id AS "versionId", a.from_day::text AS "from", later.until::text AS until
    FROM plan_assignment a JOIN device d ON d.id = a.device_id
    CROSS JOIN LATERAL (SELECT min(x.from_day) AS until FROM plan_assignment x WHERE x.device_id = a.device_id
      AND x.withdrawn_at IS NULL AND x.from_day > a.from_day) later
    WHERE a.scheme_version_id = ANY(${[...versionIds]}::bigint[]) AND a.withdrawn_at IS NULL AND d.enabled
      AND coalesce(later.until > (${now}::timestamptz AT TIME ZONE 'UTC')::date - 1, true)
      AND NOT EXISTS (SELECT FROM plan_assignment x WHERE x.device_id = a.device_id AND x.withdrawn_at IS NULL
        AND x.from_day = a.from_day AND x.id > a.id) ORDER BY d.id`.execute(tx);
  return rows;
}
