import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import { schemePlaceBounds } from '../../../../contract/light/schemes.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { sightOf } from '../commands/index.ts';
import { askedScheme, asking } from '../plans/index.ts';

export interface SchemePlace {
  readonly kind: 'road' | 'group' | 'controller' | 'workArea';
  readonly id: number;
  readonly name: string;
  readonly following: number;
  readonly others: number;
  readonly deviceIds: number[];
}

/**
 * Places of the publications of a scheme where a part of the lamps follows it, or will by the publication that it is in;
 * of those in areas that the caller sees, the most others first.
 */
export async function findPartlyFollowing(db: Db, caller: DeviceScope, schemeId: number): Promise<SchemePlace[]> {
  const { places, lamps, ids } = schemePlaceBounds;
  const { rows } = await sql<
    Omit<SchemePlace, 'deviceIds'> & { deviceIds: readonly string[] }
  >`WITH version AS (SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}),
    published AS (SELECT p.scope FROM publication p JOIN version v ON v.id = p.scheme_version_id
      WHERE p.phase NOT IN ('reverted', 'cancelled', 'refused', 'lapsed')),
    place AS (
      SELECT 'road' AS kind, one::bigint AS id FROM published, jsonb_array_elements_text(scope->'roadIds') AS one
      UNION SELECT 'group', one::bigint FROM published, jsonb_array_elements_text(scope->'groupIds') AS one
      UNION SELECT 'controller', one::bigint FROM published, jsonb_array_elements_text(scope->'controllerIds') AS one
      UNION SELECT 'workArea', (scope->>'workAreaId')::bigint FROM published WHERE scope ? 'workAreaId'),
    named AS (
      SELECT place.*, r.road_name AS name, r.work_area_id AS area FROM place JOIN road r ON kind = 'road' AND r.id = place.id
      UNION ALL SELECT place.*, g.group_name, g.work_area_id FROM place
        JOIN equipment_group g ON kind = 'group' AND g.id = place.id
      UNION ALL SELECT place.*, c.equipment_code, c.work_area_id FROM place
        JOIN device c ON kind = 'controller' AND c.id = place.id
      UNION ALL SELECT place.*, a.work_name, a.id FROM place JOIN work_area a ON kind = 'workArea' AND a.id = place.id),
    seen AS (SELECT kind, id, name FROM named WHERE ${sightOf(caller).area} ORDER BY name, kind, id LIMIT ${places}),
    sized AS (SELECT s.*, CASE kind WHEN 'road' THEN (SELECT count(*) FROM device d WHERE d.road_id = s.id)
        WHEN 'group' THEN (SELECT count(*) FROM device d WHERE d.group_id = s.id)
        WHEN 'controller' THEN (SELECT count(*) FROM device d WHERE d.parent_id = s.id)
        ELSE (SELECT count(*) FROM device d WHERE d.family = ${lampFamily} AND d.work_area_id = s.id) END AS size FROM seen s),
    near AS (SELECT kind, id, name FROM (
      SELECT z.*, sum(size) OVER (ORDER BY name, kind, id) - size AS before FROM sized z) z WHERE before < ${lamps}),
    member AS (
      SELECT n.kind, n.id AS place, d.id FROM near n JOIN device d ON n.kind = 'road' AND d.road_id = n.id
      UNION ALL SELECT n.kind, n.id, d.id FROM near n JOIN device d ON n.kind = 'group' AND d.group_id = n.id
      UNION ALL SELECT n.kind, n.id, d.id FROM near n JOIN device d ON n.kind = 'controller' AND d.parent_id = n.id
      UNION ALL SELECT n.kind, n.id, d.id FROM near n JOIN device d ON n.kind = 'workArea' AND d.work_area_id = n.id),
    lamp AS (
      SELECT m.kind, m.place, d.id, coalesce(CASE WHEN i.device_id IS NULL THEN x.scheme_version_id ELSE ${askedScheme} END
          IN (SELECT id FROM version), false) AS follows
      FROM member m JOIN device d ON d.id = m.id
      LEFT JOIN LATERAL (SELECT scheme_version_id FROM plan_assignment WHERE device_id = d.id AND withdrawn_at IS NULL
        ORDER BY from_day DESC, id DESC LIMIT 1) x ON true
      LEFT JOIN (publication_item i ${asking}) ON i.device_id = d.id AND i.open
      WHERE d.family = ${lampFamily} AND d.enabled AND ${visibleDevices(caller)}),
    counted AS (
      SELECT n.kind, n.id, n.name, count(*) FILTER (WHERE l.follows)::int AS following,
        count(*) FILTER (WHERE NOT l.follows)::int AS others, array_agg(l.id ORDER BY l.id) FILTER (WHERE NOT l.follows) AS ids
      FROM lamp l JOIN near n ON n.kind = l.kind AND n.id = l.place GROUP BY n.kind, n.id, n.name
      HAVING bool_or(l.follows) AND bool_or(NOT l.follows))
    SELECT kind, id, name, following, others, CASE WHEN others <= ${ids} AND sum(others) FILTER (WHERE others <= ${ids})
        OVER (ORDER BY others DESC, name, kind, id) <= ${ids} THEN ids ELSE '{}' END AS "deviceIds"
    FROM counted ORDER BY others DESC, name, kind, id`.execute(db);
  // The driver gives arrays of bigint as texts.
  return rows.map((row) => ({ ...row, deviceIds: row.deviceIds.map(Number) }));
}
