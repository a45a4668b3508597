import { createHash, randomBytes } from 'node:crypto';
import { accountOf } from '../../../../protocols/wire.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { putCredentials } from './devices.store.ts';

export interface IssuedCredentials {
  readonly deviceId: number;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/**
 * New credentials for these devices, in order; only a hash is kept, so this is the only time the passwords are seen.
 * `chosen`: passwords that devices made up themselves, by their place.
 */
export async function issueCredentials(
  tx: Transaction,
  deviceIds: readonly number[],
  chosen: readonly string[] = [],
): Promise<IssuedCredentials[]> {
  const issued = deviceIds.map((deviceId, index) => {
    const name = accountOf(deviceId);
    return {
      deviceId,
      clientId: name,
      username: name,
      password: chosen[index] ?? randomBytes(32).toString('base64url'),
    };
  });
  await putCredentials(
    tx,
    issued.map(({ deviceId, clientId, password }) => ({
      deviceId,
      clientId,
      hash: createHash('sha256').update(password).digest(),
    })),
  );
  return issued;
}
