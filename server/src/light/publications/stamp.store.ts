import { sql, type RawBuilder } from 'kysely';
import { bigints, type Transaction } from '../../platform/db/index.ts';

/** Exceptions that ended so long before are in no plan any more. */
const daysBack = sql`interval '8 days'`;

const hashOf = (...columns: readonly RawBuilder<unknown>[]) =>
  sql`concat(count(*), ' ', sum(hashtextextended(concat_ws(' ', ${sql.join(columns)}), 0)))`;
const numbers = (ids: readonly number[]) => sql`${bigints(ids)}::bigint[]`;

/**
 * A stamp of what planned light of these lamps and of those of their rows is judged by: where they stand and what they
 * are, what they were given, what is on its way to them, their exceptions, holidays. It is another as soon as any of it
 * is. What devices say that they can is none of it: they say it at any time, and are told by it when they are told.
 */
export async function stampOf(tx: Transaction, deviceIds: readonly number[], now: Date): Promise<string> {
  const { rows: around } = await sql<{ stamp: string; lamps: number[] | null }>`
    WITH around AS MATERIALIZED (SELECT DISTINCT p.road_id, p.side
      FROM device d JOIN lamp_position p ON p.pole_id = d.pole_id WHERE d.id = ANY(${numbers(deviceIds)}))
    SELECT ${hashOf(sql`p.pole_id`, sql`p.xmin`, sql`d.id`)} AS stamp, json_agg(DISTINCT d.id) AS lamps
    FROM around a JOIN lamp_position p ON p.road_id = a.road_id AND p.side = a.side
    LEFT JOIN device d ON d.pole_id = p.pole_id`.execute(tx);
  const ids = numbers([...new Set([...deviceIds, ...(around[0]?.lamps ?? []).filter((id) => id !== null)])]);
  const { rows } = await sql<{ stamp: string }>`
    WITH lamps AS MATERIALIZED (SELECT d.id, d.xmin AS of, d.pole_id, d.road_id, d.loop_id, d.work_area_id
      FROM device d WHERE d.id = ANY(${ids})),
    poles AS MATERIALIZED (SELECT p.id, p.xmin AS of, p.road_id, p.loop_id
      FROM device p WHERE p.id IN (SELECT pole_id FROM lamps)),
    places AS (SELECT road_id, loop_id FROM lamps UNION SELECT road_id, loop_id FROM poles)
    SELECT concat_ws(', ',
      (SELECT ${hashOf(sql`id`, sql`of`)} FROM lamps),
      (SELECT ${hashOf(sql`id`, sql`of`)} FROM poles),
      (SELECT ${hashOf(sql`r.id`, sql`r.xmin`)} FROM road r WHERE r.id IN (SELECT road_id FROM places)),
      (SELECT ${hashOf(sql`o.id`, sql`o.xmin`)} FROM loop o WHERE o.id IN (SELECT loop_id FROM places)),
      (SELECT ${hashOf(sql`a.id`, sql`a.xmin`)} FROM work_area a WHERE a.id IN (SELECT work_area_id FROM lamps)),
      (SELECT ${hashOf(sql`g.id`)} FROM plan_assignment g WHERE g.device_id = ANY(${ids}) AND g.withdrawn_at IS NULL),
      (SELECT ${hashOf(sql`i.publication_id`, sql`i.device_id`, sql`i.told_at IS NULL`)}
        FROM publication_item i WHERE i.device_id = ANY(${ids}) AND i.open),
      (SELECT ${hashOf(sql`e.id`, sql`x.device_id`, sql`e.state`, sql`e.holds_from`, sql`e.ended_at`, sql`e.ending`)}
        FROM plan_exception_item x JOIN plan_exception e ON e.id = x.exception_id
        WHERE x.device_id = ANY(${ids}) AND x.cannot IS NULL AND e.to_at > ${now}::timestamptz - ${daysBack}),
      (SELECT ${hashOf(sql`h.country`, sql`h.year`, sql`h.imported_at`)} FROM holiday_year h)) AS stamp`.execute(tx);
  return `${around[0]?.stamp} ${rows[0]?.stamp}`;
}
