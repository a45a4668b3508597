import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';

interface SchemeRow {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly number: number;
}
export interface StoredLamp {
  readonly id: number;
  readonly code: string;
  readonly name: string | null;
  readonly visible: boolean;
  readonly workAreaId: number;
  readonly timeZone: string;
  readonly sunOffsetMinutes: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly poleLatitude: number | null;
  readonly poleLongitude: number | null;
  readonly areaLatitude: number | null;
  readonly areaLongitude: number | null;
  /** The newest assignment; null: it was never given a plan. */
  readonly assigned: {
    readonly schedule: boolean;
    readonly by: string;
    readonly publicationId: number | null;
    /** That follow the settings and that the caller sees; null: it follows no settings of its own. */
    readonly lamps: number | null;
  } | null;
  readonly assignedAt: Date | null;
  /** The last one that is no setting of its own. */
  readonly scheme: SchemeRow | null;
  readonly publicationId: number | null;
  readonly capabilities: { readonly plan?: object } | null;
  readonly reportedHash: string | null;
  readonly reportedAt: Date | null;
  readonly readAt: Date | null;
}

/** A lamp with what was given to it last and what it said last. */
export async function findLamp(db: Db, scope: DeviceScope, id: number): Promise<StoredLamp | undefined> {
  const { rows } = await sql<StoredLamp>`SELECT d.id, d.equipment_code AS code, d.equipment_name AS name,
      ${visibleDevices(scope)} AS visible, d.work_area_id AS "workAreaId", a.time_zone AS "timeZone",
      a.sun_offset_minutes AS "sunOffsetMinutes", d.latitude, d.longitude, p.latitude AS "poleLatitude",
      p.longitude AS "poleLongitude", a.latitude AS "areaLatitude", a.longitude AS "areaLongitude",
      CASE WHEN x.id IS NOT NULL THEN json_build_object('schedule', coalesce(s.schedule, false), 'by', x.assigned_by,
        'publicationId', x.publication_id, 'lamps', CASE WHEN s.schedule THEN (SELECT count(*)
          FROM plan_assignment o JOIN device od ON od.id = o.device_id AND ${visibleDevices(scope, 'od')}
          WHERE o.scheme_version_id = x.scheme_version_id AND o.withdrawn_at IS NULL AND NOT EXISTS (
            SELECT FROM plan_assignment later WHERE later.device_id = o.device_id AND later.withdrawn_at IS NULL
              AND (later.from_day, later.id) > (o.from_day, o.id))) END) END AS assigned,
      x.at AS "assignedAt",
      (SELECT CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'code', f.code, 'name', f.name,
          'number', fv.number) END
        FROM plan_assignment o LEFT JOIN scheme_version fv ON fv.id = o.scheme_version_id
        LEFT JOIN scheme f ON f.id = fv.scheme_id
        WHERE o.device_id = d.id AND o.withdrawn_at IS NULL AND NOT coalesce(f.schedule, false)
        ORDER BY o.from_day DESC, o.id DESC LIMIT 1) AS scheme,
      (SELECT i.publication_id FROM publication_item i WHERE i.device_id = d.id AND i.open) AS "publicationId",
      r.capabilities, r.plan_hash AS "reportedHash", r.reported_at AS "reportedAt",
      l.at AS "readAt"
    FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
    LEFT JOIN LATERAL (SELECT * FROM plan_assignment WHERE device_id = d.id AND withdrawn_at IS NULL
      ORDER BY from_day DESC, id DESC LIMIT 1) x ON true
    LEFT JOIN scheme_version v ON v.id = x.scheme_version_id LEFT JOIN scheme s ON s.id = v.scheme_id
    LEFT JOIN plan_report r ON r.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
    WHERE d.id = ${id} AND d.family = ${lampFamily}`.execute(db);
  return rows[0];
}
