import { sql } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { State } from './roller.store.ts';
import { instant } from './spans.query.ts';

const dayMs = 86_400_000;
/**
 * A curve is learned from so many days before, of so many lamps of a model, and so many models at a time: what they are
 * read from is a second or two of work, for which late readings wait.
 */
const learnedDays = 7;
const lampsOfModel = 20;
const usualModels = 100;
/** A level is known when so many lamps were seen at it for so many hours together. */
const fewestLamps = 3;
const fewestHours = 12;
/** So long after a failure nothing is learned; twice as long after every further one, at most a day. */
const firstWait = 600_000;

export interface CurveLearningParts {
  readonly clock: Clock;
  readonly log: Log;
  /** One step as the only roller. */
  readonly step: <T>(work: (tx: Transaction, state: State) => Promise<T>) => Promise<T | undefined>;
  readonly modelsAtOnce?: number | undefined;
}

/**
 * Learns how much of their rated power lamps take at a level, model by model: once a day the models are chosen, each
 * turn learns the next piece of them, until none is left. That it cannot is told once and tried again later: the
 * history is rolled meanwhile.
 */
export function createCurveLearning({ clock, log, step, modelsAtOnce = usualModels }: CurveLearningParts) {
  let failed: { readonly at: number; readonly times: number } | undefined;
  const waits = (times: number): number => Math.min(dayMs, firstWait * 2 ** (times - 1));
  return {
    async turn(): Promise<void> {
      const now = clock.now();
      // A clock that was set back far ends the wait.
      if (failed && Math.abs(now.getTime() - failed.at) < waits(failed.times)) return;
      try {
        await step((tx, { rolledTo }) => chooseModels(tx, rolledTo, now));
        await step((tx, { rolledTo }) => learnModels(tx, modelsAtOnce, rolledTo, now));
        failed = undefined;
      } catch (thrown) {
        failed = { at: now.getTime(), times: (failed?.times ?? 0) + 1 };
        log.error(
          { err: thrown, seconds: waits(failed.times) / 1000 },
          'curves of power could not be learned; tried again later',
        );
        await step((tx) => setBack(tx, modelsAtOnce)).catch(() => undefined);
      }
    },
  };
}

const nextModels = (limit: number) =>
  sql`SELECT manufacturer, model FROM lamp_curve_due ORDER BY tries, manufacturer, model LIMIT ${limit}`;

/** Models that failed together come last from now on: they keep nobody else from being learned. */
const setBack = (tx: Transaction, limit: number) =>
  sql`UPDATE lamp_curve_due SET tries = tries + 1 WHERE (manufacturer, model) IN (${nextModels(limit)})`.execute(tx);

/** Once a day: the lamps of each model that were heard in the last days. Lamps that say nothing are not looked at. */
async function chooseModels(tx: Transaction, rolledTo: number, now: Date): Promise<void> {
  if (!Number.isFinite(rolledTo)) return;
  const { rows } =
    await sql`UPDATE rollup_state SET curves_at = ${now} WHERE curves_at <= ${new Date(now.getTime() - dayMs)}
      OR curves_at > ${now} RETURNING 1`.execute(tx);
  if (rows.length === 0) return;
  // OFFSET 0: photographs are among the properties, which are unpacked once, not for each that is asked for.
  await sql`INSERT INTO lamp_curve_due (manufacturer, model, device_ids)
    SELECT manufacturer, model, array_agg(id)
      FROM (SELECT d.id, coalesce(d.props->>'manufacturer', '') AS manufacturer, d.props->>'model' AS model,
        row_number() OVER (PARTITION BY coalesce(d.props->>'manufacturer', ''), d.props->>'model'
          ORDER BY hashint8(d.id)) AS place
      FROM (SELECT d.id, d.props - 'pic' AS props FROM device d JOIN energy_mark m ON m.device_id = d.id
        WHERE d.family = ${lampFamily} AND d.enabled AND d.rated_watts > 0
          AND m.at >= ${instant(rolledTo - learnedDays * dayMs)}::timestamptz OFFSET 0) d
      WHERE d.props->>'model' <> '') l WHERE place <= ${lampsOfModel} GROUP BY manufacturer, model
        HAVING count(*) >= ${fewestLamps}
    ON CONFLICT (manufacturer, model) DO UPDATE SET device_ids = excluded.device_ids`.execute(tx);
}

/**
 * Takes the next models off the list and learns them from hours in which the level stood still; the middle lamp counts
 * by its middle hour, so that lamps out of order change nothing, however many hours they tell of. A model of which
 * nothing new is known keeps what was learned.
 */
async function learnModels(tx: Transaction, limit: number, rolledTo: number, now: Date): Promise<void> {
  if (!Number.isFinite(rolledTo)) return;
  const since = instant(rolledTo - learnedDays * dayMs);
  // The array of an hour has a quantity where its keys have its number.
  const value = (list: string, key: string) =>
    sql`(${sql.raw(list)})[array_position(h.keys, (SELECT id FROM history_quantity WHERE key = ${key}))]`;
  await sql`WITH taken AS MATERIALIZED (DELETE FROM lamp_curve_due WHERE (manufacturer, model) IN (${nextModels(limit)})
    RETURNING manufacturer, model, device_ids
    ), lamp AS MATERIALIZED (
      SELECT t.manufacturer, t.model, d.id, d.rated_watts FROM taken t CROSS JOIN unnest(t.device_ids) AS l(id)
        JOIN device d ON d.id = l.id WHERE d.rated_watts > 0
    ), seen AS (
      SELECT lamp.manufacturer, lamp.model, lamp.id, round(h.level)::smallint AS level,
        h.power / lamp.rated_watts AS share
      FROM lamp CROSS JOIN LATERAL (
        SELECT ${value('h.means', 'level')} AS level, ${value('coalesce(h.lows, h.means)', 'level')} AS low,
          ${value('coalesce(h.highs, h.means)', 'level')} AS high, ${value('h.means', 'power')} AS power
        FROM reading_hour h WHERE h.device_id = lamp.id AND h.at >= ${since}::timestamptz
          AND h.at < ${instant(rolledTo)}::timestamptz OFFSET 0) h
      WHERE h.level > 0 AND h.low = h.high AND h.power > 0 AND h.power < 1.5 * lamp.rated_watts
    ), known AS (
      SELECT manufacturer, model, level, percentile_cont(0.5) WITHIN GROUP (ORDER BY share) AS share, count(*) AS hours
        FROM seen GROUP BY manufacturer, model, level, id
    ), point AS (
      SELECT manufacturer, model, level, percentile_cont(0.5) WITHIN GROUP (ORDER BY share) AS share,
        count(*)::int AS lamps, sum(hours)::int AS hours
      FROM known GROUP BY manufacturer, model, level HAVING count(*) >= ${fewestLamps} AND sum(hours) >= ${fewestHours}
    )
    INSERT INTO lamp_curve (manufacturer, model, levels, shares, lamps, hours, learned_at)
    SELECT manufacturer, model, array_agg(level ORDER BY level), array_agg(share ORDER BY level), max(lamps),
      sum(hours)::int, ${now} FROM point GROUP BY manufacturer, model
    ON CONFLICT (manufacturer, model) DO UPDATE SET levels = excluded.levels, shares = excluded.shares,
      lamps = excluded.lamps, hours = excluded.hours, learned_at = excluded.learned_at`.execute(tx);
}
