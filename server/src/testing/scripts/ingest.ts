// A server's ear alone: broker and ingest on the database of DATABASE_URL; says its port and lives until it is killed.
import { createIngest } from '../../ingest/index.ts';
import { createDeviceAccess } from '../../wires/link/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker } from '../../platform/mqtt/index.ts';

const log = createLog('warn');
const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
const { db, connection } = connect({ connectionString: process.env['DATABASE_URL'] ?? '' }, log);
const bus = await startBus(connection, log);
const ingest = createIngest({
  db,
  bus,
  clock,
  log,
  stored: () => undefined,
  proofs: { apply: () => Promise.resolve([]), announce: () => undefined },
});
const broker = await startEmbeddedBroker({
  host: '127.0.0.1',
  port: 0,
  tlsPort: null,
  tls: null,
  log,
  authenticate: createDeviceAccess({ db }),
});
await ingest.start(broker);
process.stdout.write(`listening on ${broker.port}\n`);
