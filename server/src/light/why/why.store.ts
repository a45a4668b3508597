import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Args } from '../../../../catalogue/index.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { RoadClass } from '../../../../catalogue/lighting/floors.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { CommandState } from '../../../../contract/light/commands.ts';
import type { ItemState, itemReasons } from '../../../../contract/light/publications.ts';
import type { Db } from '../../platform/db/index.ts';
import { reasonOfItem } from '../publications/index.ts';
import type { Static } from 'typebox';

/** Readings of a cabinet hold for so long at most, and those of a lamp are looked for. */
const dayMs = 86_400_000;
const readingDays = 2;

export interface WhyLamp {
  readonly id: number;
  readonly code: string;
  readonly visible: boolean;
  readonly workAreaId: number;
  readonly timeZone: string;
  readonly ratedWatts: number | null;
  readonly roadClass: RoadClass | null;
  readonly createdAt: Date;
  readonly clockOffsetMs: number | null;
  readonly clockWrongSince: Date | null;
  readonly lighting: string | null;
  readonly loop: string | null;
  readonly box: string | null;
  readonly contactor: boolean | null;
  readonly contactorAt: Date | null;
  /** The controller of its cabinet, or the one through which it speaks. */
  readonly selector: string | null;
  readonly selectorAt: Date | null;
  readonly selectorId: number | null;
  readonly selectorCode: string | null;
}

/** The last value of a controller up to the instant. */
const lastOf = (at: Date, key: RawBuilder<unknown>) => sql`SELECT r.at, r.values ->> ${key} AS value FROM reading r
  WHERE r.device_id = cc.id AND r.at <= ${at} AND r.at > ${new Date(at.getTime() - dayMs)}
    AND r.values ->> ${key} IS NOT NULL ORDER BY r.at DESC LIMIT 1`;

export async function findLamp(
  db: Db,
  id: number,
  visible: RawBuilder<SqlBool>,
  at: Date,
): Promise<WhyLamp | undefined> {
  const { rows } = await sql<WhyLamp>`SELECT d.id, d.equipment_code AS code, ${visible} AS visible,
      d.work_area_id AS "workAreaId", a.time_zone AS "timeZone", d.rated_watts AS "ratedWatts",
      (SELECT road_class FROM road WHERE id = coalesce(d.road_id, pole.road_id)) AS "roadClass",
      d.created_at AS "createdAt", k.clock_offset_ms AS "clockOffsetMs",
      nullif(k.clock_wrong_since, '-infinity') AS "clockWrongSince", o.lighting, o.loop_name AS loop,
      b.equipment_code AS box, c.value::boolean AS contactor, c.at AS "contactorAt", s.value AS selector,
      s.at AS "selectorAt", s.id AS "selectorId", s.code AS "selectorCode"
    FROM device d JOIN work_area a ON a.id = d.work_area_id
    LEFT JOIN device pole ON pole.id = d.pole_id
    LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)
    LEFT JOIN device b ON b.id = o.control_box_id
    LEFT JOIN device_latest k ON k.device_id = coalesce(d.parent_id, d.id)
    LEFT JOIN LATERAL (SELECT v.at, v.value FROM device cc
      CROSS JOIN LATERAL (${lastOf(at, sql`('loop' || o.loop_number || 'Contactor')`)}) v
      WHERE cc.box_id = o.control_box_id AND cc.family = ${controllerFamily} ORDER BY v.at DESC LIMIT 1) c
      ON o.loop_number IS NOT NULL
    LEFT JOIN LATERAL (SELECT v.at, v.value, cc.id, cc.equipment_code AS code FROM device cc
      CROSS JOIN LATERAL (${lastOf(at, sql`'selector'`)}) v
      WHERE (cc.id = d.parent_id OR cc.box_id = o.control_box_id) AND cc.family = ${controllerFamily}
      ORDER BY v.at DESC LIMIT 1) s ON true
    WHERE d.id = ${id} AND d.family = ${lampFamily}`.execute(db);
  return rows[0];
}

export interface PlannedLamp {
  readonly id: number;
  readonly code: string;
  readonly name: string | null;
  readonly visible: boolean;
  readonly workAreaId: number;
  readonly timeZone: string;
  readonly planHash: string | null;
  readonly reportedAt: Date | null;
  /** The last publication to it; null: none. */
  readonly publication: {
    readonly id: number;
    readonly state: Static<typeof ItemState>;
    readonly reason: (typeof itemReasons)[number] | null;
    readonly planHash: string | null;
    readonly toldAt: string | null;
    readonly reportedAt: string | null;
    readonly provenAt: string | null;
  } | null;
}
/** A lamp, the plan that it said it runs, and how far the last publication to it came. */
export async function findPlannedLamp(
  db: Db,
  id: number,
  visible: RawBuilder<SqlBool>,
): Promise<PlannedLamp | undefined> {
  const { rows } = await sql<PlannedLamp>`SELECT d.id, d.equipment_code AS code, d.equipment_name AS name,
      ${visible} AS visible, d.work_area_id AS "workAreaId", a.time_zone AS "timeZone", r.plan_hash AS "planHash",
      r.reported_at AS "reportedAt",
      (SELECT json_build_object('id', i.publication_id, 'state', i.state, 'reason', ${reasonOfItem}, 'planHash', i.plan_hash,
          'toldAt', i.told_at, 'reportedAt', i.reported_at, 'provenAt', i.proven_at)
        FROM publication_item i WHERE i.device_id = d.id ORDER BY i.publication_id DESC LIMIT 1) AS publication
    FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN plan_report r ON r.device_id = d.id
    WHERE d.id = ${id} AND d.family = ${lampFamily}`.execute(db);
  return rows[0];
}

