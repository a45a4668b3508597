import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

export interface StoredBatch {
  readonly id: number;
  readonly name: string;
  readonly workId: number;
  readonly workName: string;
  readonly families: readonly string[];
  readonly maxDevices: number;
  readonly expiresAt: Date | null;
  readonly enabled: boolean;
  readonly lastUsedAt: Date | null;
  readonly lastDenied: { at: string; serial: string; reason: string } | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly version: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly blocked: number;
  readonly visible: boolean;
}

const select = sql`SELECT b.id, b.name, b.work_area_id AS "workId", a.work_name AS "workName", b.families,
  b.max_devices AS "maxDevices", b.expires_at AS "expiresAt", b.enabled,
  b.last_used_at AS "lastUsedAt", b.last_denied AS "lastDenied", b.created_by AS "createdBy",
  b.created_at AS "createdAt", b.version,
  coalesce(n.waiting, 0)::int AS waiting, coalesce(n.claimed, 0)::int AS claimed,
    coalesce(n.blocked, 0)::int AS blocked`;
const from = sql`FROM batch b JOIN work_area a ON a.id = b.work_area_id LEFT JOIN (
  SELECT batch_id, count(*) FILTER (WHERE state = 'waiting') AS waiting,
    count(*) FILTER (WHERE state = 'claimed') AS claimed, count(*) FILTER (WHERE state = 'blocked') AS blocked
  FROM newcomer GROUP BY batch_id) n ON n.batch_id = b.id`;

export async function findBatches(db: Db, visible: RawBuilder<SqlBool>): Promise<StoredBatch[]> {
  const { rows } =
    await sql<StoredBatch>`${select}, true AS visible ${from} WHERE ${visible} ORDER BY b.created_at DESC, b.id DESC
      LIMIT 1000`.execute(db);
  return rows;
}

/** One batch, whoever may see it; `lock` keeps others from changing it meanwhile. */
export async function findBatch(
  db: Db | Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<StoredBatch | undefined> {
  if (lock) await sql`SELECT 1 FROM batch WHERE id = ${id} FOR UPDATE`.execute(db);
  const { rows } = await sql<StoredBatch>`${select}, ${visible} AS visible ${from} WHERE b.id = ${id}`.execute(db);
  return rows[0];
}

/** Batches whose time ran out between these moments. */
export async function findExpired(db: Db, after: Date, until: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('batch')
    .select('id')
    .where('expires_at', '>', after)
    .where('expires_at', '<=', until)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these batches that are open: enabled, and their time is not over. */
export async function findOpen(db: Db, ids: readonly number[], now: Date): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('batch')
    .select('id')
    .where('id', 'in', [...ids])
    .where('enabled', '=', true)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
