import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { PlanMode } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';

export interface SchemeLamps {
  readonly schemeId: number | null;
  readonly code: string | null;
  readonly name: string | null;
  readonly number: number | null;
  readonly mode: PlanMode | null;
  readonly lamps: number;
}
/** What enabled lamps follow on a lighting day, most lamps first. */
export async function countSchemes(db: Db, caller: DeviceScope, day: Day): Promise<SchemeLamps[]> {
  const { rows } = await sql<SchemeLamps>`SELECT v.scheme_id AS "schemeId", s.code, s.name, v.number,
      v.content->>'mode' AS mode, g.lamps
    FROM (SELECT p.scheme_version_id AS version, count(*)::int AS lamps FROM device d
      LEFT JOIN LATERAL (SELECT scheme_version_id FROM plan_assignment WHERE device_id = d.id AND withdrawn_at IS NULL
        AND from_day <= ${day}::date ORDER BY from_day DESC, id DESC LIMIT 1) p ON true
      WHERE d.family = ${lampFamily} AND d.enabled AND ${visibleDevices(caller)} GROUP BY 1) g
    LEFT JOIN scheme_version v ON v.id = g.version LEFT JOIN scheme s ON s.id = v.scheme_id
    ORDER BY g.lamps DESC, v.id`.execute(db);
  return rows;
}

/** Exceptions that hold or will, and the lamps of those that hold. */
export async function countExceptions(db: Db, caller: DeviceScope) {
  const { rows } = await sql<{ inForce: number; planned: number; lamps: number }>`SELECT
      (count(DISTINCT e.id) FILTER (WHERE e.state = 'inForce'))::int AS "inForce",
      (count(DISTINCT e.id) FILTER (WHERE e.state = 'planned'))::int AS planned,
      (count(DISTINCT i.device_id) FILTER (WHERE e.state = 'inForce'))::int AS lamps
    FROM plan_exception e JOIN plan_exception_item i ON i.exception_id = e.id AND i.cannot IS NULL
    JOIN device d ON d.id = i.device_id
    WHERE e.state IN ('planned', 'inForce') AND ${visibleDevices(caller)}`.execute(db);
  return rows[0] ?? { inForce: 0, planned: 0, lamps: 0 };
}

/** Publications that go on, those that a second person is asked for, and their lamps. */
export async function countPublications(db: Db, caller: DeviceScope) {
  const { rows } = await sql<{ underWay: number; waiting: number; lamps: number }>`SELECT
      (count(DISTINCT p.id) FILTER (WHERE p.phase <> 'awaitingApproval'))::int AS "underWay",
      (count(DISTINCT p.id) FILTER (WHERE p.phase = 'awaitingApproval'))::int AS waiting,
      (count(DISTINCT i.device_id) FILTER (WHERE p.phase <> 'awaitingApproval'))::int AS lamps
    FROM publication p JOIN publication_item i ON i.publication_id = p.id JOIN device d ON d.id = i.device_id
    WHERE p.ended_at IS NULL AND ${visibleDevices(caller)}`.execute(db);
  return rows[0] ?? { underWay: 0, waiting: 0, lamps: 0 };
}

/** Lamps that were found not to do what they were told last, by publication, the newest first. */
export async function countAstray(
  db: Db,
  caller: DeviceScope,
): Promise<{ readonly id: number; readonly lamps: number }[]> {
  const { rows } = await sql<{ id: number; lamps: number }>`SELECT i.publication_id AS id, count(*)::int AS lamps
    FROM publication_item i JOIN device d ON d.id = i.device_id
    WHERE i.state IN ('diverged', 'cannot') AND d.enabled AND ${visibleDevices(caller)}
      AND NOT EXISTS (SELECT FROM publication_item n WHERE n.device_id = i.device_id
        AND n.publication_id > i.publication_id AND n.told_at IS NOT NULL)
    GROUP BY 1 ORDER BY 1 DESC`.execute(db);
  return rows;
}
