import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { insertException, insertItems, move } from './exceptions.store.ts';

export interface EndedException {
  readonly workAreaId: number;
  readonly deviceIds: readonly number[];
  /** As asked: the road or the group with its name. */
  readonly scope: object;
  /** Lighting days, both included, and the instants of their noons. */
  readonly fromDay: Day;
  readonly toDay: Day;
  readonly from: Date;
  readonly to: Date;
  /** At least this level, per cent: it darkens nothing. */
  readonly level: number;
  readonly reason: string;
  readonly actor: { readonly id: number; readonly name: string };
  readonly at: Date;
}

/** Writes an exception whose days are over: lamps are told nothing of it any more. Returns its id. */
export async function addEndedException(
  tx: Transaction,
  { workAreaId, deviceIds, actor, ...given }: EndedException,
): Promise<number> {
  const total = deviceIds.length;
  const id = await insertException(tx, {
    ...given,
    op: 'min',
    schemeVersionId: null,
    programmeKey: null,
    state: 'inForce',
    holdsFrom: given.at,
    approval: null,
    darkens: 0,
    belowFloor: [],
    total,
    counts: { [workAreaId]: { total, cannot: 0 } },
    actorId: actor.id,
    actorName: actor.name,
    requestId: null,
    request: null,
  });
  await insertItems(
    tx,
    id,
    deviceIds.map((deviceId) => ({ deviceId, cannot: null })),
  );
  await move(tx, id, { state: 'ended', silent: true });
  return id;
}
