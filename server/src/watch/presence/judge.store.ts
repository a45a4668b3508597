import { sql } from 'kysely';
import type { Sample } from '../../../../catalogue/alarms/alarm.ts';
import { familyOf, families } from '../../../../catalogue/index.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';
import type { StateName } from '../../light/lamps/index.ts';
import { isExcepted } from '../../light/plans/index.ts';
import type { Judgement } from './judgement.ts';

/**
 * Seconds between two signs of life of the families that are only online or not; the controllers' own period stands
 * with the lamps'.
 */
export const heartbeats: ReadonlyMap<string, number> = new Map(
  families.flatMap(({ key, report }) => (report && key !== lampFamily ? [[key, report.heartbeat] as const] : [])),
);
/**
 * Lamps are judged by what they report; controllers and all other families that report, by whether they are heard of.
 */
const judged = [lampFamily, ...heartbeats.keys()];
/** No manual state lasts longer: commands given before cannot end now, so that old ones need not be looked through. */
const longestManualMs = 25 * 3_600_000;

export interface JudgedDevice {
  id: number;
  family: string;
  workAreaId: number;
  enabled: boolean;
  ratedWatts: number | null;
  createdAt: Date;
  /**
   * When it last showed that it was there: by its newest values, or by anything else it said (`wires/connections`);
   * null: never.
   */
  lastAt: Date | null;
  /** It has ever told a value. */
  reported: boolean;
  /** It has a line of its own, which is up. */
  connected: boolean;
  /** The controller or gateway through which it speaks. */
  parentId: number | null;
  parentFamily: string | null;
  parentCreatedAt: Date | null;
  parentLastAt: Date | null;
  /** It was out of reach already when it was judged last. */
  parentOffline: boolean;
  lighting: string | null;
  contactor: boolean | null;
  contactorAt: Date | null;
}

export async function loadDevices(db: Db, ids: readonly number[]): Promise<JudgedDevice[]> {
  const { rows } = await sql<JudgedDevice>`
    SELECT d.id, d.family, d.work_area_id AS "workAreaId", d.enabled, d.rated_watts AS "ratedWatts",
      d.created_at AS "createdAt",
           greatest(least(l.at, l.received_at), l.heard_at) AS "lastAt", l.at IS NOT NULL AS reported,
           coalesce(l.connected, false) AS connected, p.id AS "parentId", p.family AS "parentFamily",
           p.created_at AS "parentCreatedAt",
           greatest(least(pl.at, pl.received_at), pl.heard_at) AS "parentLastAt",
           coalesce(NOT ps.online, false) AS "parentOffline", o.lighting, c.closed AS contactor, c.at AS "contactorAt"
    FROM device d
    LEFT JOIN device_latest l ON l.device_id = d.id
    LEFT JOIN device pole ON pole.id = d.pole_id AND d.family = ${lampFamily}
    LEFT JOIN loop o ON d.family = ${lampFamily} AND o.id = coalesce(d.loop_id, pole.loop_id)
    LEFT JOIN LATERAL (
      SELECT cl.received_at AS at, (cl.values ->> ('loop' || o.loop_number || 'Contactor'))::boolean AS closed
      FROM device cc JOIN device_latest cl ON cl.device_id = cc.id
      WHERE cc.box_id = o.control_box_id AND cc.family = ${controllerFamily}
        AND cl.values ->> ('loop' || o.loop_number || 'Contactor') IS NOT NULL ORDER BY cl.at DESC LIMIT 1
    ) c ON o.loop_number IS NOT NULL
    LEFT JOIN device p
      ON p.id = coalesce(CASE
      WHEN d.family = ${lampFamily} THEN (SELECT x.id FROM device x
      WHERE x.id = d.parent_id AND x.family = ${controllerFamily}) END, d.gateway_id)
    LEFT JOIN device_latest pl ON pl.device_id = p.id
    LEFT JOIN device_state ps ON ps.device_id = p.id
    WHERE d.id = ANY(${ids as number[]}) AND d.family = ANY(${judged}::text[])`.execute(db);
  return rows;
}

/** How values of each kind are read from a row. */
const sqlTypes = { number: sql`float8`, boolean: sql`boolean`, enum: sql`text` } as const;

/**
 * Samples of devices of one family, of the quantities named, from each device's own `since` on (but not before
 * `from`), of more than `most` the newest; oldest first.
 */
