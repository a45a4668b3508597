import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import type { LineEvent } from './line-journal.ts';

/**
 * What follows so soon is told together, for at most a day: a line that comes and goes is a few rows, not thousands.
 */
const togetherMs = 10 * 60_000;
const longestMs = 86_400_000;

const column = <T>(events: readonly LineEvent[], pick: (event: LineEvent) => T): T[] => events.map(pick);
const given = (
  events: readonly LineEvent[],
) => sql`unnest(${column(events, ({ deviceId }) => deviceId)}::bigint[], ${column(events, ({ at }) => at)}::timestamptz[], ${column(events, ({ what }) => (what === 'refused' ? 'refused' : 'link'))}::text[],
  ${column(events, ({ reason }) => reason ?? 'network')}::text[], ${column(events, ({ address }) => address)}::text[]) AS e(device_id, at, kind, reason, address)`;
/** The row of the same that ended a moment ago. */
const shortlyBefore = sql`(SELECT p.id FROM connection_log p
  WHERE p.device_id = e.device_id AND p.kind = e.kind AND p.reason = e.reason
  AND p.began_at > e.at - make_interval(secs => ${longestMs / 1000})
    AND p.ended_at > e.at - make_interval(secs => ${togetherMs / 1000}) ORDER BY p.began_at DESC, p.id DESC LIMIT 1)`;

/** Lines that came back; of an outage that was judged only a message is the end. */
export async function writeUps(tx: Transaction, events: readonly LineEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`UPDATE connection_log c SET ended_at = greatest(e.at, c.last_at),
    down_ms = c.down_ms + greatest(0, extract(epoch FROM e.at - c.last_at) * 1000)::bigint
    FROM ${given(events)} WHERE c.device_id = e.device_id AND c.ended_at IS NULL AND c.kind = 'link'`.execute(tx);
}

/** Lines that went. A device that is out of reach already stays so. */
export async function writeDowns(tx: Transaction, events: readonly LineEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`WITH known AS (SELECT e.*, ${shortlyBefore} AS before FROM ${given(events)}
    JOIN device d ON d.id = e.device_id),
    free AS (SELECT k.* FROM known k
      WHERE NOT EXISTS (SELECT 1 FROM connection_log o WHERE o.device_id = k.device_id AND o.ended_at IS NULL)),
    again AS (UPDATE connection_log c SET ended_at = NULL, times = c.times + 1, last_at = greatest(f.at, c.began_at)
      FROM free f WHERE c.id = f.before)
    INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at, address)
    SELECT f.device_id, f.kind, f.reason, f.at, f.at, f.at, f.address FROM free f WHERE f.before IS NULL
      ORDER BY f.device_id
    ON CONFLICT (device_id) WHERE ended_at IS NULL DO NOTHING`.execute(tx);
}

/** What is over as soon as it happens: somebody was not let in, or came with the device's name. */
export async function writeMoments(tx: Transaction, events: readonly LineEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`WITH known AS (SELECT e.*, ${shortlyBefore} AS before FROM ${given(events)}
    JOIN device d ON d.id = e.device_id),
    again AS (UPDATE connection_log c SET ended_at = greatest(k.at, c.ended_at), last_at = greatest(k.at, c.ended_at),
      times = c.times + 1, address = coalesce(k.address, c.address) FROM known k WHERE c.id = k.before)
    INSERT INTO connection_log (device_id, kind, reason, began_at, ended_at, noticed_at, last_at, address)
    SELECT k.device_id, k.kind, k.reason, k.at, k.at, k.at, k.at, k.address FROM known k WHERE k.before IS NULL
      ORDER BY k.device_id`.execute(tx);
}
