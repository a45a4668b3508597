import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { commandOut } from '../../../../protocols/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { announceChanges } from './announce.ts';
import type { Changed } from './commands.store.ts';
import type { CommandLimits } from './limits.ts';

export interface DispatcherParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly broker: Broker;
  readonly log: Log;
  readonly limits: () => Promise<CommandLimits>;
}

export interface Dispatcher {
  /** Sends what is queued, soon. */
  wake(): void;
  /** Sends everything that is queued now. */
  send(): Promise<void>;
  /** Ends what waited too long: unsent ones expire, unanswered and unproved ones time out. */
  endOverdue(): Promise<void>;
  start(): Stop;
}

interface Claimed {
  commandId: number; deviceId: number; viaId: number | null; command: string; args: Record<string, unknown>; until: Date | null; clockOffsetMs: number;
}

const claimSize = 2000;
// What a process claimed and did not send, because it died, is claimed again by another.
const leaseSeconds = 10;
// A controller passes commands on over a slow line: a few at a time.
const perController = { size: 25, pauseMs: 50 };
const direct = { size: 250, pauseMs: 0 };

/** Takes queued items from the table (so a restart loses none), publishes them paced by controller, and watches their time. */
export function createDispatcher({ db, clock, bus, broker, log, limits }: DispatcherParts): Dispatcher {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function send(): Promise<void> {
    while (!stopped && broker.problem() === null) {
      const claimed = await claim(db, clock.now());
      if (claimed.length === 0) return;
      const { acknowledgeSeconds, queueSeconds } = await limits();
      // One lamp that speaks for itself waits for nobody; those of one controller take turns.
      const groups = Map.groupBy(claimed, (item) => item.viaId ?? 0);
      await Promise.all([...groups].map(async ([viaId, items]) => {
        const pace = viaId === 0 ? direct : perController;
        for (let at = 0; at < items.length; at += pace.size) {
          if (at > 0 && pace.pauseMs > 0) await sleep(pace.pauseMs);
          await publish(items.slice(at, at + pace.size), acknowledgeSeconds, queueSeconds);
        }
      }));
    }
  }

  async function publish(items: readonly Claimed[], acknowledgeSeconds: number, queueSeconds: number): Promise<void> {
    const now = clock.now();
    const expiresAt = now.getTime() + acknowledgeSeconds * 1000;
    const results = await Promise.allSettled(items.map((item) => {
      const { topic, payload } = commandOut({ ...item, issuedAt: now.getTime(), expiresAt, until: item.until?.getTime() ?? null });
      return broker.publish(topic, payload);
    }));
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed >= 0) log.warn({ reason: reasonOf((results[failed] as PromiseRejectedResult).reason) }, 'commands could not be handed to the broker; trying on');
    announceChanges(bus, await markSent(db, items.filter((_item, index) => results[index]?.status === 'fulfilled'), now, new Date(expiresAt)));
    await release(db, items.filter((_item, index) => results[index]?.status === 'rejected'), queueSeconds);
    if (failed >= 0) await sleep(1000);
  }

  function wake(): void {
    again = true;
    running ??= (async () => {
      try {
        while (again && !stopped) {
          again = false;
          await send();
        }
      } catch (thrown) {
        log.warn({ reason: reasonOf(thrown) }, 'queued commands could not be sent; trying on');
      } finally {
        running = undefined;
      }
    })();
  }

  async function endOverdue(): Promise<void> {
    announceChanges(bus, await timeOut(db, clock.now(), await limits()));
  }

  return {
    wake, send, endOverdue,
    start() {
      const stops = [clock.every(1000, wake), clock.every(1000, endOverdue)];
      wake();
      return () => {
        stopped = true;
        stops.forEach((stop) => stop());
      };
    },
  };
}

async function claim(db: Db, now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`WITH next AS (
      SELECT command_id, device_id FROM command_item
      WHERE state = 'queued' AND expires_at > ${now} AND (sent_at IS NULL OR sent_at < ${now}::timestamptz - make_interval(secs => ${leaseSeconds}))
      ORDER BY queued_at, command_id, device_id LIMIT ${claimSize} FOR UPDATE SKIP LOCKED
    )
    UPDATE command_item i SET sent_at = ${now} FROM next, command c, device d
      LEFT JOIN device_latest l ON l.device_id = coalesce(d.parent_id, d.id)
    WHERE i.command_id = next.command_id AND i.device_id = next.device_id AND c.id = i.command_id AND d.id = i.device_id
    RETURNING i.command_id AS "commandId", i.device_id AS "deviceId", d.parent_id AS "viaId", c.command, c.args, i.until, coalesce(l.clock_offset_ms, 0) AS "clockOffsetMs"`.execute(db);
  return rows;
}

const pairs = (items: readonly Changed[]) => sql`unnest(${items.map((i) => i.commandId)}::bigint[], ${items.map((i) => i.deviceId)}::bigint[]) AS x(command_id, device_id)`;
const returned = sql`RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`;

/**
 * An answer may be here already: then it stays acknowledged. Items that the ingest is just writing are left to it (waiting for each
 * other's items the two would lock up); should it fail, the lease runs out and they are sent again.
 */
async function markSent(db: Db, items: readonly Changed[], at: Date, expiresAt: Date): Promise<Changed[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<Changed>`UPDATE command_item i SET state = 'sent', sent_at = ${at}, expires_at = ${expiresAt}
    FROM (SELECT i.command_id, i.device_id FROM command_item i JOIN ${pairs(items)} USING (command_id, device_id) WHERE i.state = 'queued' FOR UPDATE OF i SKIP LOCKED) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id ${returned}`.execute(db);
  return rows;
}

async function release(db: Db, items: readonly Changed[], queueSeconds: number): Promise<void> {
  if (items.length === 0) return;
  await sql`UPDATE command_item i SET sent_at = NULL, expires_at = i.queued_at + make_interval(secs => ${queueSeconds}) FROM ${pairs(items)}
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id AND i.state = 'queued'`.execute(db);
}

async function timeOut(db: Db, now: Date, { acknowledgeSeconds, confirmSeconds }: CommandLimits): Promise<Changed[]> {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const { rows } = await sql<Changed>`UPDATE command_item i SET ended_at = ${now},
      state = CASE WHEN i.state = 'queued' THEN 'expired' ELSE 'timedOut' END,
      error = CASE i.state WHEN 'queued' THEN 'notSent' WHEN 'sent' THEN 'noAnswer' ELSE 'notConfirmed' END
    FROM (SELECT command_id, device_id FROM command_item
      WHERE state IN ('queued', 'sent', 'acknowledged') AND ((state = 'queued' AND expires_at <= ${now})
        OR (state = 'sent' AND sent_at <= ${before(acknowledgeSeconds)}) OR (state = 'acknowledged' AND sent_at <= ${before(confirmSeconds)}))
      FOR UPDATE SKIP LOCKED) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id ${returned}`.execute(db);
  return rows;
}
