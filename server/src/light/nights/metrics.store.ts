import { sql } from 'kysely';
import type { NightOutcome } from '../../../../catalogue/lighting/nights.ts';
import type { Db } from '../../platform/db/index.ts';

/** The last night whose lamps were listed before dusk, all its work areas together. */
interface LastRehearsal {
  readonly at: Date;
  readonly lit: number;
  readonly unasked: number;
  readonly dark: number;
}
export async function findLastRehearsal(db: Db): Promise<LastRehearsal | undefined> {
  const { rows } = await sql<LastRehearsal>`WITH last AS (SELECT day FROM plan_night WHERE listed_at IS NOT NULL
      ORDER BY day DESC LIMIT 1)
    SELECT max(n.listed_at) AS at, sum(n.lit)::int AS lit, sum(n.unasked)::int AS unasked,
      (SELECT count(*)::int FROM plan_night_lamp l WHERE l.day = last.day AND l.part = 'rehearsal') AS dark
    FROM last JOIN plan_night n ON n.day = last.day GROUP BY last.day`.execute(db);
  return rows[0];
}

/** The last night that was counted, all its work areas together that are counted. */
interface LastReport {
  readonly at: Date;
  readonly counts: Readonly<Partial<Record<NightOutcome, number>>>;
}
export async function findLastReport(db: Db): Promise<LastReport | undefined> {
  const { rows } = await sql<LastReport>`WITH last AS (SELECT day FROM plan_night WHERE report = 'done'
      ORDER BY day DESC LIMIT 1),
    counted AS (SELECT n.reported_at, n.counts FROM last JOIN plan_night n ON n.day = last.day AND n.report = 'done')
    SELECT max(reported_at) AS at, (SELECT coalesce(jsonb_object_agg(key, lamps), '{}') FROM (
        SELECT key, sum(value::int) AS lamps FROM counted CROSS JOIN LATERAL jsonb_each_text(counts) GROUP BY key) s)
      AS counts
    FROM counted HAVING count(*) > 0`.execute(db);
  return rows[0];
}
