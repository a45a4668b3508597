import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { PlanMode } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { isAstray } from '../lamps/index.ts';

export interface SchemeLamps {
  readonly schemeId: number | null;
  readonly code: string | null;
  readonly name: string | null;
  readonly number: number | null;
  readonly mode: PlanMode | null;
  readonly lamps: number;
}
export interface FollowedTonight {
  /** Most lamps first. */
  readonly schemes: SchemeLamps[];
  /** Further versions of schemes, and their lamps. */
  readonly more: { readonly schemes: number; readonly lamps: number };
  /** Lamps with settings of their own. */
  readonly own: number;
}
const mostSchemes = 20;

/** What enabled lamps follow on a lighting day. */
export async function countSchemes(db: Db, caller: DeviceScope, day: Day): Promise<FollowedTonight> {
  const { rows } = await sql<SchemeLamps & { own: boolean; more: number }>`WITH followed AS MATERIALIZED (SELECT
      coalesce(s.schedule, false) AS own, v.id, v.scheme_id, s.code, s.name, v.number,
      v.content->>'mode' AS mode, g.lamps
    FROM (SELECT p.scheme_version_id AS version, count(*)::int AS lamps FROM device d
      LEFT JOIN LATERAL (SELECT scheme_version_id FROM plan_assignment WHERE device_id = d.id AND withdrawn_at IS NULL
        AND from_day <= ${day}::date ORDER BY from_day DESC, id DESC LIMIT 1) p ON true
      WHERE d.family = ${lampFamily} AND d.enabled AND ${visibleDevices(caller)} GROUP BY 1) g
    LEFT JOIN scheme_version v ON v.id = g.version LEFT JOIN scheme s ON s.id = v.scheme_id),
    ranked AS (SELECT *, row_number() OVER (ORDER BY lamps DESC, id) AS rank FROM followed WHERE NOT own)
    SELECT scheme_id AS "schemeId", code, name, number, mode, lamps, false AS own, 0 AS more, rank
      FROM ranked WHERE rank <= ${mostSchemes}
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, sum(lamps)::int, false, count(*)::int, NULL
      FROM ranked WHERE rank > ${mostSchemes} HAVING count(*) > 0
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, sum(lamps)::int, true, 0, NULL
      FROM followed WHERE own HAVING count(*) > 0
    ORDER BY rank NULLS LAST`.execute(db);
  const rest = rows.find(({ more }) => more > 0);
  return {
    schemes: rows.flatMap(({ own, more, schemeId, code, name, number, mode, lamps }) =>
      own || more > 0 ? [] : [{ schemeId, code, name, number, mode, lamps }],
    ),
    more: { schemes: rest?.more ?? 0, lamps: rest?.lamps ?? 0 },
    own: rows.find(({ own }) => own)?.lamps ?? 0,
  };
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
  const { rows } = await sql<{
    underWay: number;
    halted: number;
    waiting: number;
    lamps: number;
  }>`SELECT (count(DISTINCT p.id) FILTER (WHERE p.phase <> 'awaitingApproval'))::int AS "underWay",
      (count(DISTINCT p.id) FILTER (WHERE p.phase = 'halted'))::int AS halted,
      (count(DISTINCT p.id) FILTER (WHERE p.phase = 'awaitingApproval'))::int AS waiting,
      (count(DISTINCT i.device_id) FILTER (WHERE p.phase <> 'awaitingApproval'))::int AS lamps
    FROM publication p JOIN publication_item i ON i.publication_id = p.id JOIN device d ON d.id = i.device_id
    WHERE p.ended_at IS NULL AND ${visibleDevices(caller)}`.execute(db);
  return rows[0] ?? { underWay: 0, halted: 0, waiting: 0, lamps: 0 };
}

/** Lamps that do not follow their plan, by the publication that gave it, the newest first. */
export async function countAstray(
  db: Db,
  caller: DeviceScope,
): Promise<{ readonly id: number; readonly lamps: number }[]> {
  const { rows } = await sql<{ id: number; lamps: number }>`SELECT i.publication_id AS id, count(*)::int AS lamps
    FROM publication_item i JOIN device d ON d.id = i.device_id
    WHERE ${isAstray} AND d.enabled AND d.family = ${lampFamily} AND ${visibleDevices(caller)}
    GROUP BY 1 ORDER BY 1 DESC`.execute(db);
  return rows;
}
