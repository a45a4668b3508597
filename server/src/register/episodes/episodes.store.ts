import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Static } from 'typebox';
import { alarms } from '../../../../catalogue/faults.ts';
import { lampFamilies } from '../../../../catalogue/lighting/families.ts';
import type { Episode } from '../../../../contract/episodes.ts';
import type { homeChangeKinds } from '../../../../contract/light/home.ts';
import type { Db } from '../../platform/db/index.ts';

type Wire = Static<typeof Episode>;
type Sql = RawBuilder<unknown>;
/**
 * Where two logs tell of the same instant, this one comes first; the place of an entry in the line of time of a device.
 */
export const episodeRanks = { connection: 2, fault: 3 } as const;
type Rank = (typeof episodeRanks)[keyof typeof episodeRanks];

/** `moment`: text with microseconds, as the database has them. */
export interface FoundEpisode {
  readonly moment: string;
  readonly rank: Rank;
  readonly id: number;
  readonly deviceId: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
  readonly episode: Wire;
}
interface Found
  extends Omit<FoundEpisode, 'episode'>, Pick<Wire, 'kind' | 'fault' | 'reason' | 'address' | 'seconds' | 'times'> {
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  readonly lastAt: Date;
  readonly viaId: number | null;
  readonly viaFamily: string;
  readonly viaCode: string;
  readonly viaName: string | null;
}

/** How long a line `c` of the connection log lasted in all, seconds. */
export const connectionSeconds = sql`CASE WHEN c.ended_at IS NULL THEN NULL WHEN c.kind = 'link' THEN c.down_ms / 1000.0
  ELSE extract(epoch FROM c.ended_at - c.began_at) END::float8`;
/** How long a fault `f` lasted, seconds. */
const faultSeconds = sql`extract(epoch FROM f.ended_at - f.began_at)::float8`;

export interface Asked {
  readonly ids: readonly number[];
  /** Narrows a log to what is older than the place where a page begins. */
  readonly older?: (rank: Rank, at: Sql, id: Sql, deviceId: Sql) => RawBuilder<SqlBool>;
  readonly limit: number;
}

/**
 * Faults, outages and interruptions of these devices, those that began last first: of each device so many from the
 * indexes of the logs, then the newest of all.
 */
export async function findEpisodes(
  db: Db,
  { ids, older = () => sql<SqlBool>`true`, limit }: Asked,
): Promise<FoundEpisode[]> {
  const { connection, fault } = episodeRanks;
  const { rows } = await sql<Found>`
    SELECT to_char(e.began_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment, e.rank, e.id,
      d.id AS "deviceId", d.family, d.equipment_code AS code, d.equipment_name AS name,
      e.kind, e.fault, e.reason, e.began_at AS "beganAt", e.ended_at AS "endedAt", e.seconds, e.times,
      e.last_at AS "lastAt", e.address,
      v.id AS "viaId", v.family AS "viaFamily", v.equipment_code AS "viaCode", v.equipment_name AS "viaName"
    FROM (
      SELECT e.* FROM unnest(${[...ids]}::bigint[]) AS one(id) CROSS JOIN LATERAL (
        (SELECT ${connection}::int AS rank, c.id, c.device_id, c.kind, NULL AS fault, c.reason, c.began_at, c.ended_at,
          ${connectionSeconds} AS seconds, c.times, c.last_at, c.address, c.via_id FROM connection_log c
          WHERE c.device_id = one.id AND ${older(connection, sql`c.began_at`, sql`c.id`, sql`c.device_id`)}
            ORDER BY c.began_at DESC, c.id DESC LIMIT ${limit})
        UNION ALL
        (SELECT ${fault}::int, f.id, f.device_id, 'fault', f.fault, NULL, f.began_at, f.ended_at, ${faultSeconds}, 1,
          f.began_at, NULL, NULL FROM fault_log f
          WHERE f.device_id = one.id AND ${older(fault, sql`f.began_at`, sql`f.id`, sql`f.device_id`)}
            ORDER BY f.began_at DESC, f.id DESC LIMIT ${limit})
      ) e ORDER BY e.began_at DESC, e.rank DESC, e.id DESC, e.device_id DESC LIMIT ${limit}
    ) e JOIN device d ON d.id = e.device_id LEFT JOIN device v ON v.id = e.via_id
    ORDER BY e.began_at DESC, e.rank DESC, e.id DESC, e.device_id DESC`.execute(db);
  return rows.map(
    ({
      moment,
      rank,
      id,
      deviceId,
      family,
      code,
      name,
      beganAt,
      endedAt,
      lastAt,
      viaId,
      viaFamily,
      viaCode,
      viaName,
      ...rest
    }) => ({
      moment,
      rank,
      id,
      deviceId,
      family,
      code,
      name,
      episode: {
        kind: rest.kind,
        fault: rest.fault,
        reason: rest.reason,
        address: rest.address,
        beganAt: beganAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
        seconds: rest.seconds,
        times: rest.times,
        lastAt: lastAt.toISOString(),
        via: viaId === null ? null : { id: viaId, family: viaFamily, code: viaCode, name: viaName },
      },
    }),
  );
}

