import { sql, type RawBuilder } from 'kysely';
import { commandLanes } from '../../../../contract/light/commands.ts';
import type { Db } from '../../platform/db/index.ts';
import { processName } from '../../platform/leases/index.ts';
import type { Changed } from './changes.ts';
import { longestMs } from './commands.rules.ts';
import { handsOff, inHands, inReach, leaseSeconds, markAll, pairs } from './hands.store.ts';
import type { CommandLimits } from './settings.ts';

export interface Claimed extends Changed {
  readonly viaId: number | null;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly until: Date | null;
  readonly clockOffsetMs: number;
  /** Of the command as a whole; cancelled and halted ones are not sent any more. */
  readonly phase: string;
  /** What its caller said; null: the limit for an answer counts alone. */
  readonly expiresAt: Date | null;
  /** The device, and the controller it is spoken to through, are in use. */
  readonly enabled: boolean;
  /** When it was sent that is to be sent once more; null: not yet. */
  readonly sentAt: Date | null;
  /** Grows with every message to anybody. */
  readonly turn: number;
}

/**
 * How much goes at once: to lamps that speak for themselves, and to one gateway of its pace. Who comes with more haste
 * waits for one such step.
 */
const step = { direct: 1000, gateways: 200, seconds: 0.25 };
/** How long a gateway is kept busy by one step. */
export const stepMs = step.seconds * 1000;
const weakestLane = commandLanes.length - 1;

/** The first of every gateway that has something queued, with how strong it is: one step of the index each. */
const heads = sql`head(via_id, lane) AS (
    (SELECT via_id, lane FROM command_item WHERE state = 'queued' ORDER BY via_id, lane LIMIT 1)
    UNION ALL
    SELECT n.via_id, n.lane FROM head h
      CROSS JOIN LATERAL (SELECT via_id, lane FROM command_item WHERE state = 'queued' AND via_id > h.via_id
      ORDER BY via_id, lane LIMIT 1) n)`;

/**
 * Not waited for on the disk: what a crash of the database takes back is sent once more under the same id, and done
 * once.
 */
const lazily = sql`(SELECT set_config('synchronous_commit', 'off', true)) AS lazily`;

/**
 * Takes what goes next: by strength, then by age; of each gateway as much as its pace allows. The row of a gateway's
 * pace is taken by one process at a time and told when the gateway is free again, so that several processes do not
 * double its pace. `process`: who asks. `weakest`: of these lanes alone.
 */
export async function claim(
  db: Db,
  now: Date,
  limits: CommandLimits,
  weakest = weakestLane,
  process = processName,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`WITH RECURSIVE ${heads}, ${freeGateways(now, limits, process, weakest)}, next AS (
      SELECT i.command_id, i.device_id, q.via_id FROM quota q CROSS JOIN LATERAL (
        SELECT command_id, device_id FROM command_item own
        WHERE state = 'queued' AND via_id = q.via_id AND lane <= ${weakest} AND expires_at > ${now}
          AND NOT ${inHands(now, 'own')} AND ${handsOff(now, 'own')}
          AND ${inReach(process, sql`CASE q.via_id WHEN 0 THEN own.device_id ELSE q.via_id END`)}
        ORDER BY lane, queued_at, command_id, device_id LIMIT q.most FOR UPDATE OF own SKIP LOCKED) i
    ), ${paced(now)}
    ${takeNext(now, sql`lane, queued_at, "commandId", "deviceId"`)}`.execute(db);
  return rows;
}

/**
 * Of the gateways in `head` those that are free and in reach of this process, their rows taken, and how much goes to
 * each of them (0: all that speak for themselves).
 */
export const freeGateways = (
  now: Date,
  { gatewayPerSecond }: CommandLimits,
  process: string,
  weakest = weakestLane,
) => sql`gateway AS (
      SELECT p.device_id AS via_id, coalesce(p.per_second, ${gatewayPerSecond}::float8) AS rate FROM head h JOIN command_pace p ON p.device_id = h.via_id
      -- Nobody is free a minute after the next message: then it was a clock that has been put back since.
      WHERE h.lane <= ${weakest} AND (p.free_at <= ${now} OR p.free_at > ${now}::timestamptz + make_interval(secs => 60 + 1 / coalesce(p.per_second, ${gatewayPerSecond}::float8))) AND ${inReach(process, sql`p.device_id`)} ORDER BY h.lane, p.free_at LIMIT ${step.gateways} FOR UPDATE OF p SKIP LOCKED
    ), quota(via_id, most) AS (
      SELECT 0::bigint, ${step.direct}::int FROM ${lazily} UNION ALL SELECT via_id, greatest(1, floor(rate * ${step.seconds}::float8))::int FROM gateway)`;

