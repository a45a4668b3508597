import { sql } from 'kysely';
import { controllerFamily } from '../../../../catalogue/lighting/families.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { CommandState } from '../../../../contract/light/commands.ts';
import type { Static } from 'typebox';
import type { Db } from '../../platform/db/index.ts';

/** What is known of a lamp now that may keep it dark. */
export interface Condition {
  readonly id: number;
  readonly awaySince: Date | null;
  readonly lighting: string | null;
  readonly loop: string | null;
  readonly contactor: boolean | null;
  readonly contactorAt: Date | null;
  /** The controller whose selector is not on automatic. */
  readonly selectorCode: string | null;
  readonly selectorAt: Date | null;
  /** It says itself that it is controlled on site. */
  readonly saysLocal: boolean;
  readonly readingAt: Date | null;
  readonly faults: readonly { readonly code: string; readonly since: string }[];
  /** The planned step of the night before at which it was dark. */
  readonly darkAt: Date | null;
  readonly runs: string | null;
  readonly clockWrongSince: Date | null;
  readonly clockOffsetMs: number | null;
  readonly heardAt: Date | null;
  readonly asked: Static<typeof CommandState> | null;
  readonly sentAt: Date | null;
}

/** The conditions of these lamps; `before`: the night before, `commandId`: what asked them. */
export async function findConditions(
  db: Db,
  ids: readonly number[],
  { before, commandId }: { readonly before: Day; readonly commandId: number | null },
): Promise<Condition[]> {
  const { rows } = await sql<Condition>`SELECT d.id,
      CASE WHEN s.state = 'offline' THEN coalesce(c.began_at, s.since) END AS "awaySince", o.lighting,
      o.loop_name AS loop, k.closed AS contactor, k.at AS "contactorAt", e.code AS "selectorCode", e.at AS "selectorAt",
      coalesce(l.values->>'reason' = 'local', false) AS "saysLocal", l.at AS "readingAt", f.faults,
      n.step_at AS "darkAt", r.plan_hash AS runs, nullif(w.clock_wrong_since, '-infinity') AS "clockWrongSince",
      w.clock_offset_ms AS "clockOffsetMs", l.received_at AS "heardAt", i.state AS asked, i.sent_at AS "sentAt"
    FROM unnest(${[...ids]}::bigint[]) AS a(id) JOIN device d ON d.id = a.id
    LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
    LEFT JOIN device_latest w ON w.device_id = coalesce(d.parent_id, d.id)
    LEFT JOIN plan_report r ON r.device_id = d.id
    LEFT JOIN connection_log c ON c.device_id = d.id AND c.ended_at IS NULL AND c.kind = 'offline'
    LEFT JOIN device pole ON pole.id = d.pole_id LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)
    LEFT JOIN LATERAL (SELECT v.received_at AS at, (v.values->>('loop' || o.loop_number || 'Contactor'))::boolean AS closed
      FROM device x JOIN device_latest v ON v.device_id = x.id
      WHERE x.box_id = o.control_box_id AND x.family = ${controllerFamily}
        AND v.values->>('loop' || o.loop_number || 'Contactor') IS NOT NULL ORDER BY v.at DESC LIMIT 1) k
      ON o.loop_number IS NOT NULL
    LEFT JOIN LATERAL (SELECT x.equipment_code AS code, v.at FROM device x JOIN device_latest v ON v.device_id = x.id
      WHERE x.id IN (d.parent_id, (SELECT y.id FROM device y WHERE y.box_id = o.control_box_id
          AND y.family = ${controllerFamily} ORDER BY y.id LIMIT 1))
        AND v.values->>'selector' = 'manual' ORDER BY v.at DESC LIMIT 1) e ON true
    LEFT JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('code', fault, 'since', began_at) ORDER BY began_at, id),
        '[]') AS faults FROM fault_log WHERE device_id = d.id AND ended_at IS NULL) f ON true
    LEFT JOIN plan_night_lamp n ON n.day = ${before}::date AND n.part = 'report' AND n.work_area_id = d.work_area_id
      AND n.device_id = d.id AND n.expected > 0 AND n.observed = 0
    LEFT JOIN command_item i ON i.command_id = ${commandId}::bigint AND i.device_id = d.id`.execute(db);
  return rows;
}

