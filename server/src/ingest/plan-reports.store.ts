import { sql, type SqlBool } from 'kysely';
import { bigints, jsons, type Transaction } from '../platform/db/index.ts';

/** What a device said of its plan; undefined: not said, what is stored stays. */
export interface PlanReport {
  readonly deviceId: number;
  readonly planHash: string | null | undefined;
  /** As JSON. */
  readonly capabilities: string | undefined;
  /** When its clock was last set, epoch ms by that clock. */
  readonly clockAt: number | undefined;
  /** It says the hash now. */
  readonly live: boolean;
}

/** It says that it can something else: what was found of it as it was before holds no more. */
const saysOther = sql<SqlBool>`(r.capabilities IS NOT NULL
  AND r.capabilities IS DISTINCT FROM o.capabilities - 'foundBytes')`;

/** It says nothing else than what stands there by now, beside what was found meanwhile. */
const isSame = sql<SqlBool>`(coalesce(excluded.capabilities, '{}') - 'foundBytes'
  = coalesce(p.capabilities, '{}') - 'foundBytes' AND (p.capabilities ? 'foundBytes'))`;

/**
 * What devices run and can. `reported_at` is when a device first said the hash that it says now; of one that was told a
 * plan meanwhile, when it first said it after that. Returns the devices of which anything changed.
 */
export async function writePlanReports(tx: Transaction, reports: readonly PlanReport[], now: Date): Promise<number[]> {
  if (reports.length === 0) return [];
  const rows = reports.toSorted((a, b) => a.deviceId - b.deviceId);
  const { rows: changed } = await sql<{ id: number }>`INSERT INTO plan_report AS p
      (device_id, plan_hash, capabilities, clock_at, reported_at)
    SELECT r.device_id, CASE WHEN r.names THEN r.plan_hash ELSE o.plan_hash END,
      CASE WHEN ${saysOther} THEN r.capabilities ELSE o.capabilities END, coalesce(r.clock_at, o.clock_at),
      CASE WHEN o.reported_at IS NULL OR (r.names AND r.plan_hash IS DISTINCT FROM o.plan_hash) OR t.since THEN ${now}
        ELSE o.reported_at END
    FROM unnest(${bigints(rows.map((r) => r.deviceId))}::bigint[],
      ${rows.map((r) => r.planHash !== undefined)}::boolean[], ${rows.map((r) => r.planHash ?? null)}::text[],
      ${jsons(rows.map((r) => r.capabilities ?? null))}::jsonb[],
      ${rows.map((r) => (r.clockAt === undefined ? null : new Date(r.clockAt)))}::timestamptz[],
      ${rows.map((r) => r.live)}::boolean[]) AS r(device_id, names, plan_hash, capabilities, clock_at, live)
    JOIN device d ON d.id = r.device_id LEFT JOIN plan_report o ON o.device_id = r.device_id
    CROSS JOIN LATERAL (SELECT r.live AND EXISTS (SELECT FROM publication_item i WHERE i.device_id = r.device_id
      AND i.told_at >= o.reported_at AND i.told_at < ${now}) AS since) t
    WHERE o.reported_at IS NULL OR t.since OR (r.names AND r.plan_hash IS DISTINCT FROM o.plan_hash)
      OR ${saysOther}
      OR (r.clock_at IS NOT NULL AND r.clock_at IS DISTINCT FROM o.clock_at)
    ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET plan_hash = excluded.plan_hash,
      capabilities = CASE WHEN ${isSame} THEN p.capabilities ELSE excluded.capabilities END,
      clock_at = excluded.clock_at, reported_at = excluded.reported_at
    RETURNING p.device_id AS id`.execute(tx);
  return changed.map(({ id }) => id);
}
