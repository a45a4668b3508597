import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { NightOutcome, NightReason } from '../../../../catalogue/lighting/nights.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { rehearsalPhases, reportPhases } from '../../../../contract/light/nights.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

export type RehearsalPhase = (typeof rehearsalPhases)[number];
export type ReportPhase = (typeof reportPhases)[number];

/** A night of a work area. */
export interface NightKey {
  readonly workAreaId: number;
  readonly day: Day;
}
export interface Night {
  readonly firstOn: Date | null;
  readonly lookedAt: Date | null;
  readonly rehearsal: RehearsalPhase;
  readonly rehearsedTo: number;
  readonly commandId: number | null;
  readonly askedAt: Date | null;
  readonly report: ReportPhase;
  readonly reportedTo: number;
}

const select = ({ workAreaId, day }: NightKey) => sql`SELECT first_on AS "firstOn", looked_at AS "lookedAt", rehearsal,
    rehearsed_to AS "rehearsedTo", command_id AS "commandId", asked_at AS "askedAt", report,
    reported_to AS "reportedTo"
  FROM plan_night WHERE work_area_id = ${workAreaId} AND day = ${day}::date`;

export async function findNight(db: Db, key: NightKey): Promise<Night | undefined> {
  return (await sql<Night>`${select(key)}`.execute(db)).rows[0];
}
/** The same, held until the transaction ends: what is decided about it is decided once. */
export async function holdNight(tx: Transaction, key: NightKey): Promise<Night | undefined> {
  return (await sql<Night>`${select(key)} FOR NO KEY UPDATE`.execute(tx)).rows[0];
}

/** When the lamps of an area go on first; not changed any more once they are asked. */
export async function writeLook(db: Db, { workAreaId, day }: NightKey, firstOn: Date | null, at: Date): Promise<void> {
  await sql`INSERT INTO plan_night (work_area_id, day, first_on, looked_at)
    SELECT id, ${day}::date, ${firstOn}::timestamptz, ${at}::timestamptz FROM work_area WHERE id = ${workAreaId}
    ON CONFLICT (work_area_id, day) DO UPDATE SET first_on = excluded.first_on, looked_at = excluded.looked_at
      WHERE plan_night.rehearsal = 'planned'`.execute(db);
}
/** A night that is counted without having been looked at before. */
export async function addNight(db: Db, { workAreaId, day }: NightKey): Promise<void> {
  await sql`INSERT INTO plan_night (work_area_id, day) SELECT id, ${day}::date FROM work_area WHERE id = ${workAreaId}
    ON CONFLICT DO NOTHING`.execute(db);
}

export interface RehearsalStep {
  readonly phase: RehearsalPhase;
  readonly to: number;
  readonly commandId?: number;
  readonly askedAt?: Date;
  readonly listedAt?: Date;
  /** Added to the numbers of lamps. */
  readonly lit?: number;
  readonly unasked?: number;
}
export async function writeRehearsal(
  tx: Transaction,
  { workAreaId, day }: NightKey,
  step: RehearsalStep,
): Promise<void> {
  await sql`UPDATE plan_night SET rehearsal = ${step.phase}, rehearsed_to = ${step.to},
      command_id = coalesce(${step.commandId ?? null}::bigint, command_id),
      asked_at = coalesce(${step.askedAt ?? null}::timestamptz, asked_at),
      listed_at = coalesce(${step.listedAt ?? null}::timestamptz, listed_at),
      lit = lit + ${step.lit ?? 0}, unasked = unasked + ${step.unasked ?? 0}
    WHERE work_area_id = ${workAreaId} AND day = ${day}::date`.execute(tx);
}

export interface ReportStep {
  readonly phase: ReportPhase;
  readonly to: number;
  readonly counts: Readonly<Partial<Record<NightOutcome, number>>>;
  readonly at: Date | null;
}
export async function writeReport(tx: Transaction, { workAreaId, day }: NightKey, step: ReportStep): Promise<void> {
  await sql`UPDATE plan_night SET report = ${step.phase}, reported_to = ${step.to}, reported_at = ${step.at},
      counts = (SELECT coalesce(jsonb_object_agg(key, n), '{}') FROM (SELECT key, sum(value::int) AS n FROM (
        SELECT key, value FROM jsonb_each_text(counts)
        UNION ALL SELECT key, value FROM jsonb_each_text(${JSON.stringify(step.counts)}::jsonb)) a GROUP BY key) s)
    WHERE work_area_id = ${workAreaId} AND day = ${day}::date`.execute(tx);
}

export interface NightLamp {
  readonly id: number;
  readonly deviceId: number;
  readonly workAreaId: number;
  readonly viaId: number;
  readonly ratedWatts: number | null;
  readonly createdAt: Date;
  /** The server's clock minus the device's, ms. */
  readonly clockOffsetMs: number;
  /** Its loop has no power now. */
  readonly unpowered: boolean;
  /** When its loop is switched on by plan; null: nobody said that it is switched. */
  readonly lighting: string | null;
}
const lampColumns = sql`SELECT d.id, d.id AS "deviceId", d.work_area_id AS "workAreaId",
    coalesce(d.parent_id, 0) AS "viaId", d.rated_watts AS "ratedWatts", d.created_at AS "createdAt",
    coalesce(k.clock_offset_ms, 0) AS "clockOffsetMs", coalesce(s.unpowered, false) AS unpowered,
    o.lighting
  FROM device d LEFT JOIN device pole ON pole.id = d.pole_id LEFT JOIN loop o ON o.id = coalesce(d.loop_id, pole.loop_id)
  LEFT JOIN device_latest k ON k.device_id = coalesce(d.parent_id, d.id)
  LEFT JOIN device_state s ON s.device_id = d.id`;
