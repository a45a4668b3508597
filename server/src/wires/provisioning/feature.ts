import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { unlessDry } from '../../platform/dry-run.ts';
import type { Hint } from '../../platform/live/index.ts';
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

/** Devices that nobody knows yet came, said something, or were claimed. */
export const inboxHint: Hint = {
  topic: 'inbox',
  permissions: ['device.provision'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('newcomers.changed', () => say({ type: 'inbox' }))],
};

export function provisioningFeature(
  { answering, db, bus, clock, watch, keys, log }: Floor,
  { broker, devices, provision, replay }: Parts,
): Feature {
  const pending = createPending({
    db,
    bus,
    clock: watch.jobs.named('accounts'),
    keys,
    log,
    provision,
    grant: unlessDry((accounts) => broker.grant(accounts), Promise.resolve()),
  });
  const batches = createBatches({ db: answering, bus, clock, keys, pending });
  const inbox = createInbox({
    db: answering,
    bus,
    clock,
    keys,
    log,
    devices,
    pending,
    builtIn: broker.kind === 'embedded',
    replay: unlessDry(replay, Promise.resolve()),
  });
  return {
    routes: provisioningRoutes(batches, inbox),
    hints: [inboxHint],
    jobs: [{ name: 'accounts for the broker', where: 'one process', start: () => pending.start() }],
  };
}