/** Says when the gateways of `next` are free again. */
export const paced = (now: Date) => sql`paced AS (
      UPDATE command_pace p SET free_at = ${now}::timestamptz + make_interval(secs => n.sent / g.rate)
      FROM (SELECT via_id, count(*)::int AS sent FROM next GROUP BY via_id) n JOIN gateway g USING (via_id)
        WHERE p.device_id = n.via_id)`;

/**
 * Takes what stands in `next`, and says everything that sending it needs, in this order: turns grow along it, whatever
 * plan the database chose. While a clock is in doubt the ends are those of the offset that ends the command earlier: it
 * is never executed late.
 */
export const takeNext = (
  now: Date,
  order: RawBuilder<unknown>,
) => sql`, taken AS (UPDATE command_item i SET claimed_at = ${now} FROM next, command c, device d
      LEFT JOIN device_latest l ON l.device_id = coalesce(d.parent_id, d.id) LEFT JOIN device p ON p.id = d.parent_id
    -- Not told that c.id is i.command_id too: a plan without statistics would look through all items of a command for each of them.
    WHERE i.command_id = next.command_id AND i.device_id = next.device_id AND c.id = next.command_id + 0 AND d.id = i.device_id
    RETURNING i.command_id AS "commandId", i.device_id AS "deviceId", d.parent_id AS "viaId", c.command, c.args, c.phase, c.expires_at AS "expiresAt", i.until, greatest(l.clock_offset_ms, l.clock_doubt_ms, CASE WHEN l.device_id IS NULL THEN 0 END) AS "clockOffsetMs",
      d.enabled AND coalesce(p.enabled, true) AS enabled, CASE i.state WHEN 'sent' THEN i.sent_at END AS "sentAt", i.lane, i.tries, i.queued_at, i.sent_at)
    SELECT "commandId", "deviceId", "viaId", command, args, phase, "expiresAt", until, "clockOffsetMs", enabled, "sentAt", nextval('command_turn') AS turn FROM (SELECT * FROM taken ORDER BY ${order}) t`;

/**
 * When the next gateway with something queued is free again (null: nothing waits for a pace), and gateways that nobody
 * speaks through any more.
 */
export async function nextFree(db: Db, now: Date): Promise<{ at: Date | null; gone: number[] }> {
  const { rows } = await sql<{
    at: Date | null;
    gone: number[];
  }>`WITH RECURSIVE ${heads} SELECT min(p.free_at) FILTER (WHERE p.free_at > ${now}) AS at,
      coalesce(array_agg(h.via_id) FILTER (WHERE p.device_id IS NULL AND h.via_id <> 0), '{}') AS gone FROM head h
        LEFT JOIN command_pace p ON p.device_id = h.via_id`.execute(db);
  return rows[0] ?? { at: null, gone: [] };
}

/**
 * What was queued for gateways that were taken out of the register goes the way its devices are spoken to now. True:
 * some of it.
 */