/** When lamps were given what they follow on a lighting day; those of no plan are left out. */
export async function findGivenAt(db: Db, ids: readonly number[], day: Day): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await sql<{ id: number; at: Date }>`SELECT a.id, p.at FROM unnest(${[...ids]}::bigint[]) AS a(id)
    CROSS JOIN LATERAL (SELECT at FROM plan_assignment WHERE device_id = a.id AND withdrawn_at IS NULL
      AND from_day <= ${day}::date ORDER BY from_day DESC, id DESC LIMIT 1) p`.execute(db);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** What was the matter with a lamp at an instant. */
export interface Trouble {
  readonly id: number;
  readonly at: Date;
  readonly kind: 'offline' | 'unpowered' | null;
  readonly since: Date | null;
  readonly faults: readonly string[];
  readonly faultSince: Date | null;
  readonly selectorCode: string | null;
  readonly selectorAt: Date | null;
  readonly runs: string | null;
  readonly clockWrongSince: Date | null;
  readonly clockOffsetMs: number | null;
}

/** What a controller said within so long counts, ms. */
const goodMs = 86_400_000;

export async function findTroubles(
  db: Db,
  asked: readonly { readonly id: number; readonly at: number }[],
): Promise<Trouble[]> {
  if (asked.length === 0) return [];
  const iso = (ms: number) => new Date(ms).toISOString();
  // The bounds of all say which partitions of readings matter.
  const times = asked.map(({ at }) => at);
  const [since, until] = [iso(Math.min(...times) - goodMs), iso(Math.max(...times))];
  const { rows } = await sql<Trouble>`WITH asked AS MATERIALIZED (SELECT a.id, a.at, d.parent_id, o.control_box_id
      FROM unnest(${asked.map(({ id }) => id)}::bigint[], ${times.map(iso)}::timestamptz[]) AS a(id, at)
      JOIN device d ON d.id = a.id LEFT JOIN device pole ON pole.id = d.pole_id
      LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)),
    boxes AS MATERIALIZED (SELECT b.control_box_id AS box, y.id FROM
        (SELECT DISTINCT control_box_id FROM asked WHERE control_box_id IS NOT NULL) b
      CROSS JOIN LATERAL (SELECT id FROM device WHERE box_id = b.control_box_id AND family = ${controllerFamily}
        ORDER BY id LIMIT 1) y),
    -- Thousands of lamps of a controller have the same steps: it is looked up once for each of them.
    selectors AS MATERIALIZED (SELECT x.id, x.asked_at, x.equipment_code AS code, v.at, v.selector FROM (
        SELECT DISTINCT e.id, k.at AS asked_at, e.equipment_code FROM asked k
        LEFT JOIN boxes b ON b.box = k.control_box_id
        JOIN device e ON e.id IN (k.parent_id, b.id) AND e.family = ${controllerFamily}) x
      CROSS JOIN LATERAL (SELECT at, values->>'selector' AS selector FROM reading WHERE device_id = x.id
        AND at <= x.asked_at AND at > x.asked_at - make_interval(secs => ${goodMs / 1000})
        AND at > ${since}::timestamptz AND at <= ${until}::timestamptz AND values->>'selector' IS NOT NULL
        ORDER BY at DESC LIMIT 1) v)
    SELECT a.id, a.at, c.kind, c.began_at AS since, f.faults, f.since AS "faultSince",
      e.code AS "selectorCode", e.at AS "selectorAt", r.plan_hash AS runs,
      nullif(w.clock_wrong_since, '-infinity') AS "clockWrongSince", w.clock_offset_ms AS "clockOffsetMs"
    FROM asked a JOIN device d ON d.id = a.id LEFT JOIN boxes b ON b.box = a.control_box_id
    LEFT JOIN device_latest w ON w.device_id = coalesce(d.parent_id, d.id)
    LEFT JOIN plan_report r ON r.device_id = d.id
    LEFT JOIN LATERAL (SELECT kind, began_at FROM connection_log WHERE device_id = d.id AND began_at <= a.at
      AND (ended_at IS NULL OR ended_at > a.at) AND kind IN ('offline', 'unpowered') ORDER BY began_at DESC LIMIT 1) c
      ON true
    LEFT JOIN LATERAL (SELECT coalesce(json_agg(fault ORDER BY began_at, id), '[]') AS faults, min(began_at) AS since
      FROM fault_log WHERE device_id = d.id AND began_at <= a.at AND (ended_at IS NULL OR ended_at > a.at)) f ON true
    LEFT JOIN LATERAL (SELECT s.code, s.at FROM selectors s WHERE s.id IN (a.parent_id, b.id) AND s.asked_at = a.at
      AND s.selector = 'manual' ORDER BY s.at DESC LIMIT 1) e ON true`.execute(db);
  return rows;
}
