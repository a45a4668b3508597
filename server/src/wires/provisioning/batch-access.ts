import { createHash, timingSafeEqual } from 'node:crypto';
import { batchOfAccount } from '../../../../protocols/wire.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Authenticate } from '../../platform/mqtt/index.ts';
import { isSerial, rightsOfNewcomer } from '../link/index.ts';
import { Buckets } from './buckets.ts';
import { clean } from './texts.ts';
import { admit, noteDenied } from './newcomers.store.ts';

const nobody = Buffer.alloc(32);

/**
 * Lets members of a batch in: user name and password of the batch, their own serial as client id. undefined for user
 * names that are no batch's. A serial that was never seen takes one of the places of the batch; a blocked one is
 * refused.
 */
export function createBatchAccess({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): (who: Parameters<Authenticate>[0]) => ReturnType<Authenticate> | undefined {
  const notes = new Buckets(3, 1);

  async function enter(
    batchId: number,
    { password, clientId, address }: Parameters<Authenticate>[0],
  ): ReturnType<Authenticate> {
    const row = await db.selectFrom('batch').select('secret_hash').where('id', '=', batchId).executeTakeFirst();
    const right = timingSafeEqual(
      createHash('sha256').update(password).digest(),
      row?.secret_hash.length === 32 ? row.secret_hash : nobody,
    );
    const at = clock.now();
    const reason = !row
      ? 'unknownUser'
      : !right
        ? 'wrongPassword'
        : !isSerial(clientId)
          ? 'badSerial'
          : await admit(db, { batchId, serial: clientId, address, at });
    if (reason === null) return rightsOfNewcomer(batchId, clientId);
    if (row && notes.take(String(batchId), at.getTime()))
      await noteDenied(db, batchId, { at: at.toISOString(), serial: clean(clientId, 64), reason });
    return { denied: reason };
  }

  return (who) => {
    const batchId = batchOfAccount(who.username);
    return batchId === undefined ? undefined : enter(batchId, who);
  };
}
