import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import type { Devices, IssuedCredentials } from '../../register/devices/index.ts';
import { createBatches } from './batches.ts';
import { createInbox } from './inbox.ts';
import { createPending } from './pending.ts';
import { provisioningRoutes } from './provisioning.routes.ts';

interface Parts {
  readonly broker: Broker;
  readonly devices: Devices;
  readonly provision: (issued: readonly IssuedCredentials[]) => Promise<void>;
  /** Takes a message that was kept as if it came now. */
  readonly replay: (topic: string, payload: Buffer, receivedAt: Date) => Promise<void>;
}

export function provisioningFeature({ answering, db, bus, clock, watch, keys, log }: Floor, { broker, devices, provision, replay }: Parts): Feature {
  const pending = createPending({ db, bus, clock: watch.jobs.named('accounts'), keys, log, provision, grant: (accounts) => broker.grant(accounts) });
  const batches = createBatches({ db: answering, bus, clock, keys, pending });
  const inbox = createInbox({ db: answering, bus, clock, keys, log, devices, pending, builtIn: broker.kind === 'embedded', replay });
  return {
    routes: provisioningRoutes(batches, inbox),
    jobs: [{ name: 'accounts for the broker', where: 'one process', start: () => pending.start() }],
  };
}
