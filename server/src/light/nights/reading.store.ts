import { sql } from 'kysely';
import type { NightOutcome, NightReason } from '../../../../catalogue/lighting/nights.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { byReason, lampsOf, seenAreas, seenLamps, type LampsAsked } from './nights.query.ts';
import type { Part, RehearsalPhase, ReportPhase } from './nights.store.ts';

export interface StoredNight {
  readonly workAreaId: number;
  readonly name: string;
  readonly timeZone: string;
  readonly day: Day;
  readonly firstOn: Date | null;
  readonly rehearsal: RehearsalPhase;
  readonly askedAt: Date | null;
  readonly listedAt: Date | null;
  readonly lit: number;
  readonly unasked: number;
  readonly dark: number;
  readonly commandId: number | null;
  readonly report: ReportPhase;
  readonly reportedAt: Date | null;
  readonly counts: Readonly<Partial<Record<NightOutcome, number>>>;
}

/** The nights of the caller's areas on these days, the latest first. */
export async function findNights(db: Db, caller: DeviceScope, days: readonly Day[]): Promise<StoredNight[]> {
  const { rows } = await sql<StoredNight>`SELECT n.work_area_id AS "workAreaId", a.work_name AS name,
      a.time_zone AS "timeZone", to_char(n.day, 'YYYY-MM-DD') AS day, n.first_on AS "firstOn", n.rehearsal,
      n.asked_at AS "askedAt", n.listed_at AS "listedAt", n.lit, n.unasked, n.command_id AS "commandId", n.report,
      n.reported_at AS "reportedAt", n.counts, (SELECT count(*)::int FROM plan_night_lamp l WHERE l.day = n.day
        AND l.part = 'rehearsal' AND l.work_area_id = n.work_area_id) AS dark
    FROM plan_night n JOIN work_area a ON a.id = n.work_area_id
    WHERE n.day = ANY(${[...days]}::date[]) AND ${seenAreas(caller)}
    ORDER BY n.day DESC, a.work_name COLLATE natural_order, n.work_area_id`.execute(db);
  return rows;
}
/** Days with nights of the caller's areas, the latest first, and how many there are. */
export async function findDays(
  db: Db,
  caller: DeviceScope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly days: Day[]; readonly count: number }> {
  const { rows } = await sql<{ day: Day }>`SELECT to_char(n.day, 'YYYY-MM-DD') AS day FROM plan_night n
    WHERE ${seenAreas(caller)} GROUP BY n.day ORDER BY n.day DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`SELECT count(DISTINCT n.day)::int AS n FROM plan_night n
    WHERE ${seenAreas(caller)}`.execute(db);
  return { days: rows.map(({ day }) => day), count: counted[0]?.n ?? 0 };
}
/** Whether there is a night of that day in any area. */
export async function isNight(db: Db, day: Day): Promise<boolean> {
  const { rows } = await sql`SELECT FROM plan_night WHERE day = ${day}::date LIMIT 1`.execute(db);
  return rows.length > 0;
}
/** The last day of which no area of the caller is left to be counted. */
export async function findLastCounted(db: Db, caller: DeviceScope): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day }>`SELECT to_char(n.day, 'YYYY-MM-DD') AS day FROM plan_night n
    WHERE ${seenAreas(caller)} GROUP BY n.day HAVING bool_and(n.report = 'done') ORDER BY n.day DESC LIMIT 1`.execute(
    db,
  );
  return rows[0]?.day;
}

export interface ReasonCount {
  readonly part: Part;
  readonly outcome: 'dark' | NightOutcome;
  readonly reason: NightReason;
  readonly lamps: number;
}
/** The failures of a night by their reason, in its fixed order. */
export async function countReasons(db: Db, caller: DeviceScope, day: Day): Promise<ReasonCount[]> {
  const { rows } = await sql<ReasonCount>`SELECT part, outcome, reason, lamps FROM (
      SELECT l.part, l.outcome, l.reason, count(*)::int AS lamps, min(l.device_id) AS device_id FROM plan_night_lamp l
      WHERE l.day = ${day}::date AND ${seenAreas(caller, 'l.work_area_id')} GROUP BY 1, 2, 3) l
    ORDER BY part, ${byReason}`.execute(db);
  return rows;
}

export interface StoredLamp {
  readonly deviceId: number;
  readonly code: string;
  readonly name: string | null;
  readonly workAreaId: number;
  readonly areaName: string;
  readonly roadName: string | null;
  readonly outcome: 'dark' | NightOutcome;
  readonly reason: NightReason | null;
  readonly since: Date | null;
  readonly detail: string | null;
  readonly stepAt: Date | null;
  readonly expected: number | null;
  readonly observed: number | null;
  readonly readingAt: Date | null;
  readonly misses: number;
}
const columns = sql`l.device_id AS "deviceId", d.equipment_code AS code, d.equipment_name AS name,
  l.work_area_id AS "workAreaId", a.work_name AS "areaName", r.road_name AS "roadName", l.outcome, l.reason, l.since,
  l.detail, l.step_at AS "stepAt", l.expected, l.observed, l.reading_at AS "readingAt", l.misses`;

/** Lamps of a night by their reason. */
export async function findLampPage(
  db: Db,
  caller: DeviceScope,
  asked: LampsAsked,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredLamp[]> {
  const { rows } = await sql<StoredLamp>`SELECT ${columns} FROM ${lampsOf(asked)} JOIN device d ON d.id = l.device_id
    JOIN work_area a ON a.id = l.work_area_id LEFT JOIN road r ON r.id = d.road_id WHERE ${seenLamps(caller, asked)}
    ORDER BY ${byReason} LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}
/** The same by their ids, after a lamp: for files. */
export async function findLampsAfter(
  db: Db,
  caller: DeviceScope,
  asked: LampsAsked,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredLamp[]> {
  const { rows } = await sql<StoredLamp>`SELECT ${columns} FROM ${lampsOf(asked)} JOIN device d ON d.id = l.device_id
    JOIN work_area a ON a.id = l.work_area_id LEFT JOIN road r ON r.id = d.road_id WHERE ${seenLamps(caller, asked)}
      AND l.device_id > ${after} ORDER BY l.device_id LIMIT ${limit}`.execute(db);
  return rows;
}
export async function countLamps(db: Db, caller: DeviceScope, asked: LampsAsked): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${lampsOf(asked)}
    JOIN device d ON d.id = l.device_id WHERE ${seenLamps(caller, asked)}`.execute(db);
  return rows[0]?.n ?? 0;
}