export async function loadSamples(
  db: Db,
  { family, quantities }: { readonly family: string; readonly quantities: readonly string[] },
  devices: readonly { readonly id: number; readonly since: number }[],
  from: Date,
  most: number,
): Promise<Map<number, Sample[]>> {
  const columns = quantities.map((key) => {
    const kind = familyOf(family)?.quantity.get(key)?.kind ?? 'enum';
    return sql`(r.values->>${sql.lit(key)})::${sqlTypes[kind]} AS ${sql.ref(key)}`;
  });
  // The bound for all stands by itself: by it the tables of other days are left out when the query is planned.
  const { rows } = await sql<{ id: number; at: Date; [quantity: string]: unknown }>`
    SELECT w.id, r.at, ${sql.join(columns)}
    FROM unnest(${devices.map(({ id }) => id)}::bigint[],
      ${devices.map(({ since }) => new Date(Math.max(since, from.getTime())))}::timestamptz[]) AS w(id, since)
    CROSS JOIN LATERAL (
      SELECT at, values FROM reading WHERE device_id = w.id AND at >= w.since AND at >= ${from} AND quality <> 2
        ORDER BY at DESC LIMIT ${most}
    ) r`.execute(db);
  const samples = new Map<number, Sample[]>();
  for (const { id, at, ...values } of rows) {
    const list = samples.get(id) ?? [];
    list.push({ ...(values as Omit<Sample, 'at'>), at: at.getTime() });
    samples.set(id, list);
  }
  for (const list of samples.values()) list.sort((a, b) => a.at - b.at);
  return samples;
}

export interface StoredState {
  id: number;
  state: StateName;
  fault: string | null;
  online: boolean;
  lit: boolean | null;
  shouldBeLit: boolean | null;
  level: number | null;
  faultSince: Date | null;
  unpowered: boolean;
  poweredSince: Date | null;
  dueAt: Date | null;
}

/** One judge at a time, over all processes, until the transaction ends. */
export const lockJudging = (tx: Transaction): Promise<void> => takeLock(tx, 'judging');