export interface WhyReading {
  readonly at: Date;
  readonly values: Readonly<Record<string, unknown>>;
}
/** The last reading up to an instant. */
export async function findReading(db: Db, id: number, at: Date): Promise<WhyReading | undefined> {
  const { rows } = await sql<WhyReading>`SELECT at, values FROM reading WHERE device_id = ${id} AND at <= ${at}
    AND at > ${new Date(at.getTime() - readingDays * dayMs)} AND quality IN (0, 3) ORDER BY at DESC LIMIT 1`.execute(
    db,
  );
  return rows[0];
}
/** Whether readings of that time are kept at all. */
export async function hasReadings(db: Db, id: number, at: Date): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM reading WHERE device_id = ${id} AND at <= ${at} LIMIT 1`.execute(db);
  return rows.length > 0;
}

export interface WhyCommand {
  readonly id: number;
  readonly command: string;
  readonly args: Args;
  readonly lane: number;
  readonly by: string;
  readonly approvedBy: string | null;
  readonly at: Date;
  readonly until: Date | null;
  readonly state: Static<typeof CommandState>;
  readonly reason: string | null;
}
const commandColumns = sql`c.id, c.command, c.args, i.lane, c.actor_name AS by, c.approval->>'by' AS "approvedBy",
  c.created_at AS at, i.until, i.state, c.reason FROM command_item i JOIN command c ON c.id = i.command_id`;
/** The latest commands to a lamp up to an instant, and those of these numbers. */
export async function findCommands(
  db: Db,
  id: number,
  { at, limit, also }: { readonly at: Date; readonly limit: number; readonly also: readonly number[] },
): Promise<{ readonly latest: WhyCommand[]; readonly named: ReadonlyMap<number, WhyCommand> }> {
  const { rows: latest } = await sql<WhyCommand>`SELECT ${commandColumns}
    WHERE i.device_id = ${id} AND c.created_at <= ${at} ORDER BY i.command_id DESC LIMIT ${limit}`.execute(db);
  const { rows: named } = await sql<WhyCommand>`SELECT ${commandColumns}
    WHERE i.device_id = ${id} AND i.command_id = ANY(${[...also]}::bigint[])`.execute(db);
  return { latest, named: new Map(named.map((row) => [row.id, row])) };
}

export interface Author {
  readonly by: string;
  readonly approvedBy: string | null;
  readonly at: Date;
}
/** Who gave a lamp what it follows from a lighting day on. */
export async function findAssigner(db: Db, id: number, from: Day): Promise<Author | undefined> {
  const { rows } = await sql<Author>`SELECT a.assigned_by AS by, p.approval->>'by' AS "approvedBy", a.at
    FROM plan_assignment a LEFT JOIN publication p ON p.id = a.publication_id
    WHERE a.device_id = ${id} AND a.from_day = ${from}::date AND a.withdrawn_at IS NULL
    ORDER BY a.id DESC LIMIT 1`.execute(db);
  return rows[0];
}
export async function findExceptionAuthors(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Author & { readonly reason: string }>> {
  const { rows } = await sql<Author & { readonly id: number; readonly reason: string }>`SELECT id, actor_name AS by,
      approval->>'by' AS "approvedBy", created_at AS at, reason
    FROM plan_exception WHERE id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface Troubles {
  /** Out of reach since then. */
  readonly awaySince: Date | null;
  readonly awayReason: string | null;
  readonly faults: readonly string[];
  /**
   * The plan that it said it ran, and when it was told the newest one. What it says now is known and since when, and not
   * what it said before; null: none, or of that instant nobody knows.
   */
  readonly runs: string | null;
  readonly toldAt: Date | null;
  /** Nothing came from it until now. */
  readonly neverHeard: boolean;
}
/** What was wrong with a lamp at an instant, and what it said then. */
export async function findTroubles(db: Db, id: number, at: Date): Promise<Troubles> {
  const { rows } = await sql<Troubles>`SELECT c.began_at AS "awaySince", c.reason AS "awayReason",
      (SELECT coalesce(json_agg(f.fault ORDER BY f.began_at, f.id), '[]') FROM fault_log f WHERE f.device_id = ${id}
        AND f.began_at <= ${at} AND (f.ended_at IS NULL OR f.ended_at > ${at})) AS faults,
      (SELECT plan_hash FROM plan_report WHERE device_id = ${id} AND reported_at <= ${at}) AS runs,
      (SELECT max(told_at) FROM publication_item WHERE device_id = ${id}) AS "toldAt",
      NOT EXISTS (SELECT FROM device_latest WHERE device_id = ${id}
        AND coalesce(received_at, heard_at) IS NOT NULL) AS "neverHeard"
    FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT began_at, reason FROM connection_log WHERE device_id = ${id}
      AND kind = 'offline' AND began_at <= ${at} AND (ended_at IS NULL OR ended_at > ${at})
      ORDER BY began_at DESC LIMIT 1) c ON true`.execute(db);
  return rows[0] ?? { awaySince: null, awayReason: null, faults: [], runs: null, toldAt: null, neverHeard: true };
}
