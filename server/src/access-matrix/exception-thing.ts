import type { Db } from '../platform/db/index.ts';

/** An exception of one lamp, of some hours of tomorrow: agreed to, or waiting for a second person. */
export async function insertException(
  db: Db,
  deviceId: number,
  actorId: number,
  state: 'planned' | 'awaitingApproval',
): Promise<{ id: number }> {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const isPlanned = state === 'planned';
  const made = await db
    .insertInto('plan_exception')
    .values({
      scope: { devices: 1 },
      from_at: at(24),
      to_at: at(26),
      op: 'min',
      level: 50,
      reason: 'matrix',
      state,
      holds_from: isPlanned ? new Date() : null,
      approval: isPlanned ? null : { approved: null, expiresAt: at(1).toISOString() },
      total: 1,
      actor_id: actorId,
      actor_name: 'matrix',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('plan_exception_item').values({ exception_id: made.id, device_id: deviceId }).execute();
  return made;
}
