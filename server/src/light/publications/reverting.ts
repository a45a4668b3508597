import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import {
  findConflict,
  findFollowing,
  insertItems,
  insertPublication,
  move,
  stopUntold,
  type Publication,
} from './publications.store.ts';
import { freeTold, notBefore } from './reverting.store.ts';

export interface Revert {
  readonly actorId: number;
  readonly by: string;
  readonly reason: string | null;
  readonly at: Date;
  /** Lamps that are darker than by what is taken back. */
  readonly darkens?: number;
  /** Until then a second person may agree; absent: nobody has to. */
  readonly expiresAt?: Date | null;
}

/**
 * Publishes what lamps followed before to those that were told, as a publication of its own; its id. Undefined: no lamp
 * follows it any more. What waits for a second person leaves the publication as it is until then.
 */
export async function revert(
  tx: Transaction,
  publication: Publication,
  { actorId, by, reason, at, darkens = 0, expiresAt = null }: Revert,
): Promise<number | undefined> {
  const { id } = publication;
  const ids = expiresAt
    ? (await findFollowing(tx, id)).map((lamp) => lamp.id)
    : await beginReturn(tx, publication.id, at);
  if (ids.length === 0) return undefined;
  const conflict = await findConflict(tx, ids, id);
  if (conflict) throw refuse('lampInPublication', { ...conflict }, { body: { ...conflict } });
  const revertId = await insertPublication(tx, {
    workAreaId: publication.workAreaId,
    schemeVersionId: null,
    templateVersionId: null,
    scope: { devices: ids.length },
    effectiveFrom: publication.effectiveFrom,
    phase: expiresAt ? 'awaitingApproval' : 'tellingAll',
    canary: null,
    criteria: publication.criteria,
    autoRevert: false,
    goOn: true,
    findings: [],
    darkens,
    approval: expiresAt ? { expiresAt: expiresAt.toISOString(), approved: null } : null,
    reverts: id,
    reason,
    total: ids.length,
    actorId,
    actorName: by,
    requestId: null,
    request: null,
    at,
  });
  await insertItems(
    tx,
    revertId,
    ids.map((deviceId) => ({ deviceId, canary: false, state: expiresAt ? 'waiting' : 'pending', reason: null })),
    { returning: true },
  );
  await notBefore(tx, revertId, at);
  return revertId;
}

/** From now on a publication is being taken back; the lamps that still follow it. */
export async function beginReturn(tx: Transaction, id: number, at: Date): Promise<number[]> {
  await stopUntold(tx, id);
  const ids = await freeTold(tx, id);
  if (ids.length > 0) await move(tx, id, { phase: 'reverting', at });
  return ids;
}
