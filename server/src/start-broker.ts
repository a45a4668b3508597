import { sql } from 'kysely';
import type { Config } from './config.ts';
import { createBatchAccess, findOpenBatches } from './wires/provisioning/index.ts';
import {
  accountOf,
  accountOfBatch,
  batchOfAccount,
  deviceOfAccount,
  type BrokerAddress,
} from '../../protocols/wire.ts';
import type { Bus } from './platform/bus/index.ts';
import type { Clock, Stop } from './platform/clock.ts';
import { lockNumbers, type Database, type Db } from './platform/db/index.ts';
import { Claimed, claimForLife, processName, type Leases } from './platform/leases/index.ts';
import type { Log } from './platform/log.ts';
import {
  startEmbeddedBroker,
  startExternalBroker,
  type Broker,
  type EmbeddedBroker,
  type LinkEvent,
} from './platform/mqtt/index.ts';
import { StartError, reasonOf } from './platform/start-error.ts';
import { brokerWire, createDeviceAccess } from './wires/link/index.ts';

interface BrokerSurroundings {
  readonly config: Config;
  readonly log: Log;
  readonly db: Db;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly leases: Leases;
  /** Told of what happens on connections to our own broker. */
  readonly witness: (event: LinkEvent) => void;
}

/** The broker of the settings: our own in this process, or the site's at MQTT_URL. Throws StartError. */
export async function startBroker({
  config,
  log,
  db,
  clock,
  signal,
  leases,
  witness,
}: BrokerSurroundings): Promise<Broker> {
  if (config.mqttUrl !== null) {
    return startExternalBroker({
      url: config.mqttUrl,
      filters: [...brokerWire.filters.devices, ...brokerWire.filters.newcomers],
      orderedFilters: brokerWire.filters.ordered,
      prefix: brokerWire.prefix,
      log,
      signal,
      slots: {
        count: config.ingestSlots,
        retired: (await slotsEverHeld(db)).filter((number) => number > config.ingestSlots),
        hold: leases.hold,
      },
    });
  }
  return startEmbeddedBroker({
    host: config.mqttHost,
    port: config.mqttPort,
    tlsPort: config.mqttTlsPort,
    tls: config.tls,
    authenticate: createDeviceAccess({ db, batches: createBatchAccess({ db, clock }) }),
    log,
    witness,
  });
}

/** Slots that were in use at some time, also when there were more of them than today. */
async function slotsEverHeld(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('lease')
    .select('name')
    .where('name', 'like', 'ingest/%')
    .where('token', '>', 0)
    .execute();
  return rows.map(({ name }) => Number(name.slice('ingest/'.length)));
}

interface ClaimSurroundings {
  readonly config: Pick<Config, 'databaseUrl' | 'mqttUrl'>;
  readonly log: Log;
  readonly database: Pick<Database, 'connection'>;
  /** How long one that was killed is waited for. */
  readonly patienceMs?: number;
}

/**
 * Several processes on one database need one broker: a command that one of them sends would never reach a device on
 * another one's. Refuses the start of a second one with a broker of its own, or beside such a one.
 */
export async function claimBroker({
  config,
  log,
  database,
  patienceMs,
}: ClaimSurroundings): Promise<() => Promise<void>> {
  // The embedded database has only one process.
  if (config.databaseUrl === null) return () => Promise.resolve();
  const shared = config.mqttUrl !== null;
  try {
    return await claimForLife({
      connection: database.connection,
      key: lockNumbers.brokerClaim,
      shared,
      holder: processName,
      log,
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
  } catch (thrown) {
    if (!(thrown instanceof Claimed)) throw thrown;
    throw new StartError(
      shared
        ? `Another process on this database (${thrown.holder}) has the MQTT broker of the program: set MQTT_URL there too, or stop it.`
        : `Another process (${thrown.holder}) works on this database: several share one only with a broker of the site. Set MQTT_URL in all of them.`,
    );
  }
}

/**
 * Where devices find the broker, for the description of their protocol; `host` null: at the name by which the reader
 * found us.
 */
export function brokerAddress(
  broker: Broker,
  config: Config,
): Omit<BrokerAddress, 'host'> & { readonly host: string | null } {
  if (config.mqttUrl !== null) {
    const { hostname, port, protocol } = new URL(config.mqttUrl);
    const secure = protocol === 'mqtts:';
    return { host: hostname, port: Number(port || (secure ? 8883 : 1883)), tlsPort: null, secure, builtIn: false };
  }
  const anywhere = ['0.0.0.0', '::'].includes(config.mqttHost);
  const bound = broker as Partial<EmbeddedBroker>;
  return {
    host: anywhere ? null : config.mqttHost,
    port: bound.port ?? config.mqttPort,
    tlsPort: bound.tlsPort ?? null,
    secure: false,
    builtIn: true,
  };
}

/**
 * Ends connections whose credentials changed, and takes accounts away from a shared broker whose devices have none any
 * more.
 */
export function watchCredentials({
  broker,
  bus,
  db,
  log,
}: {
  readonly broker: Broker;
  readonly bus: Bus;
  readonly db: Db;
  readonly log: Log;
}): Stop {
  return bus.subscribe('credentials.changed', ({ ids }) => {
    const revoke = async () => {
      const there = broker.kind === 'embedded' ? new Set() : await withAccount(db, ids);
      await broker.revoke(ids.filter((id) => !there.has(id)).map(accountOf));
    };
    void revoke().catch((thrown: unknown) =>
      log.warn({ reason: reasonOf(thrown) }, 'accounts could not be taken away from the broker'),
    );
  });
}

/** Those of these devices that sign in at a broker: they have credentials, and no address at another door. */
async function withAccount(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`SELECT c.device_id AS id FROM device_credential c
    WHERE c.device_id = ANY(${[...ids]}::bigint[])
      AND NOT EXISTS (SELECT 1 FROM device_address a WHERE a.device_id = c.device_id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Takes accounts away from a shared broker that nobody may use any more and that it still has: their process was killed
 * before it could, the broker was away, or the word of it was lost between processes.
 */
export async function takeAwayLeft({
  broker,
  db,
  clock,
  log,
}: {
  readonly broker: Broker;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  const names = await broker.accounts();
  if (!names) return;
  const devices = names.flatMap((name) => deviceOfAccount(name) ?? []);
  const batches = names.flatMap((name) => batchOfAccount(name) ?? []);
  const [there, open] = await Promise.all([withAccount(db, devices), findOpenBatches(db, batches, clock.now())]);
  const left = [
    ...devices.filter((id) => !there.has(id)).map(accountOf),
    ...batches.filter((id) => !open.has(id)).map(accountOfBatch),
  ];
  if (left.length === 0) return;
  await broker.revoke(left);
  log.info({ accounts: left.length }, 'accounts that nobody may use any more were taken away from the MQTT broker');
}
