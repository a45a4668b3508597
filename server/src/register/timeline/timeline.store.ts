import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Static } from 'typebox';
import type { FieldChange, TimelineEntry } from '../../../../contract/register/device-history.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../devices/index.ts';
import { episodeRanks, findEpisodes as episodesOf, type FoundEpisode } from '../episodes/index.ts';

type Entry = Static<typeof TimelineEntry>;
type Sql = RawBuilder<unknown>;
/** Where a page begins: only what is older. Text with microseconds, as the database has them. */
export interface Place {
  readonly at: string;
  readonly rank: number;
  readonly id: number;
  readonly deviceId: number;
}
/** Equal instants are told in this order, the highest first. */
export const ranks = { change: 0, command: 1, ...episodeRanks } as const;

export interface Asked {
  readonly ids: readonly number[];
  readonly before: Place | null;
  readonly limit: number;
}
export interface Found {
  readonly moment: string;
  readonly id: number;
  readonly deviceId: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
}
export interface FoundCommand extends Found {
  readonly command: string;
  readonly args: Record<string, unknown>;
  readonly reason: string | null;
  readonly actorName: string;
  readonly state: NonNullable<Entry['command']>['item']['state'];
  readonly queuedAt: Date;
  readonly sentAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly endedAt: Date | null;
  readonly until: Date | null;
  readonly error: string | null;
  readonly proof: NonNullable<Entry['command']>['item']['proof'];
  readonly tries: number;
  readonly canary: boolean;
  readonly verification: NonNullable<Entry['command']>['item']['verification'];
}
export interface FoundChange extends Found {
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly source: 'edit' | 'import' | 'import.undo' | 'move';
  readonly importId: number | null;
  readonly note: string | null;
  readonly actorName: string;
  readonly fields: readonly Static<typeof FieldChange>[];
  readonly leftPoleId: number | null;
  readonly gone: boolean;
}

/** What was taken off a pole, as far as a caller sees it. */
export interface Left {
  readonly poleId: number;
  readonly scope: DeviceScope;
}

/** The areas a caller sees, over the change `c` of a device that may be gone. */
function seenAreas({ workAreas, workAreaId }: DeviceScope): RawBuilder<SqlBool> {
  const inside = workAreaId === null ? sql<SqlBool>`true` : sql<SqlBool>`c.work_area_id = ${workAreaId}`;
  return workAreas === 'all' ? inside : sql<SqlBool>`(${inside} AND c.work_area_id = ANY(${[...workAreas]}::bigint[]))`;
}

const moment = (at: Sql) => sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
/** Older than the place; the first condition is what an index can use. */
const older = (before: Place | null, rank: number, at: Sql, id: Sql, deviceId: Sql) =>
  before === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${at} <= ${before.at}::timestamptz AND (${at}, ${rank}::int, ${id}, ${deviceId}) < (${before.at}::timestamptz, ${before.rank}::int, ${before.id}::bigint, ${before.deviceId}::bigint)`;
const each = (ids: readonly number[]) => sql`unnest(${[...ids]}::bigint[]) AS one(id)`;

/** What lasts of these devices, what began last first. */
export const findEpisodes = (db: Db, { ids, before, limit }: Asked): Promise<FoundEpisode[]> =>
  episodesOf(db, { ids, limit, older: (rank, ...columns) => older(before, rank, ...columns) });

/** Commands to these devices, newest first. */
export async function findCommands(db: Db, { ids, before, limit }: Asked): Promise<FoundCommand[]> {
  const { rows } =
    await sql<FoundCommand>`SELECT ${moment(sql`i.queued_at`)} AS moment, i.command_id AS id, d.id AS "deviceId",
      d.family, d.equipment_code AS code, d.equipment_name AS name,
      c.command, c.args, c.reason, c.actor_name AS "actorName", i.state, i.queued_at AS "queuedAt",
      i.sent_at AS "sentAt", i.acknowledged_at AS "acknowledgedAt", i.ended_at AS "endedAt",
      greatest(i.tries, (i.sent_at IS NOT NULL)::int) AS tries, i.until, i.canary, i.error, i.proof, i.verification
    FROM ${each(ids)} JOIN device d ON d.id = one.id
      CROSS JOIN LATERAL (SELECT * FROM command_item i WHERE i.device_id = one.id
      AND ${older(before, ranks.command, sql`i.queued_at`, sql`i.command_id`, sql`i.device_id`)}
        ORDER BY i.queued_at DESC, i.command_id DESC LIMIT ${limit}) i
    JOIN command c ON c.id = i.command_id ORDER BY i.queued_at DESC, i.command_id DESC, i.device_id DESC
      LIMIT ${limit}`.execute(db);
  return rows;
}

/** Changes of these devices and, of a pole, of what was taken off it where the caller sees its area; newest first. */
export async function findChanges(db: Db, { ids, before, limit }: Asked, left: Left | null): Promise<FoundChange[]> {
  const page = sql`${older(before, ranks.change, sql`c.at`, sql`c.id`, sql`c.device_id`)} ORDER BY c.at DESC, c.id DESC
    LIMIT ${limit}`;
  const off =
    left === null
      ? sql``
      : sql`UNION (SELECT c.id FROM device_change c WHERE c.left_pole_id = ${left.poleId} AND ${seenAreas(left.scope)}
        AND ${page})`;
  const { rows } = await sql<FoundChange>`WITH hits
      AS ((SELECT c.id FROM ${each(ids)}
      CROSS JOIN LATERAL (SELECT c.id FROM device_change c WHERE c.device_id = one.id AND ${page}) c) ${off})
    SELECT ${moment(sql`c.at`)} AS moment, c.id, c.device_id AS "deviceId", c.family,
      coalesce(d.equipment_code, c.equipment_code) AS code, d.equipment_name AS name, d.id IS NULL AS gone,
      c.kind, c.source, c.import_id AS "importId", c.note, c.actor_name AS "actorName", c.fields,
      c.left_pole_id AS "leftPoleId"
    FROM hits JOIN device_change c USING (id) LEFT JOIN device d ON d.id = c.device_id ORDER BY c.at DESC, c.id DESC
      LIMIT ${limit}`.execute(db);
  return rows;
}

/** The devices on a pole that the caller sees. */
export async function findMounted(db: Db, poleId: number, visible: RawBuilder<SqlBool>): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT d.id FROM device d WHERE d.pole_id = ${poleId} AND ${visible}`.execute(db);
  return rows.map((row) => row.id);
}