/** Enabled lamps of an area after a device, by id. */
export async function findNightLamps(db: Db, workAreaId: number, after: number, limit: number): Promise<NightLamp[]> {
  const { rows } = await sql<NightLamp>`${lampColumns} WHERE d.work_area_id = ${workAreaId} AND d.family = ${lampFamily}
    AND d.enabled AND d.id > ${after} ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** What is kept of a lamp that will not light, or did not run its plan. */
export interface Failure {
  readonly deviceId: number;
  readonly outcome: 'dark' | Exclude<NightOutcome, 'ran' | 'plannedDark'>;
  readonly reason: NightReason;
  readonly since: Date | null;
  readonly detail: string | null;
  readonly stepAt: Date | null;
  readonly expected: number | null;
  readonly observed: number | null;
  readonly readingAt: Date | null;
  readonly misses: number;
}
export type Part = 'rehearsal' | 'report';

/** Writes failures of a part of a night; of a lamp that is written already what holds now. */
export async function writeFailures(
  tx: Transaction,
  { workAreaId, day }: NightKey,
  part: Part,
  failures: readonly Failure[],
): Promise<void> {
  if (failures.length === 0) return;
  const times = (pick: (one: Failure) => Date | null) => failures.map((one) => pick(one)?.toISOString() ?? null);
  await sql`INSERT INTO plan_night_lamp (day, part, work_area_id, device_id, outcome, reason, since, detail, step_at,
      expected, observed, reading_at, misses)
    SELECT ${day}::date, ${part}::text, ${workAreaId}::bigint, n.* FROM unnest(${failures.map((one) => one.deviceId)}::bigint[],
      ${failures.map((one) => one.outcome)}::text[], ${failures.map((one) => one.reason)}::text[],
      ${times((one) => one.since)}::timestamptz[], ${failures.map((one) => one.detail)}::text[],
      ${times((one) => one.stepAt)}::timestamptz[], ${failures.map((one) => one.expected)}::real[],
      ${failures.map((one) => one.observed)}::real[], ${times((one) => one.readingAt)}::timestamptz[],
      ${failures.map((one) => one.misses)}::integer[])
      AS n(id, outcome, reason, since, detail, step_at, expected, observed, reading_at, misses)
    JOIN device d ON d.id = n.id
    ON CONFLICT (day, part, work_area_id, device_id) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason,
      since = excluded.since, detail = excluded.detail`.execute(tx);
}
/** Lamps of the list of a rehearsal after a device, by id. */
export async function findListed(
  db: Db,
  { workAreaId, day }: NightKey,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT device_id AS id FROM plan_night_lamp WHERE day = ${day}::date
    AND part = 'rehearsal' AND work_area_id = ${workAreaId} AND device_id > ${after} ORDER BY device_id
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
/** Takes lamps from the list of a rehearsal. */
export async function removeListed(
  tx: Transaction,
  { workAreaId, day }: NightKey,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`DELETE FROM plan_night_lamp WHERE day = ${day}::date AND part = 'rehearsal' AND work_area_id = ${workAreaId}
    AND device_id = ANY(${[...ids]}::bigint[])`.execute(tx);
}
/** Lamps that the pattern left dark, of those after a device. */
export async function writeDark(
  tx: Transaction,
  { workAreaId, day }: NightKey,
  after: number,
  lamps: readonly number[],
): Promise<void> {
  if (lamps.length === 0) return;
  await sql`INSERT INTO plan_night_dark (work_area_id, day, after, lamps)
    VALUES (${workAreaId}, ${day}::date, ${after}, ${[...lamps]}::bigint[])`.execute(tx);
}

/** The first night of an area that there is anything of. */
export async function findFirstNight(db: Db, workAreaId: number): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day }>`SELECT to_char(day, 'YYYY-MM-DD') AS day FROM plan_night
    WHERE work_area_id = ${workAreaId} AND report = 'done' ORDER BY day LIMIT 1`.execute(db);
  return rows[0]?.day;
}
/** Nights of an area since a day that are counted. */
export async function findCounted(db: Db, workAreaId: number, since: Day): Promise<ReadonlySet<Day>> {
  const { rows } = await sql<{ day: Day }>`SELECT to_char(day, 'YYYY-MM-DD') AS day FROM plan_night
    WHERE work_area_id = ${workAreaId} AND day >= ${since}::date AND report = 'done'`.execute(db);
  return new Set(rows.map(({ day }) => day));
}
/** The questions of nights since a day whose lamps went on before an instant. */
export async function findQuestions(db: Db, since: Day, litBefore: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT command_id AS id FROM plan_night
    WHERE day >= ${since}::date AND command_id IS NOT NULL AND first_on < ${litBefore}`.execute(db);
  return rows.map(({ id }) => id);
}
/** Nights before a day go, with what belongs to them; some at a time. */
export async function pruneNights(db: Db, before: Day, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM plan_night n USING (SELECT work_area_id, day FROM plan_night
      WHERE day < ${before}::date ORDER BY day LIMIT ${limit}) x
    WHERE n.work_area_id = x.work_area_id AND n.day = x.day`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** These lamps, by id; disabled ones are left out. */
export async function findTheseLamps(db: Db, ids: readonly number[]): Promise<NightLamp[]> {
  const { rows } = await sql<NightLamp>`${lampColumns} WHERE d.id = ANY(${[...ids]}::bigint[]) AND d.enabled
    ORDER BY d.id`.execute(db);
  return rows;
}

export async function findAreaNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`SELECT id, work_name AS name FROM work_area
    WHERE id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
