import { sql } from 'kysely';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Making } from '../publications/index.ts';

/** Writes the settings of lamps as a version that stands in no list; its name has the day and who made it. */
export async function insertSchedule(
  tx: Transaction,
  made: {
    /** Null: its lamps stand in several. */
    readonly workAreaId: number | null;
    readonly content: SchemeContent;
    readonly contentHash: string;
    readonly by: string;
    readonly at: Date;
  },
): ReturnType<Making['make']> {
  const { workAreaId, content, contentHash, by, at } = made;
  const { rows } = await sql<{ id: number; code: string; name: string }>`WITH new AS (
      SELECT nextval(pg_get_serial_sequence('scheme', 'id')) AS id), item AS (
      INSERT INTO scheme (id, work_area_id, code, name, schedule, created_at, updated_at)
      SELECT id, ${workAreaId}::bigint, 'OWN-' || id, to_char(${at}::timestamptz
          AT TIME ZONE coalesce((SELECT time_zone FROM work_area WHERE id = ${workAreaId}), 'UTC'), 'YYYY-MM-DD')
        || ' ' || ${by}::text, true, ${at}, ${at} FROM new RETURNING id, code, name)
    , version AS (INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
      SELECT id, 1, ${JSON.stringify(content)}::jsonb, ${contentHash}, ${by}, ${at} FROM item RETURNING id, scheme_id)
    SELECT version.id, item.code, item.name FROM item JOIN version ON version.scheme_id = item.id`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('a schedule was not written');
  return { ...row, number: 1, hash: contentHash.slice(0, 12), workAreaId, closed: false, content };
}