/** What lasts of several devices, told in one line. */
export interface FoundLine {
  /** Its latest change: the last end, or else the last beginning. */
  readonly at: Date;
  readonly kind: (typeof homeChangeKinds)[number];
  readonly fault: Wire['fault'];
  readonly reason: Wire['reason'];
  readonly level: number;
  readonly count: number;
  readonly open: number;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  readonly seconds: number | null;
  readonly times: number;
  readonly lastAt: Date;
  readonly roads: number;
  readonly roadId: number | null;
  readonly roadName: string | null;
  readonly deviceId: number | null;
  readonly code: string | null;
  readonly family: string;
  /** Of all lines, also those beyond the limit; a device of several lines counts once. */
  readonly lines: number;
  readonly devices: number;
}

/** `open`: what goes on now, since whenever. `began`, `ended`: what did in that span. */
export type LineSpan =
  | { readonly of: 'open' }
  | { readonly of: 'began' | 'ended'; readonly from: Date; readonly to: Date };

/** So many devices with one beginning (to the minute) are a line of their own. */
const together = 5;

/**
 * Faults, outages and interruptions, folded: at least 5 devices that began in one minute, of one kind, fault, reason and
 * family, are one line; what began singly is one line of its kind. The worst first, or what ended last. What a lost
 * gateway takes along is its one outage.
 */
export async function findLines(
  db: Db,
  scope: RawBuilder<SqlBool>,
  span: LineSpan,
  limit: number,
): Promise<FoundLine[]> {
  const lasts = (log: 'f' | 'c'): RawBuilder<unknown> =>
    span.of === 'open'
      ? sql`${sql.ref(`${log}.ended_at`)} IS NULL`
      : sql`${sql.ref(`${log}.${span.of === 'began' ? 'began_at' : 'ended_at'}`)} >= ${span.from}
          AND ${sql.ref(`${log}.${span.of === 'began' ? 'began_at' : 'ended_at'}`)} < ${span.to}`;
  const order = span.of === 'ended' ? sql`at DESC, level` : sql`level, count DESC, at DESC`;
  const { rows } = await sql<FoundLine>`
    WITH e AS (
      SELECT f.device_id, 'fault' AS kind, f.fault, NULL AS reason, f.began_at, f.ended_at, ${faultSeconds} AS seconds,
        1 AS times, f.began_at AS last_at FROM fault_log f WHERE ${lasts('f')}
      UNION ALL
      SELECT c.device_id, c.kind, NULL, c.reason, c.began_at, c.ended_at, ${connectionSeconds}, c.times, c.last_at
      FROM connection_log c WHERE c.kind IN ('offline', 'link') AND c.reason <> 'gatewayLost' AND ${lasts('c')}
    ), seen AS (
      SELECT e.*, d.road_id, d.family, d.equipment_code, CASE WHEN count(*) OVER (PARTITION BY
          date_trunc('minute', e.began_at), e.kind, e.fault, e.reason, d.family) >= ${together}::int
        THEN date_trunc('minute', e.began_at) END AS minute
      FROM e JOIN device d ON d.id = e.device_id WHERE d.enabled AND ${scope}
    ), line AS (
      SELECT greatest(max(e.began_at), max(e.ended_at)) AS at, e.kind, e.fault, e.reason, e.family,
        CASE WHEN e.kind = 'fault' THEN coalesce(max(v.level), 3) WHEN e.kind = 'link' THEN 3
          WHEN e.family = ANY(${[...lampFamilies]}::text[]) THEN 2 ELSE 1 END AS level,
        count(DISTINCT e.device_id)::int AS count,
        count(DISTINCT e.device_id) FILTER (WHERE e.ended_at IS NULL)::int AS open,
        min(e.began_at) AS "beganAt", CASE WHEN bool_and(e.ended_at IS NOT NULL) THEN max(e.ended_at) END AS "endedAt",
        CASE WHEN bool_and(e.ended_at IS NOT NULL) THEN max(e.seconds) END AS seconds, sum(e.times)::int AS times,
        coalesce(min(e.last_at) FILTER (WHERE e.ended_at IS NULL), max(e.last_at)) AS "lastAt",
        count(DISTINCT e.road_id)::int AS roads, min(e.road_id) AS road, bool_or(e.road_id IS NULL) AS roadless,
        min(e.device_id) AS device, min(e.equipment_code) AS code
      FROM seen e LEFT JOIN unnest(${[...alarms.keys()]}::text[], ${[...alarms.values()].map((one) => one.level)}::int[])
        AS v(fault, level) ON v.fault = e.fault
      GROUP BY e.minute, e.kind, e.fault, e.reason, e.family
    )
    SELECT l.at, l.kind, l.fault, l.reason, l.family, l.level, l.count, l.open, l."beganAt", l."endedAt", l.seconds,
      l.times, l."lastAt", l.roads, r.id AS "roadId", r.road_name AS "roadName",
      CASE WHEN l.count = 1 THEN l.device END AS "deviceId", CASE WHEN l.count = 1 THEN l.code END AS code,
      (count(*) OVER ())::int AS lines, (SELECT count(DISTINCT device_id) FROM seen)::int AS devices
    FROM line l LEFT JOIN road r ON r.id = l.road AND l.roads = 1 AND NOT l.roadless
    ORDER BY ${order}, l.kind, l."beganAt" DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Takes away what ended longer ago, a bundle at a time; returns whether there may be more. */
export async function forgetFaults(db: Db, before: Date, most: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM fault_log
      WHERE id IN (SELECT id FROM fault_log WHERE began_at < ${before} AND ended_at < ${before} ORDER BY began_at
      LIMIT ${most})`.execute(db);
  return numAffectedRows >= BigInt(most);
}
