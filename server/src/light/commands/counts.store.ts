import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { openStates } from './commands.rules.ts';

/** What a caller sees of a command; `all` where nothing is hidden, so that no device has to be looked at. */
export interface Sight {
  readonly visible: RawBuilder<SqlBool>;
  readonly all: boolean;
  /**
   * Of kept counts: whether those of the area named `area` are seen, and whether the caller sees single devices of
   * other areas too, which no such counts tell of.
   */
  readonly area: RawBuilder<SqlBool>;
  readonly singly: RawBuilder<SqlBool>;
}

/** Counts of the items the caller sees; of all of them by the index alone. */
const fromItems = ({ visible, all }: Sight) =>
  sql`SELECT i.state, count(*)::int AS n FROM command_item i ${all ? sql`` : sql`JOIN device d ON d.id = i.device_id`}
    WHERE i.command_id = c.id AND ${all ? sql`true` : visible}`;
const summed = (states: RawBuilder<unknown>) =>
  sql`LATERAL (SELECT coalesce(sum(n), 0)::int AS total, coalesce(jsonb_object_agg(state, n), '{}') AS states
    FROM (${states}) s) s`;

/** `total` and `states` of the command `c`, of a row of a list: what has ended is told from what was kept when it ended. */
export const countedOnce = (sight: Sight) => keptWhere(sight, sql`(c.counts IS NOT NULL AND NOT ${sight.singly})`);

/** The same for one command: what was kept counts where its items are not there any more. */
export const countedAlways = (sight: Sight) =>
  keptWhere(
    sight,
    sql`(c.counts IS NOT NULL AND NOT ${sight.singly}
      AND NOT EXISTS (SELECT FROM command_item WHERE command_id = c.id))`,
  );

function keptWhere(sight: Sight, kept: RawBuilder<unknown>) {
  return summed(sql`SELECT state, sum(n::int)::int AS n FROM jsonb_each(c.counts) a(area, part)
    CROSS JOIN LATERAL jsonb_each_text(part) x(state, n) WHERE ${kept} AND ${sight.area} GROUP BY state
    UNION ALL ${fromItems(sight)} AND NOT ${kept} GROUP BY i.state`);
}

const atOnce = 20;

/** What a command came to: how many devices in each state. */
export interface Ended {
  readonly commandId: number;
  readonly command: string;
  readonly states: Readonly<Record<string, number>>;
}

/**
 * Keeps the counts of what has ended and tells each command once; a few at a time, until there are no more. Any process
 * may do it at any time.
 */
export async function keepCounts(db: Db, ended: (command: Ended) => void): Promise<void> {
  for (let kept = atOnce; kept === atOnce;) {
    const { rows } = await sql<{
      id: number;
      command: string;
      counts: Record<string, Record<string, number>>;
    }>`UPDATE command c SET counts = ended.counts
      FROM (SELECT c.id, s.counts FROM command c CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_object_agg(area, states), '{}') AS counts, coalesce(bool_or(open), false) AS open FROM (
            SELECT area, jsonb_object_agg(state, n) AS states, bool_or(state = ANY(${[...openStates]}::text[])) AS open
              FROM (
              SELECT d.work_area_id AS area, i.state, count(*)::int AS n FROM command_item i
                JOIN device d ON d.id = i.device_id WHERE i.command_id = c.id GROUP BY 1, 2) n GROUP BY area) a) s
        WHERE c.counts IS NULL AND NOT s.open ORDER BY c.id LIMIT ${atOnce}) ended
      WHERE c.id = ended.id AND c.counts IS NULL RETURNING c.id, c.command, c.counts`.execute(db);
    for (const { id, command, counts } of rows) ended({ commandId: id, command, states: inAllAreas(counts) });
    kept = rows.length;
  }
}

function inAllAreas(counts: Readonly<Record<string, Readonly<Record<string, number>>>>): Record<string, number> {
  const states: Record<string, number> = {};
  for (const part of Object.values(counts))
    for (const [state, n] of Object.entries(part)) states[state] = (states[state] ?? 0) + n;
  return states;
}
