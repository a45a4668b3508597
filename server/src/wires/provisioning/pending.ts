import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { accountOfBatch } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import type { Log } from '../../platform/log.ts';
import type { BrokerAccount } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import type { IssuedCredentials } from '../../register/devices/index.ts';
import { rightsOfNewcomer } from '../link/index.ts';
import { openBatchSecret, openNewcomerSecret } from './seal.ts';

export interface PendingParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly log: Log;
  /** Makes issued credentials known to the broker. */
  readonly provision: (issued: readonly IssuedCredentials[]) => Promise<void>;
  /** Makes other accounts known to a broker that keeps its own. */
  readonly grant: (accounts: readonly BrokerAccount[]) => Promise<void>;
}
export type Pending = ReturnType<typeof createPending>;

const retryMs = 15_000;
interface Claimed {
  readonly batchId: number;
  readonly serial: string;
  readonly deviceId: number;
  readonly sealed: string;
  readonly ready: boolean;
  readonly clientId: string | null;
  readonly username: string | null;
  readonly hash: Buffer | null;
}

/**
 * Accounts of claimed newcomers and of batches that the broker does not know yet: what is committed stays, whatever
 * becomes of the broker, and is made known to it as soon as that can be. Nothing here throws.
 */
export function createPending({ db, bus, clock, keys, log, provision, grant }: PendingParts) {
  async function makeDevice(id: number): Promise<void> {
    const {
      rows: [row],
    } =
      await sql<Claimed>`SELECT n.batch_id AS "batchId", n.serial, n.device_id AS "deviceId", n.secret_sealed AS sealed,
        n.secret_hash IS NOT NULL AS ready,
        c.client_id AS "clientId", c.username, c.secret_hash AS hash
      FROM newcomer n LEFT JOIN device_credential c ON c.device_id = n.device_id
        WHERE n.id = ${id} AND n.state = 'claimed' AND n.secret_sealed IS NOT NULL AND n.device_id IS NOT NULL`.execute(
        db,
      );
    if (!row) return;
    const password = openNewcomerSecret(keys, row.sealed);
    // Somebody has given the device other credentials since: those are the broker's.
    const isCurrent = row.hash?.equals(createHash('sha256').update(password).digest()) ?? false;
    if (isCurrent && row.clientId !== null && row.username !== null)
      await provision([{ deviceId: row.deviceId, clientId: row.clientId, username: row.username, password }]);
    await db
      .updateTable('newcomer')
      .set({ secret_sealed: null })
      .where('id', '=', id)
      .where('secret_sealed', '=', row.sealed)
      .execute();
    if (isCurrent && row.ready)
      bus.publish('newcomer.claimed', { batchId: row.batchId, serial: row.serial, deviceId: row.deviceId });
  }

  async function makeBatch(id: number): Promise<void> {
    const row = await db
      .selectFrom('batch')
      .select('secret_sealed')
      .where('id', '=', id)
      .where('is_granted', '=', false)
      .where('enabled', '=', true)
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
      .executeTakeFirst();
    if (!row) return;
    // On a shared broker any client may use the account of a batch: a right cannot be bound to the client id there.
    await grant([
      {
        clientId: null,
        username: accountOfBatch(id),
        password: openBatchSecret(keys, row.secret_sealed),
        rights: rightsOfNewcomer(id, null),
      },
    ]);
    await db
      .updateTable('batch')
      .set({ is_granted: true })
      .where('id', '=', id)
      .where('secret_sealed', '=', row.secret_sealed)
      .execute();
  }

  const logged = (work: Promise<void>, whose: { newcomerId: number } | { batchId: number }): Promise<void> =>
    work.catch((thrown: unknown) =>
      log.warn(
        { ...whose, reason: reasonOf(thrown) },
        'an account is not known to the MQTT broker yet; it is tried again',
      ),
    );
  const device = (newcomerId: number): Promise<void> => logged(makeDevice(newcomerId), { newcomerId });
  const batch = (batchId: number): Promise<void> => logged(makeBatch(batchId), { batchId });

  return {
    /** The device a newcomer was claimed as; then the newcomer is told. */
    device,
    /** A batch that is open. */
    batch,
    /** Again and again what is left, from the start on. */
    start: (): Stop =>
      clock.every(retryMs, async () => {
        const [{ rows: newcomers }, batches] = await Promise.all([
          sql<{
            id: number;
          }>`SELECT id FROM newcomer WHERE state = 'claimed' AND secret_sealed IS NOT NULL ORDER BY id`.execute(db),
          db.selectFrom('batch').select('id').where('is_granted', '=', false).orderBy('id').execute(),
        ]);
        for (const { id } of batches) await batch(id);
        for (const { id } of newcomers) await device(id);
      }),
  };
}
