import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { SlowFacts, Trouble, Troubled, TroubledDevice } from './facts.ts';

const mostDevices = 5;
/** What happened within so long is happening now. */
const lately = sql`clock_timestamp() - interval '10 minutes'`;
/**
 * A line that goes so often, and at least once a minute, is a storm; a session that is taken over so often has two
 * owners.
 */
const often = { reconnects: 10, takeovers: 5 };
/** Rows of what follows soon are at most a day long. */
const perMinute = sql`c.began_at > clock_timestamp() - interval '25 hours'
  AND c.times >= extract(epoch FROM c.last_at - c.began_at) / 60`;

/** The clock that is wrong by most comes first: others may only drift. */
const worstClock = sql`(SELECT abs(l.clock_offset_ms) FROM device_latest l WHERE l.device_id = d.id) DESC, `;

/** Devices that make trouble now. `slowed`: ids that the processes tell. */
export async function loadTroubled(db: Db, slowed: readonly number[]): Promise<SlowFacts['troubled']> {
  const whose: Record<Trouble, RawBuilder<unknown>> = {
    deviceSharesId: sql`SELECT c.device_id FROM connection_log c
      WHERE c.reason = 'takenOver' AND c.last_at > ${lately} AND c.times >= ${often.takeovers} AND ${perMinute}`,
    reconnectStorm: sql`SELECT c.device_id FROM connection_log c
      WHERE c.kind = 'link' AND c.reason <> 'takenOver' AND c.last_at > ${lately} AND c.times >= ${often.reconnects}
      AND ${perMinute}`,
    messagesTooLarge: sql`SELECT e.device_id FROM link_event e
      WHERE e.at > ${lately} AND e.reason IN ('tooLarge', 'packetTooLarge')`,
    devicesSlowed: sql`SELECT unnest(${[...slowed]}::bigint[]) AS device_id`,
    // By both ends: as IS NOT NULL a database that has not counted its rows takes it for nearly all of them, and looks
    // through the table.
    clocksWrong: sql`SELECT l.device_id FROM device_latest l
      WHERE l.clock_wrong_since BETWEEN '-infinity' AND 'infinity'`,
  };
  const named = async (trouble: Trouble): Promise<Troubled> => {
    const { rows } = await sql<TroubledDevice & { count: number }>`SELECT d.id, d.family,
      coalesce(nullif(concat_ws(' ', nullif(d.equipment_code, ''), nullif(d.equipment_name, '')), ''), '#' || d.id)
      AS name, count(*) OVER ()::int AS count
      FROM device d WHERE d.id IN (${whose[trouble]})
        ORDER BY ${trouble === 'clocksWrong' ? worstClock : sql``}d.equipment_code, d.id LIMIT ${mostDevices}`.execute(
      db,
    );
    return { count: rows[0]?.count ?? 0, devices: rows.map(({ id, family, name }) => ({ id, family, name })) };
  };
  const [deviceSharesId, reconnectStorm, messagesTooLarge, devicesSlowed, clocksWrong] = await Promise.all([
    named('deviceSharesId'),
    named('reconnectStorm'),
    named('messagesTooLarge'),
    named('devicesSlowed'),
    named('clocksWrong'),
  ]);
  return { deviceSharesId, reconnectStorm, messagesTooLarge, devicesSlowed, clocksWrong };
}
