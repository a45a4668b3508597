import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { ManualSpan } from './lamps.types.ts';

/** Stretches in which executed manual commands are or were in force since `from`; a newer command ends the one before. */
export async function loadManualSpans(db: Db, ids: readonly number[], from: Date): Promise<Map<number, ManualSpan[]>> {
  const { rows } = await sql<{ id: number; commandId: number; command: string; level: number | null; from: Date; until: Date | null }>`
    SELECT i.device_id AS id, i.command_id AS "commandId", c.command, (c.args->>'level')::float8 AS level,
           coalesce(i.executed_at, i.acknowledged_at) AS "from", i.until
    FROM command_item i JOIN command c ON c.id = i.command_id
    WHERE i.device_id = ANY(${ids as number[]}) AND i.acknowledged_at IS NOT NULL AND i.state <> 'failed'
      AND c.command IN ('on', 'off', 'dim', 'auto') AND c.created_at >= ${from}
    ORDER BY i.device_id, i.command_id`.execute(db);
  const spans = new Map<number, ManualSpan[]>();
  for (const row of rows) {
    const list = spans.get(row.id) ?? [];
    const start = row.from.getTime();
    const last = list.at(-1);
    if (last && last.to > start) list[list.length - 1] = { ...last, to: start };
    if (row.command !== 'auto') {
      const level = row.command === 'off' ? 0 : row.command === 'on' ? 100 : (row.level ?? 100);
      list.push({ from: start, to: row.until?.getTime() ?? Number.POSITIVE_INFINITY, level, commandId: row.commandId });
    }
    spans.set(row.id, list);
  }
  return spans;
}
