import { sql } from 'kysely';
import type { LearnedCurve } from '../../../../catalogue/lighting/lamp-power.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { lampFamily } from '../lamps/index.ts';
import { instant } from './spans.ts';

const dayMs = 86_400_000;
/** A curve is learned from so many days before, of so many lamps of a model; and of so many lamps altogether, of the commonest models first: what they are read from is a second or two of work, not more. */
const learnedDays = 7;
const lampsOfModel = 20;
const lampsTogether = 2000;
/** A level is known when so many lamps were seen at it for so many hours together. */
const fewestLamps = 3;
const fewestHours = 12;
const againMs = dayMs;

/** What lamps of a model are called by. */
export const modelKey = (manufacturer: string | null, model: string | null): string => `${manufacturer ?? ''}\n${model ?? ''}`;

/** What is known of the lamps of each model. */
export async function loadCurves(db: Db): Promise<ReadonlyMap<string, LearnedCurve>> {
  const rows = await db.selectFrom('lamp_curve').select(['manufacturer', 'model', 'levels', 'shares']).execute();
  return new Map(rows.map(({ manufacturer, model, ...curve }) => [modelKey(manufacturer, model), curve]));
}

/**
 * Once a day: learns how much of their rated power lamps take at a level, model by model, from hours in which the level stood still; the middle lamp counts by its middle hour, so that
 * lamps out of order change nothing, however many hours they tell of. Lamps that say nothing are not looked at. A model of which nothing new is known keeps what was learned.
 */
export async function learnCurves(tx: Transaction, rolledTo: number, now: Date): Promise<void> {
  const { rows } = await sql`UPDATE rollup_state SET curves_at = ${now} WHERE curves_at <= ${new Date(now.getTime() - againMs)} OR curves_at > ${now} RETURNING 1`.execute(tx);
  if (rows.length === 0 || !Number.isFinite(rolledTo)) return;
  const since = instant(rolledTo - learnedDays * dayMs);
  // The array of an hour has a quantity where its keys have its number.
  const value = (list: string, key: string) => sql`(${sql.raw(list)})[array_position(h.keys, (SELECT id FROM history_quantity WHERE key = ${key}))]`;
  // OFFSET 0: photographs are among the properties, which are unpacked once, not for each that is asked for.
  await sql`WITH lamp AS MATERIALIZED (
      SELECT * FROM (SELECT d.id, d.rated_watts, coalesce(d.props->>'manufacturer', '') AS manufacturer, d.props->>'model' AS model,
          row_number() OVER (same ORDER BY hashint8(d.id)) AS place, count(*) OVER same AS many
        FROM (SELECT d.id, d.rated_watts, d.props - 'pic' AS props FROM device d JOIN energy_mark m ON m.device_id = d.id
          WHERE d.family = ${lampFamily} AND d.enabled AND d.rated_watts > 0 AND m.at >= ${since}::timestamptz OFFSET 0) d
        WHERE d.props->>'model' <> '' WINDOW same AS (PARTITION BY coalesce(d.props->>'manufacturer', ''), d.props->>'model')) l
      WHERE place <= ${lampsOfModel} AND many >= ${fewestLamps} ORDER BY many DESC, manufacturer, model LIMIT ${lampsTogether}
    ), seen AS (
      SELECT lamp.manufacturer, lamp.model, lamp.id, round(h.level)::smallint AS level, h.power / lamp.rated_watts AS share
      FROM lamp CROSS JOIN LATERAL (
        SELECT ${value('h.means', 'level')} AS level, ${value('coalesce(h.lows, h.means)', 'level')} AS low, ${value('coalesce(h.highs, h.means)', 'level')} AS high, ${value('h.means', 'power')} AS power
        FROM reading_hour h WHERE h.device_id = lamp.id AND h.at >= ${since}::timestamptz AND h.at < ${instant(rolledTo)}::timestamptz OFFSET 0) h
      WHERE h.level > 0 AND h.low = h.high AND h.power > 0 AND h.power < 1.5 * lamp.rated_watts
    ), known AS (
      SELECT manufacturer, model, level, percentile_cont(0.5) WITHIN GROUP (ORDER BY share) AS share, count(*) AS hours FROM seen GROUP BY manufacturer, model, level, id
    ), point AS (
      SELECT manufacturer, model, level, percentile_cont(0.5) WITHIN GROUP (ORDER BY share) AS share, count(*)::int AS lamps, sum(hours)::int AS hours
      FROM known GROUP BY manufacturer, model, level HAVING count(*) >= ${fewestLamps} AND sum(hours) >= ${fewestHours}
    )
    INSERT INTO lamp_curve (manufacturer, model, levels, shares, lamps, hours, learned_at)
    SELECT manufacturer, model, array_agg(level ORDER BY level), array_agg(share ORDER BY level), max(lamps), sum(hours)::int, ${now} FROM point GROUP BY manufacturer, model
    ON CONFLICT (manufacturer, model) DO UPDATE SET levels = excluded.levels, shares = excluded.shares, lamps = excluded.lamps, hours = excluded.hours, learned_at = excluded.learned_at`.execute(tx);
}
