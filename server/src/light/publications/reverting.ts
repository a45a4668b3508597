import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import {
  findConflict,
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
}

/** Publishes what lamps followed before to those that were told, as a publication of its own; its id. */
export async function revert(
  tx: Transaction,
  publication: Publication,
  { actorId, by, reason, at }: Revert,
): Promise<number> {
  const { id } = publication;
  await stopUntold(tx, id);
  const ids = await freeTold(tx, id);
  if (ids.length === 0) throw refuse('publicationPhase');
  const conflict = await findConflict(tx, ids, id);
  if (conflict) throw refuse('lampInPublication', { ...conflict });
  const revertId = await insertPublication(tx, {
    workAreaId: publication.workAreaId,
    schemeVersionId: null,
    templateVersionId: null,
    scope: { devices: ids.length },
    effectiveFrom: publication.effectiveFrom,
    phase: 'tellingAll',
    canary: null,
    criteria: publication.criteria,
    autoRevert: false,
    goOn: true,
    findings: [],
    darkens: 0,
    approval: null,
    reverts: id,
    reason,
    total: ids.length,
    actorId,
    actorName: by,
    requestId: null,
    at,
  });
  await insertItems(
    tx,
    revertId,
    ids.map((deviceId) => ({ deviceId, canary: false, state: 'pending', reason: null })),
  );
  await notBefore(tx, revertId, at);
  await move(tx, id, { phase: 'reverting', at });
  return revertId;
}
