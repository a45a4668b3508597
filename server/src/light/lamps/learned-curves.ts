import { sql } from 'kysely';
import type { LearnedCurve } from '../../../../catalogue/lighting/lamp-power.ts';
import type { Db } from '../../platform/db/index.ts';

/**
 * What the history learned of each model: how much of their rated power its lamps take at which level (decision record
 * 26). With `learnedWatts` the one source of the power that is expected, wherever it is told.
 */
export interface LearnedCurves {
  /** Null: nothing was learned of this model. */
  of(manufacturer: string | null, model: string | null): LearnedCurve | null;
}

const keyOf = (manufacturer: string | null, model: string | null): string => `${manufacturer ?? ''}\n${model ?? ''}`;

export async function loadCurves(db: Db): Promise<LearnedCurves> {
  const rows = await db.selectFrom('lamp_curve').select(['manufacturer', 'model', 'levels', 'shares']).execute();
  const known = new Map(rows.map(({ manufacturer, model, ...curve }) => [keyOf(manufacturer, model), curve]));
  return { of: (manufacturer, model) => known.get(keyOf(manufacturer, model)) ?? null };
}

/** That of one lamp's model. */
export async function loadCurveOf(db: Db, lampId: number): Promise<LearnedCurve | null> {
  const { rows } = await sql<LearnedCurve>`SELECT c.levels, c.shares FROM device d
      JOIN lamp_curve c ON c.manufacturer = coalesce(d.props->>'manufacturer', '') AND c.model = d.props->>'model'
      WHERE d.id = ${lampId}`.execute(db);
  return rows[0] ?? null;
}
