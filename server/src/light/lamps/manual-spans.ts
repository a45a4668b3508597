import { sql } from 'kysely';
import { familyOf, type Args } from '../../../../catalogue/index.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { Db } from '../../platform/db/index.ts';
import type { ManualSpan } from './lamps.types.ts';

/** What lamps can be commanded that concerns their light. */
const lights = new Map(
  (familyOf(lampFamily)?.commands ?? []).flatMap(({ key, light }) => (light ? [[key, light] as const] : [])),
);

/** The layer of a command by its lane: emergency, manual; a signal of the plan's lane is a linkage. */
const layers = ['emergency', 'manual', 'linkage'] as const;

/**
 * Stretches in which executed manual commands are or were in force since `from`; a newer command ends the one before.
 */
export async function loadManualSpans(db: Db, ids: readonly number[], from: Date): Promise<Map<number, ManualSpan[]>> {
  const { rows } = await sql<{
    id: number;
    commandId: number;
    command: string;
    lane: number;
    args: Args;
    from: Date;
    until: Date | null;
  }>`
    SELECT i.device_id AS id, i.command_id AS "commandId", c.command, c.args, i.lane,
           coalesce(i.executed_at, i.acknowledged_at) AS "from", i.until
    FROM command_item i JOIN command c ON c.id = i.command_id
    WHERE i.device_id = ANY(${ids as number[]}) AND i.acknowledged_at IS NOT NULL AND i.state <> 'failed'
      AND c.command = ANY(${[...lights.keys()]}::text[]) AND c.created_at >= ${from}
      -- Lamps have items of years: the index by device leads to these alone.
      AND i.command_id >= (SELECT min(id + 0) FROM command WHERE created_at >= ${from})
    ORDER BY i.device_id, i.command_id`.execute(db);
  const spans = new Map<number, ManualSpan[]>();
  for (const row of rows) {
    const list = spans.get(row.id) ?? [];
    const start = row.from.getTime();
    const last = list.at(-1);
    if (last && last.to > start) list[list.length - 1] = { ...last, to: start };
    const level = lights.get(row.command)?.(row.args) ?? null;
    if (level !== null) {
      const to = row.until?.getTime() ?? Number.POSITIVE_INFINITY;
      list.push({ from: start, to, level, commandId: row.commandId, layer: layers[row.lane] ?? 'manual' });
    }
    spans.set(row.id, list);
  }
  return spans;
}
