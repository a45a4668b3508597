import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

/** The lamps that still follow what a publication told them; it does not speak to them any more. */
export async function freeTold(tx: Transaction, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`UPDATE publication_item i SET state = 'superseded', reason = 'reverted',
      open = false
    WHERE i.publication_id = ${id} AND i.told_at IS NOT NULL AND ${id} = (SELECT x.publication_id
      FROM plan_assignment x WHERE x.device_id = i.device_id AND x.withdrawn_at IS NULL
      ORDER BY x.from_day DESC, x.id DESC LIMIT 1) RETURNING i.device_id AS id`.execute(tx);
  const ids = rows.map((row) => row.id).sort((a, b) => a - b);
  await sql`DELETE FROM publication_watch WHERE publication_id = ${id} AND device_id = ANY(${ids}::bigint[])`.execute(
    tx,
  );
  return ids;
}

/** A return holds from the lighting day of its beginning on, at the earliest. */
export async function notBefore(tx: Transaction, id: number, at: Date): Promise<void> {
  await sql`UPDATE publication p SET effective_from = greatest(p.effective_from, (${at}::timestamptz
      AT TIME ZONE coalesce((SELECT d.time_zone FROM publication_item i JOIN device x ON x.id = i.device_id
        JOIN work_area d ON d.id = x.work_area_id WHERE i.publication_id = p.id LIMIT 1), 'UTC')
      - interval '12 hours')::date) WHERE p.id = ${id}`.execute(tx);
}

/** What no person did stands in the operation log. */
export async function logRevert(
  tx: Transaction,
  id: number,
  username: string,
  { at, params }: { readonly at: Date; readonly params: object },
): Promise<void> {
  await tx
    .insertInto('operation_log')
    .values({
      username,
      uri: `/api/v1/publications/${id}/revert`,
      ip: 'local',
      at,
      params: JSON.stringify(params),
      message: 'publication.autoRevert',
      status: 200,
    })
    .execute();
}