/** The states as stored. Whoever writes them holds the lock of judging. */
export async function loadStates(tx: Transaction, ids: readonly number[]): Promise<Map<number, StoredState>> {
  const { rows } = await sql<StoredState>`
    SELECT device_id AS id, state, fault, online, lit, should_be_lit AS "shouldBeLit", level,
      fault_since AS "faultSince", unpowered, powered_since AS "poweredSince", due_at AS "dueAt"
    FROM device_state WHERE device_id = ANY(${ids as number[]})`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What was judged of a device, and when time alone may change it. */
export type Judged = Judgement & {
  readonly id: number;
  readonly poweredSince: number | null;
  readonly dueAt: number | null;
};

export async function writeStates(tx: Transaction, now: Date, judged: readonly Judged[]): Promise<void> {
  if (judged.length === 0) return;
  const column = <T>(pick: (row: Judged) => T) => judged.map(pick);
  const times = (pick: (row: Judged) => number | null) =>
    judged.map((row) => {
      const at = pick(row);
      return at === null ? null : new Date(at);
    });
  await sql`
    INSERT INTO device_state AS s (device_id, state, online, lit, should_be_lit, level, fault, fault_since, unpowered,
      powered_since, due_at, since, judged_at)
    SELECT n.id, n.state, n.online, n.lit, n.should, n.level, n.fault, n.fault_since, n.unpowered, n.powered_since,
      n.due_at, ${now}, ${now}
    FROM unnest(${column((r) => r.id)}::bigint[], ${column((r) => r.state)}::text[],
      ${column((r) => r.online)}::boolean[],
      ${column((r) => r.lit)}::boolean[], ${column((r) => r.shouldBeLit)}::boolean[], ${column((r) => r.level)}::real[],
      ${column((r) => r.fault)}::text[], ${times((r) => r.faultSince)}::timestamptz[],
        ${column((r) => r.unpowered)}::boolean[],
      ${times((r) => r.poweredSince)}::timestamptz[], ${times((r) => r.dueAt)}::timestamptz[])
      AS n(id, state, online, lit, should, level, fault, fault_since, unpowered, powered_since, due_at)
    JOIN device d ON d.id = n.id
    ORDER BY n.id
    ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, online = excluded.online, lit = excluded.lit,
      should_be_lit = excluded.should_be_lit, level = excluded.level, fault = excluded.fault,
      fault_since = excluded.fault_since,
      unpowered = excluded.unpowered, powered_since = excluded.powered_since, due_at = excluded.due_at,
      since = CASE WHEN s.state = excluded.state THEN s.since
        ELSE excluded.since END, judged_at = excluded.judged_at`.execute(tx);
}

/** Nothing changed but when time alone may change it. */
export async function writeDue(tx: Transaction, judged: readonly Judged[]): Promise<void> {
  if (judged.length === 0) return;
  await sql`UPDATE device_state s SET due_at = n.due_at
    FROM unnest(${judged.map(({ id }) => id)}::bigint[],
    ${judged.map(({ dueAt }) => (dueAt === null ? null : new Date(dueAt)))}::timestamptz[]) AS n(id, due_at)
    WHERE s.device_id = n.id`.execute(tx);
}

/** The clock was set back: nobody knows any more when what is due. */
export async function dueNow(tx: Transaction, now: Date): Promise<void> {
  await lockJudging(tx);
  await sql`UPDATE device_state SET due_at = ${now}, powered_since = least(powered_since, ${now})
    WHERE due_at > ${now} OR powered_since > ${now}`.execute(tx);
}

/**
 * Devices that time alone may have changed by now, those due longest first; and those whose manual state ended after
 * `since`.
 */
export async function findDue(
  db: Db,
  { since, now }: { readonly since: Date; readonly now: Date },
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (SELECT device_id AS id FROM device_state WHERE due_at <= ${now} ORDER BY due_at LIMIT ${most})
    UNION ALL
    SELECT i.device_id AS id FROM command c JOIN command_item i ON i.command_id = c.id
    WHERE c.created_at > ${new Date(since.getTime() - longestManualMs)} AND c.until > ${since} AND i.until > ${since}
      AND i.until <= ${now}`.execute(db);
  return [...new Set(rows.map((row) => row.id))];
}

/**
 * Devices that were never judged, or whose plan says something else than when they were: a new area, a sun that was
 * moved.
 */
export async function findStrays(
  db: Db,
  areas: readonly { readonly id: number; readonly lit: boolean }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM device d JOIN device_state s ON s.device_id = d.id
    JOIN unnest(${areas.map(({ id }) => id)}::bigint[], ${areas.map(({ lit }) => lit)}::boolean[]) AS a(id, lit)
      ON a.id = d.work_area_id
    WHERE d.family = ${lampFamily} AND d.enabled AND s.should_be_lit IS DISTINCT FROM a.lit
      AND NOT EXISTS (SELECT FROM plan_assignment p WHERE p.device_id = d.id AND p.withdrawn_at IS NULL)
      AND NOT ${isExcepted}
    UNION ALL
    SELECT s.device_id AS id FROM device_state s WHERE s.due_at IS NULL AND s.online
    UNION ALL
    SELECT d.id FROM device d LEFT JOIN device_state s ON s.device_id = d.id
      WHERE s.device_id IS NULL AND d.family = ANY(${judged}::text[])`.execute(db);
  return [...new Set(rows.map((row) => row.id))];
}

/** What is stored of enabled lamps that were given a plan, by id. */
export async function findPlannedStates(
  db: Db,
  after: number,
  most: number,
): Promise<{ readonly id: number; readonly lit: boolean | null }[]> {
  const { rows } = await sql<{ id: number; lit: boolean | null }>`
    SELECT d.id, s.should_be_lit AS lit FROM device d JOIN device_state s ON s.device_id = d.id
    WHERE d.id > ${after} AND d.family = ${lampFamily} AND d.enabled
      AND (EXISTS (SELECT FROM plan_assignment p WHERE p.device_id = d.id AND p.withdrawn_at IS NULL)
        OR ${isExcepted})
    ORDER BY d.id LIMIT ${most}`.execute(db);
  return rows;
}

/** The devices that were heard in the last two minutes of what was heard at all. */
export async function findHeardLast(db: Db): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT device_id AS id FROM device_latest
    WHERE greatest(received_at, heard_at) >= (SELECT max(greatest(received_at, heard_at)) FROM device_latest)
    - interval '2 minutes'`.execute(db);
  return rows.map((row) => row.id);
}

/** What speaks through these controllers and gateways. */
export async function childrenOf(db: Db, controllerIds: readonly number[]): Promise<number[]> {
  if (controllerIds.length === 0) return [];
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM device WHERE (parent_id = ANY(${controllerIds as number[]}) AND family = ${lampFamily})
    OR (gateway_id = ANY(${controllerIds as number[]}) AND family = ANY(${judged}::text[]))`.execute(db);
  return rows.map((row) => row.id);
}
