import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** Kinds of events of a line that are refusals. */
export const refusalKinds = ['denied', 'subscriptionRefused', 'publishRefused', 'messageRefused'] as const;
/** So many refusals of each device stay, however old. */
const keptRefusals = 20;
const dayMs = 86_400_000;

export interface Gathered {
  readonly deviceId: number;
  readonly at: Date;
  readonly kind: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly address: string | null;
  readonly times: number;
}

/**
 * Writes refusals of many devices at once: what is there already with the same words is counted on, and of each device
 * the newest 20 stay.
 */
export async function writeRefusals(tx: Transaction, found: readonly Gathered[]): Promise<void> {
  const column = <T>(pick: (one: Gathered) => T): T[] => found.map(pick);
  await sql`WITH given AS (
      SELECT g.* FROM unnest(${column(({ deviceId }) => deviceId)}::bigint[], ${column(({ at }) => at)}::timestamptz[],
        ${column(({ kind }) => kind)}::text[], ${column(({ reason }) => reason)}::text[],
        ${column(({ detail }) => detail)}::text[], ${column(({ address }) => address)}::text[],
          ${column(({ times }) => times)}::integer[]) WITH ORDINALITY
          AS g(device_id, at, kind, reason, detail, address, times, place) JOIN device d ON d.id = g.device_id
    ), former AS (
      DELETE FROM link_event l USING given g WHERE l.device_id = g.device_id AND l.kind = g.kind
        AND l.reason IS NOT DISTINCT FROM g.reason AND l.detail IS NOT DISTINCT FROM g.detail
      RETURNING l.device_id, l.kind, l.reason, l.detail, l.times
    )
    INSERT INTO link_event (device_id, at, kind, reason, detail, address, times)
    SELECT g.device_id, g.at, g.kind, g.reason, g.detail, g.address,
      least(2000000000, g.times + coalesce((SELECT sum(f.times) FROM former f
      WHERE f.device_id = g.device_id AND f.kind = g.kind AND f.reason IS NOT DISTINCT FROM g.reason
        AND f.detail IS NOT DISTINCT FROM g.detail), 0))::integer
    FROM given g ORDER BY g.place`.execute(tx);
  await keepNewest(tx, sql`device_id = ANY(${[...new Set(column(({ deviceId }) => deviceId))]}::bigint[])`);
}

/** Takes away what is a day old: of refusals only those beyond the newest 20 of their device. */
export async function pruneEvents(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs);
  await db
    .deleteFrom('link_event')
    .where('at', '<', dayAgo)
    .where('kind', 'not in', [...refusalKinds])
    .execute();
  // Whoever was watched has more; each of them grows a day old once.
  await db.transaction().execute((tx) =>
    keepNewest(
      tx,
      sql`device_id IN (SELECT device_id FROM link_event WHERE at BETWEEN ${new Date(dayAgo.getTime() - dayMs / 12)}
          AND ${dayAgo})`,
      dayAgo,
    ),
  );
}

async function keepNewest(tx: Transaction, whose: ReturnType<typeof sql>, before: Date | null = null): Promise<void> {
  await sql`DELETE FROM link_event WHERE id IN (SELECT id FROM (
      SELECT id, at, row_number() OVER (PARTITION BY device_id ORDER BY id DESC) AS place FROM link_event
        WHERE ${whose} AND kind = ANY(${[...refusalKinds]}::text[])) counted
    WHERE place > ${keptRefusals} AND (${before}::timestamptz IS NULL OR at < ${before}::timestamptz))`.execute(tx);
}
