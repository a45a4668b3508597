import { sql } from 'kysely';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { MaybeCoordinates } from './place.ts';

interface Assigned {
  readonly deviceIds: readonly number[];
  /** Both null: from that day on the lamps follow no plan, as before they were given one. */
  readonly schemeVersionIds: readonly (number | null)[];
  readonly templateVersionIds: readonly (number | null)[];
  readonly fromDay: Day;
  readonly publicationId: number | null;
  readonly by: string;
  readonly at: Date;
  /** Where each stood when this was agreed to; absent: where it stands now. */
  readonly places?: readonly MaybeCoordinates[];
}

/** Gives lamps what they follow from a lighting day on, each its own. What they followed before stays as it was. */
export async function assign(tx: Transaction, assigned: Assigned): Promise<void> {
  if (assigned.deviceIds.length === 0) return;
  const { places } = assigned;
  const agreed = {
    latitudes: places?.map(({ latitude }) => latitude) ?? [],
    longitudes: places?.map(({ longitude }) => longitude) ?? [],
  };
  await sql`INSERT INTO plan_assignment
      (device_id, scheme_version_id, template_version_id, from_day, publication_id, assigned_by, at, latitude, longitude)
    SELECT g.id, g.scheme, g.template, ${assigned.fromDay}::date, ${assigned.publicationId}, ${assigned.by},
      ${assigned.at}, ${places ? sql`g.latitude, g.longitude` : standingAt}
    FROM unnest(${[...assigned.deviceIds]}::bigint[], ${[...assigned.schemeVersionIds]}::bigint[],
      ${[...assigned.templateVersionIds]}::bigint[], ${agreed.latitudes}::float8[], ${agreed.longitudes}::float8[])
      AS g(id, scheme, template, latitude, longitude)
    JOIN device d ON d.id = g.id ${places ? sql`` : standing} ORDER BY g.id`.execute(tx);
}

/** Takes back what each of these lamps was given last. */
export async function takeBack(tx: Transaction, deviceIds: readonly number[], at: Date): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`UPDATE plan_assignment SET withdrawn_at = ${at} WHERE id IN (
    SELECT x.id FROM unnest(${[...deviceIds]}::bigint[]) AS asked(device_id) CROSS JOIN LATERAL (
      SELECT max(own.id) AS id FROM plan_assignment own
      WHERE own.device_id = asked.device_id AND own.withdrawn_at IS NULL) x)`.execute(tx);
}

/** To the device `d`: its pole and its area. */
export const standing = sql`JOIN work_area stands_in ON stands_in.id = d.work_area_id
  LEFT JOIN device stands_at ON stands_at.id = d.pole_id`;
/** Where it stands by the records, latitude and longitude. */
export const standingAt = sql`coalesce(d.latitude, stands_at.latitude, stands_in.latitude),
  coalesce(d.longitude, stands_at.longitude, stands_in.longitude)`;

interface LastAssigned extends MaybeCoordinates {
  readonly schemeVersionId: number | null;
  readonly templateVersionId: number | null;
}

/** What lamps follow last, whatever day it begins: where a return leads. Lamps without a plan have no entry. */
export async function lastAssigned(
  tx: Transaction,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, LastAssigned>> {
  const { rows } = await sql<LastAssigned & { readonly id: number }>`
    SELECT asked.id, x.scheme_version_id AS "schemeVersionId", x.template_version_id AS "templateVersionId",
      x.latitude, x.longitude
    FROM unnest(${[...deviceIds]}::bigint[]) AS asked(id)
    CROSS JOIN LATERAL (SELECT * FROM plan_assignment WHERE device_id = asked.id AND withdrawn_at IS NULL
      ORDER BY from_day DESC, id DESC LIMIT 1) x`.execute(tx);
  return new Map(rows.map(({ id, ...last }) => [id, last]));
}