export async function moveOn(db: Db, gone: readonly number[]): Promise<boolean> {
  const { rows } = await sql`WITH moved AS (
      UPDATE command_item i SET via_id = x.via_id
        FROM (SELECT i.command_id, i.device_id, coalesce(d.parent_id, 0) AS via_id FROM command_item i
        JOIN device d ON d.id = i.device_id
        WHERE i.state = 'queued' AND i.via_id = ANY(${gone as number[]}::bigint[]) FOR UPDATE OF i SKIP LOCKED) x
      WHERE i.command_id = x.command_id AND i.device_id = x.device_id RETURNING i.via_id
    ), known AS (INSERT INTO command_pace (device_id) SELECT DISTINCT via_id FROM moved WHERE via_id <> 0
      ORDER BY via_id ON CONFLICT DO NOTHING)
    SELECT FROM moved LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Said so that no plan walks the whole queue for it: the rows are found by their keys. */
const stillQueued = sql`(i.state || '') = 'queued'`;
const returned = sql`RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`;

/**
 * An answer may be here already: then it stays acknowledged. What nobody else holds is marked at once; what somebody
 * does (the ingest that writes an answer, or another claim that looked at it and did not take it: its locks last as
 * long as its statement) is waited for, in the order of all who wait.
 */
export async function markSent(db: Db, items: readonly Changed[], at: Date, claimedAt: Date): Promise<Changed[]> {
  return markAll(
    items,
    async (some, held) =>
      (
        await sql<Changed>`UPDATE command_item i SET state = 'sent', sent_at = ${at}, tries = i.tries + 1,
          claimed_at = nullif(i.claimed_at, ${claimedAt})
    FROM (SELECT i.command_id, i.device_id FROM command_item i JOIN ${pairs(some)} USING (command_id, device_id)
      CROSS JOIN ${lazily} WHERE ${stillQueued} ${held}) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id ${returned}, i.lane, 'sent' AS step,
      (extract(epoch FROM i.sent_at - i.queued_at) * 1000)::float8 AS "tookMs"`.execute(db)
      ).rows,
  );
}

/**
 * Ends what was claimed and is not to be sent any more: its command was cancelled meanwhile, its device taken out of
 * use, or its wire has no such command.
 */
export async function endClaimed(
  db: Db,
  items: readonly Changed[],
  at: Date,
  { state, error }: { readonly state: 'cancelled' | 'failed'; readonly error: string | null },
): Promise<Changed[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<Changed>`UPDATE command_item i SET state = ${state}, error = ${error}, ended_at = ${at}
      FROM ${pairs(items)}
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id AND ${stillQueued} ${returned}`.execute(db);
  return rows;
}

/**
 * What was claimed of a command that had been halted meanwhile waits with its rest; gone on again meanwhile, it is
 * claimed once more when the lease is over.
 */
export async function holdClaimed(db: Db, items: readonly Changed[], now: Date): Promise<Changed[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<Changed>`UPDATE command_item i SET state = 'waiting', claimed_at = NULL,
      expires_at = least(${new Date(now.getTime() + longestMs)}::timestamptz, c.expires_at, i.until)
    FROM ${pairs(items)}
      JOIN (SELECT id, expires_at FROM command
      WHERE id = ANY(${[...new Set(items.map((item) => item.commandId))]}::bigint[]) AND phase = 'halted'
      ORDER BY id FOR SHARE) c ON c.id = x.command_id
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id AND ${stillQueued} ${returned}`.execute(db);
  return rows;
}

/** Ends what waited too long. What somebody is just sending is not touched: it may be executed. */
export async function timeOut(
  db: Db,
  now: Date,
  { acknowledgeSeconds, confirmSeconds }: CommandLimits,
): Promise<Changed[]> {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const { rows: unsent } = await sql<Changed>`UPDATE command_item i SET ended_at = ${now},
      -- Whoever had it in hand died with it: it may have been told, nobody knows; reading back does.
      state = CASE WHEN i.claimed_at IS NULL THEN 'expired' ELSE 'timedOut' END, error = CASE WHEN i.claimed_at IS NULL THEN 'notSent' ELSE 'noAnswer' END
    FROM (SELECT command_id, device_id FROM command_item WHERE ended_at IS NULL AND state IN ('waiting', 'queued') AND expires_at <= ${now}
      AND (claimed_at IS NULL OR claimed_at < ${before(leaseSeconds)})
      -- What awaits a second person ends as a whole, by the time for that.
      AND NOT EXISTS (SELECT 1 FROM command c WHERE c.id = command_id AND c.phase = 'awaitingApproval') FOR UPDATE SKIP LOCKED) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id ${returned}`.execute(db);
  const { rows: unproved } =
    await sql<Changed>`UPDATE command_item i SET ended_at = ${now}, state = 'timedOut', error = CASE i.state
      WHEN 'sent' THEN 'noAnswer' ELSE 'notConfirmed' END
    FROM (SELECT command_id, device_id FROM command_item WHERE state IN ('sent', 'acknowledged')
      AND ((state = 'sent' AND sent_at <= ${before(acknowledgeSeconds)})
        OR (state = 'acknowledged' AND sent_at <= ${before(confirmSeconds)})) FOR UPDATE SKIP LOCKED) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id ${returned}`.execute(db);
  return [...unsent, ...unproved];
}
