import { exampleScheme } from '../../../catalogue/lighting/plan/examples.ts';
import type { Db } from '../platform/db/index.ts';
import { fresh } from './small-things.ts';
import { drafted, version } from './version-thing.ts';

/** A scheme on one lamp: told as the first part, which passed; or waiting for a second person. */
export async function insertPublication(
  db: Db,
  area: number,
  deviceId: number,
  actorId: number,
  phase: 'judging' | 'awaitingApproval',
): Promise<{ id: number }> {
  const told = phase === 'judging' ? new Date() : null;
  const ends = new Date(Date.now() + 3_600_000).toISOString();
  const scheme = await db
    .insertInto('scheme')
    .values({ ...drafted(exampleScheme()), work_area_id: area, code: fresh('S') })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: versionId } = await db
    .insertInto('scheme_version')
    .values({ ...version(exampleScheme()), scheme_id: scheme.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('publication')
    .values({
      scheme_version_id: versionId,
      scope: { devices: 1 },
      effective_from: '2026-11-01',
      phase,
      phase_since: new Date(),
      canary: told && { count: 1 },
      criteria: { reportedPercent: 95, provenPercent: 95, litDropPoints: 2, newAlarmsPercent: 1 },
      auto_revert: false,
      go_on: false,
      findings: JSON.stringify([]),
      approval: told ? null : { approved: null, expiresAt: ends },
      judged: told && {
        passed: true,
        at: ends,
        reportedPercent: null,
        provenPercent: 100,
        litPercent: 100,
        litBeforePercent: 100,
        newAlarms: 0,
      },
      total: 1,
      actor_id: actorId,
      actor_name: 'matrix',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('publication_item')
    .values({
      publication_id: made.id,
      device_id: deviceId,
      canary: told !== null,
      state: told ? 'told' : 'waiting',
      told_at: told,
    })
    .execute();
  if (told)
    await db
      .insertInto('plan_assignment')
      .values({
        device_id: deviceId,
        scheme_version_id: versionId,
        from_day: '2026-11-01',
        publication_id: made.id,
        assigned_by: 'matrix',
        at: told,
      })
      .execute();
  return made;
}
