import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

/** What a device said of the settings that it has. */
export interface Report {
  readonly id: number;
  /** Null: it says none, as devices behind controllers do. */
  readonly version: number | null;
  /** It can say which plan it runs. */
  readonly saysPlan: boolean;
  readonly planHash: string | null;
  /** When it was last heard of. */
  readonly heardAt: Date | null;
}

export async function loadReports(db: Db, ids: readonly number[]): Promise<Report[]> {
  const { rows } = await sql<Report>`SELECT d.id, l.settings_version AS version,
      coalesce(r.capabilities ? 'plan', false) AS "saysPlan", r.plan_hash AS "planHash",
      greatest(l.received_at, l.heard_at) AS "heardAt"
    FROM device d LEFT JOIN device_latest l ON l.device_id = d.id LEFT JOIN plan_report r ON r.device_id = d.id
    WHERE d.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

/** The devices behind these controllers. */
export async function findBehind(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM device
    WHERE parent_id = ANY(${[...ids]}::bigint[]) ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}
