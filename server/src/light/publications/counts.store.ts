import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { sightOf, type Sight } from '../commands/index.ts';

/**
 * What a caller sees of rows with lamps: from counts by area where they are kept, so that a list costs nothing by lamps;
 * else from the lamps. Kept counts tell nothing of single devices of other areas.
 */
export interface Counting {
  readonly sight: Sight;
  /** The row has counts that tell all that the caller sees. */
  readonly kept: RawBuilder<SqlBool>;
  /** The caller sees a lamp of it. */
  readonly some: RawBuilder<SqlBool>;
  /** The caller sees every lamp of it. */
  readonly whole: RawBuilder<SqlBool>;
}

/** Of a row `row` with `counts`, whose items are these; `fromItems`: one row is read, and its lamps are counted. */
export function countingOf(
  caller: DeviceScope,
  { row, items, key }: { readonly row: string; readonly items: string; readonly key: string },
  fromItems = false,
): Counting {
  const sight = sightOf(caller);
  const { all, visible, area, singly } = sight;
  const counts = sql.ref(`${row}.counts`);
  const kept = fromItems ? sql<SqlBool>`false` : sql<SqlBool>`(${counts} IS NOT NULL AND NOT ${singly})`;
  const areas = (which: RawBuilder<SqlBool>) =>
    sql<SqlBool>`EXISTS (SELECT FROM jsonb_object_keys(${counts}) k(area) WHERE ${which})`;
  const lamps = (which: RawBuilder<SqlBool>) =>
    sql<SqlBool>`EXISTS (SELECT FROM ${sql.table(items)} i JOIN device d ON d.id = i.device_id
      WHERE ${sql.ref(`i.${key}`)} = ${sql.ref(`${row}.id`)} AND ${which})`;
  return {
    sight,
    kept,
    some: sql<SqlBool>`CASE WHEN ${kept} THEN ${areas(area)} ELSE ${lamps(visible)} END`,
    whole: all
      ? sql<SqlBool>`true`
      : sql<SqlBool>`CASE WHEN ${kept} THEN NOT ${areas(sql`NOT ${area}`)} ELSE NOT ${lamps(sql`NOT ${visible}`)} END`,
  };
}

const atOnce = 20;

/** Keeps the counts of what has ended and of which no lamp is watched or may still report; a few at a time, any process at any time. */
export async function keepCounts(tx: Transaction): Promise<void> {
  await sql`UPDATE publication p SET counts = ended.counts
    FROM (SELECT e.id, s.counts FROM publication e CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(area, states), '{}') AS counts FROM (
          SELECT area, jsonb_object_agg(state, n) AS states FROM (
            SELECT d.work_area_id AS area, i.state, count(*)::int AS n FROM publication_item i
              JOIN device d ON d.id = i.device_id WHERE i.publication_id = e.id GROUP BY 1, 2) n GROUP BY area) a) s
      WHERE e.counts IS NULL AND e.ended_at IS NOT NULL AND NOT EXISTS (SELECT FROM publication_watch w
        WHERE w.publication_id = e.id) ORDER BY e.id LIMIT ${atOnce}) ended
    WHERE p.id = ended.id AND p.counts IS NULL AND p.ended_at IS NOT NULL`.execute(tx);
}

/** Counts of lamps by state of the publication `p`, as far as the caller sees them. */
export const countedStates = ({ sight, kept }: Counting) => sql`LATERAL (SELECT coalesce(sum(n), 0)::int AS seen,
    coalesce(jsonb_object_agg(state, n), '{}') AS states FROM (SELECT state, sum(n)::int AS n FROM (
      SELECT state, n::int AS n FROM jsonb_each(p.counts) a(area, part) CROSS JOIN LATERAL jsonb_each_text(part) x(state, n)
        WHERE ${kept} AND ${sight.area}
      UNION ALL SELECT i.state, count(*)::int FROM publication_item i JOIN device d ON d.id = i.device_id
        WHERE i.publication_id = p.id AND NOT ${kept} AND ${sight.visible} GROUP BY 1) n GROUP BY state) c)`;
