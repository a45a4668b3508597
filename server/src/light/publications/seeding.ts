import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { criteriaDefaults } from '../../../../contract/light/first-part.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { assign } from '../plans/index.ts';
import { insertItems, insertPublication } from './publications.store.ts';
import { writeTold } from './telling.store.ts';

export interface Seed {
  readonly workAreaId: number;
  readonly schemeVersionId: number;
  readonly templateVersionId: number;
  readonly deviceIds: readonly number[];
  readonly effectiveFrom: Day;
  readonly reason: string;
  readonly findings: readonly object[];
  readonly actor: { readonly id: number; readonly name: string };
  readonly at: Date;
}

const rowOf = ({ actor, deviceIds, ...seed }: Seed) => ({
  ...seed,
  scope: { devices: deviceIds.length },
  criteria: criteriaDefaults,
  autoRevert: true,
  goOn: false,
  // What a first plan dims is darker than all night long at full level.
  darkens: deviceIds.length,
  approval: null,
  reverts: null,
  total: deviceIds.length,
  actorId: actor.id,
  actorName: actor.name,
  requestId: null,
  request: null,
});

/** Writes a publication whose lamps were all told then; `lookAt`: when the job begins to look for their proofs. */
export async function addTold(tx: Transaction, seed: Seed, lookAt: Date): Promise<void> {
  const { deviceIds, schemeVersionId, templateVersionId, effectiveFrom, actor, at } = seed;
  const id = await insertPublication(tx, { ...rowOf(seed), phase: 'proving', canary: null });
  await insertItems(
    tx,
    id,
    deviceIds.map((deviceId) => ({ deviceId, canary: false, state: 'pending', reason: null })),
  );
  await assign(tx, {
    deviceIds,
    schemeVersionIds: deviceIds.map(() => schemeVersionId),
    templateVersionIds: deviceIds.map(() => templateVersionId),
    fromDay: effectiveFrom,
    publicationId: id,
    by: actor.name,
    at,
  });
  // By which hash they report it, the job finds out.
  await writeTold(
    tx,
    id,
    deviceIds.map((deviceId) => ({ deviceId, hash: null })),
    { at, lookAt },
  );
}

/** Writes a publication that begins now, with its first part: every so many of its lamps. */
export async function addBegun(tx: Transaction, seed: Seed, count: number): Promise<void> {
  const { deviceIds } = seed;
  const every = Math.max(1, Math.floor(deviceIds.length / count));
  const isFirst = (index: number) => index % every === 0 && index / every < count;
  const first = deviceIds.filter((_id, index) => isFirst(index)).length;
  const id = await insertPublication(tx, { ...rowOf(seed), phase: 'tellingCanary', canary: { count: first } });
  await insertItems(
    tx,
    id,
    deviceIds.map((deviceId, index) => ({
      deviceId,
      canary: isFirst(index),
      state: isFirst(index) ? 'pending' : 'waiting',
      reason: null,
    })),
  );
}
