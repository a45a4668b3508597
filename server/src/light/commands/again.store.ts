import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { processName } from '../../platform/leases/index.ts';
import type { Changed } from './changes.ts';
import { handsOff, inHands, inReach, markAll, pairs } from './hands.store.ts';
import { freeGateways, paced, takeNext, type Claimed } from './queue.store.ts';
import type { CommandLimits } from './settings.ts';

/** No more than these are looked at at once: several times what all gateways take until the next look. */
const most = 20_000;

/**
 * Takes what was sent and not answered, to be sent once more under its id: after the first time, then after twice as
 * long each time, as long as an answer would still count. It uses what the queue leaves of each gateway's pace; within
 * a lane who was told least often, then who is silent longest.
 */
export async function claimUnanswered(
  db: Db,
  now: Date,
  limits: CommandLimits,
  process = processName,
): Promise<Claimed[]> {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const { repeatSeconds, acknowledgeSeconds } = limits;
  // Said of the row that was looked at, and again of the row that is taken: another process may have told it once more
  // in between.
  const isDue = (alias: string) => {
    const [tries, sentAt] = [sql.ref(`${alias}.tries`), sql.ref(`${alias}.sent_at`)];
    return sql`${tries} > 0 AND ${sentAt} <= ${now}::timestamptz - make_interval(secs => ${repeatSeconds}::float8 * (power(2, ${tries}) - 1)) AND NOT ${inHands(now, alias)}`;
  };
  const { rows } = await sql<Claimed>`WITH due AS (
      SELECT i.command_id, i.device_id, i.via_id, i.lane, i.tries, i.sent_at FROM command_item i
        JOIN command c ON c.id = i.command_id JOIN device d ON d.id = i.device_id
        LEFT JOIN device p ON p.id = d.parent_id
      WHERE i.state = 'sent' AND i.sent_at > ${before(acknowledgeSeconds)} AND i.sent_at <= ${before(repeatSeconds)}
        AND ${isDue('i')}
        AND (i.until IS NULL OR i.until > ${now}) AND (c.expires_at IS NULL OR c.expires_at > ${now})
          AND c.phase NOT IN ('cancelled', 'halted')
        AND d.enabled AND coalesce(p.enabled, true) AND ${handsOff(now, 'i')}
        AND ${inReach(process, sql`CASE i.via_id WHEN 0 THEN i.device_id ELSE i.via_id END`)}
      ORDER BY i.sent_at LIMIT ${most}
    ), head AS (SELECT via_id, min(lane) AS lane FROM due WHERE via_id <> 0 GROUP BY via_id),
      ${freeGateways(now, limits, process)},
    next AS (
      SELECT i.command_id, i.device_id, x.via_id
        FROM (SELECT d.*, row_number() OVER (PARTITION BY d.via_id
        ORDER BY d.lane, d.tries, d.sent_at, d.device_id, d.command_id) AS place FROM due d) x
        JOIN quota q ON q.via_id = x.via_id AND x.place <= q.most
          JOIN command_item i ON i.command_id = x.command_id AND i.device_id = x.device_id AND (i.state || '') = 'sent'
          AND ${isDue('i')}
      FOR UPDATE OF i SKIP LOCKED
    ), ${paced(now)}
    ${takeNext(now, sql`lane, tries, sent_at, "deviceId", "commandId"`)}`.execute(db);
  return rows;
}

/** What was sent once more. Whoever answered meanwhile stays answered. */
export async function markRepeated(db: Db, items: readonly Changed[]): Promise<Changed[]> {
  return markAll(
    items,
    async (some, held) =>
      (
        await sql<Changed>`UPDATE command_item i SET tries = i.tries + 1
    FROM (SELECT i.command_id, i.device_id FROM command_item i JOIN ${pairs(some)} USING (command_id, device_id)
      WHERE (i.state || '') = 'sent' ${held}) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id
      RETURNING i.command_id AS "commandId", i.device_id AS "deviceId"`.execute(db)
      ).rows,
  );
}
