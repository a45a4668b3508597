import { createHash, timingSafeEqual } from 'node:crypto';
import { speaksForOthers } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Authenticate } from '../../platform/mqtt/index.ts';
import { brokerWire } from './broker-wire.ts';

const nobody = Buffer.alloc(32);

interface DeviceAccessParts {
  readonly db: Db;
  /** Who signs in with the name of a batch; undefined: it is none. */
  readonly batches?: (who: Parameters<Authenticate>[0]) => ReturnType<Authenticate> | undefined;
}

/**
 * Checks a device's credentials against the stored SHA-256 in constant time; its rights follow from its identity alone.
 */
export function createDeviceAccess({ db, batches }: DeviceAccessParts): Authenticate {
  return async (who) => {
    const ofBatch = batches?.(who);
    if (ofBatch) return ofBatch;
    const { username, password, clientId } = who;
    const row = await db
      .selectFrom('device_credential')
      .innerJoin('device', 'device.id', 'device_credential.device_id')
      .select(['device_id', 'client_id', 'secret_hash', 'family'])
      .where('username', '=', username.slice(0, 100))
      .executeTakeFirst();
    const right = timingSafeEqual(
      createHash('sha256').update(password).digest(),
      row?.secret_hash.length === 32 ? row.secret_hash : nobody,
    );
    if (!row) return { denied: 'unknownUser' };
    if (!right) return { denied: 'wrongPassword' };
    return row.client_id === clientId
      ? brokerWire.rightsOf(row.device_id, speaksForOthers.has(row.family))
      : { denied: 'wrongClientId' };
  };
}
