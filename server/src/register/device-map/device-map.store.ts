import { sql } from 'kysely';
import { mapStates, stepsPerDegree } from '../../../../contract/device-map.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { listUnplacedDevices } from '../../../../contract/register/device-map.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';

/** Columns as texts of comma-separated whole numbers: a city is one row, not 200,000. null: there is nothing. */
export interface PlacedTexts {
  readonly ids: string | null;
  readonly kinds: string | null;
  readonly xs: string | null;
  readonly ys: string | null;
}

const own = sql`(d.longitude IS NOT NULL AND d.latitude IS NOT NULL)`;
const atPole = sql`(p.longitude IS NOT NULL AND p.latitude IS NOT NULL)`;
const indexOf = (name: (typeof mapStates)[number]) => sql.lit(mapStates.indexOf(name));

/** `silent`: families that report nothing; `roadId` null: of every road. */
export interface Asked {
  readonly families: readonly string[];
  readonly silent: readonly string[];
  readonly roadId: number | null;
}

/** Everything with a position in the order of places: the pole, then what stands at it. */
export async function findPlaced(
  db: Db,
  scope: DeviceScope,
  { families, silent, roadId }: Asked,
): Promise<PlacedTexts> {
  const { rows } = await sql<PlacedTexts>`
    WITH placed AS (
      SELECT d.id, CASE WHEN ${own} THEN d.id ELSE p.id END AS stand, NOT ${own} AS at_pole,
        array_position(${[...families]}::text[], d.family) - 1 AS family,
        CASE WHEN NOT d.enabled THEN ${indexOf('off')}
          WHEN d.family = ANY(${[...silent]}::text[]) THEN ${indexOf('inUse')}
          ELSE array_position(${[...mapStates]}::text[], coalesce(s.state, 'unknown')) - 1 END AS state,
        round((CASE WHEN ${own} THEN d.longitude ELSE p.longitude END) * ${sql.lit(stepsPerDegree)})::int AS x,
        round((CASE WHEN ${own} THEN d.latitude ELSE p.latitude END) * ${sql.lit(stepsPerDegree)})::int AS y
      FROM device d LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device p ON p.id = d.pole_id
      WHERE ${visibleDevices(scope)} AND d.family = ANY(${[...families]}::text[]) AND (${own} OR ${atPole})
        AND (${roadId}::bigint IS NULL OR d.road_id = ${roadId})
      ORDER BY stand, at_pole, d.id
    )
    SELECT string_agg(id::text, ',') AS ids, string_agg((family * 16 + state * 2 + at_pole::int)::text, ',') AS kinds,
      string_agg(x::text, ',') AS xs, string_agg(y::text, ',') AS ys FROM placed`.execute(db);
  return rows[0] ?? { ids: null, kinds: null, xs: null, ys: null };
}

type Unplaced = ReplyOf<typeof listUnplacedDevices>;

/** What stands nowhere, a page of it in the order of families, and how much there is. */
export async function findUnplaced(
  db: Db,
  scope: DeviceScope,
  families: readonly string[],
  q: string,
  page: { limit: number; offset: number },
): Promise<Unplaced> {
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const from = sql`FROM device d LEFT JOIN device p ON p.id = d.pole_id
    WHERE ${visibleDevices(scope)} AND d.family = ANY(${[...families]}::text[]) AND NOT ${own} AND ${atPole} IS NOT TRUE
      AND (${q} = '' OR (d.equipment_code || ' ' || coalesce(d.equipment_name, '')) ILIKE ${like})`;
  const [data, count] = await Promise.all([
    sql<Unplaced['data'][number]>`SELECT x.*, r.road_name AS "roadName" FROM (
      SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name, d.version, d.road_id,
        array_position(${[...families]}::text[], d.family) AS rank ${from}
      ORDER BY rank, d.equipment_code COLLATE natural_order, d.id LIMIT ${page.limit} OFFSET ${page.offset}) x
      LEFT JOIN road r ON r.id = x.road_id ORDER BY x.rank, x.code COLLATE natural_order, x.id`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n ${from}`.execute(db),
  ]);
  return {
    data: data.rows.map(({ id, family, code, name, roadName, version }) => ({
      id,
      family,
      code,
      name,
      roadName,
      version,
    })),
    recordsTotal: count.rows[0]?.n ?? 0,
  };
}
