import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { Changed } from './changes.ts';

/** What a process claimed and did not send, because it died, is claimed again by another after so long. */
export const leaseSeconds = 10;
const lease = sql`make_interval(secs => ${sql.lit(leaseSeconds)})`;

/**
 * Whether somebody took an item to send it and has not said yet what became of that. A time ahead of now is of a clock
 * that was put back since.
 */
export const inHands = (now: Date, alias: string): RawBuilder<SqlBool> => {
  const claimedAt = sql.ref(`${alias}.claimed_at`);
  return sql<SqlBool>`(${claimedAt} IS NOT NULL AND ${claimedAt} BETWEEN ${now}::timestamptz - ${lease} AND ${now}::timestamptz + ${lease})`;
};

/** Whether a device may be told something: nothing older of its own is just being sent to it. */
export const handsOff = (now: Date, alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`NOT EXISTS (SELECT 1 FROM command_item h WHERE h.in_hand
    AND h.device_id = ${sql.ref(`${alias}.device_id`)} AND ${inHands(now, 'h')})`;

/**
 * Whether this process can speak to the device `speaker` (itself, or its controller): one that comes by a line is spoken
 * to by the process that has the line. Devices behind the broker have no row: while no device has one, no item is looked
 * up.
 */
export const inReach = (process: string, speaker: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(NOT EXISTS (SELECT 1 FROM device_address) OR NOT EXISTS (SELECT 1 FROM device_address line
    WHERE line.device_id = ${speaker} AND line.holder IS DISTINCT FROM ${process}))`;

/**
 * Items by their keys. How many there are is hidden from the planner: for a thousand it would rather look through a
 * whole table of a hundred thousand.
 */
export const pairs = (items: readonly Changed[]) =>
  sql`unnest((SELECT ${items.map((i) => i.commandId)}::bigint[]), (SELECT ${items.map((i) => i.deviceId)}::bigint[]))
    AS x(command_id, device_id)`;

/**
 * Marks items in two steps: those whose rows are free, then the others, for which it waits. `mark` gets items and how
 * their rows (alias `i`) are locked. Returns what both steps returned.
 */
export async function markAll<T extends Changed>(
  items: readonly Changed[],
  mark: (items: readonly Changed[], held: RawBuilder<unknown>) => Promise<T[]>,
): Promise<T[]> {
  if (items.length === 0) return [];
  const marked = await mark(items, sql`FOR UPDATE OF i SKIP LOCKED`);
  if (marked.length === items.length) return marked;
  const done = new Set(marked.map(keyOf));
  return [
    ...marked,
    ...(await mark(
      items.filter((item) => !done.has(keyOf(item))),
      sql`ORDER BY i.command_id, i.device_id FOR UPDATE OF i`,
    )),
  ];
}

export const keyOf = ({ commandId, deviceId }: Changed): string => `${commandId} ${deviceId}`;

/**
 * Says that these are not being sent any more by whom they were claimed at that time: what is still queued may be taken
 * by others (`retake`; what the broker took is left until the lease is over), and what had to wait for it goes. Whoever
 * is just superseding one of them is waited for. True: something had to wait.
 */
export async function letGo(db: Db, items: readonly Changed[], claimedAt: Date, retake: boolean): Promise<boolean> {
  if (items.length === 0) return false;
  const { rows } = await sql<{
    waited: boolean;
  }>`UPDATE command_item i SET in_hand = false, claimed_at = CASE WHEN i.state = 'queued'
    AND NOT ${retake} THEN i.claimed_at END
    FROM (SELECT i.command_id, i.device_id, i.in_hand FROM command_item i JOIN ${pairs(items)}
      USING (command_id, device_id)
      WHERE (i.state || '') IN ('queued', 'sent', 'superseded') AND i.claimed_at = ${claimedAt}
        ORDER BY i.command_id, i.device_id FOR UPDATE OF i) x
    WHERE i.command_id = x.command_id AND i.device_id = x.device_id RETURNING x.in_hand AS waited`.execute(db);
  return rows.some(({ waited }) => waited);
}

/** Those whose process died keep nobody waiting, and need no place in the index either. */
export async function forgetHands(db: Db, now: Date): Promise<void> {
  await sql`UPDATE command_item i SET in_hand = false WHERE i.in_hand AND NOT ${inHands(now, 'i')}`.execute(db);
}
