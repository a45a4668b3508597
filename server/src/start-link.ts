import type { Floor } from './floor.ts';
import { createIngest } from './ingest/index.ts';
import { createProofs } from './light/commands/index.ts';
import { brokerAddress, startBroker, takeAwayLeft, watchCredentials } from './start-broker.ts';
import { unlessDry } from './platform/dry-run.ts';
import type { LinkEvent } from './platform/mqtt/index.ts';
import { createLineJournal } from './wires/connections/index.ts';
import { createLines, lineWires, linkBy, provisionOn } from './wires/link/index.ts';
import { createJournal, createNewcomers } from './wires/provisioning/index.ts';

const hourMs = 3_600_000;
export type Link = Awaited<ReturnType<typeof startLink>>;

/** The wire to the devices: the broker, and what they say on its way into the database. */
export async function startLink(floor: Floor, wires = lineWires) {
  const { config, log, running, signal, clock, watch, db, bus, keys, leases, processName: process } = floor;
  const proofs = createProofs({ bus, meter: watch.meters.command });
  const journal = createJournal({ db, bus, clock, log });
  const lineJournal = createLineJournal({ db, clock, log });
  const newcomers = createNewcomers({ db, bus, clock, keys, log });
  const ingest = createIngest({
    db,
    bus,
    clock: watch.jobs.named('partitions'),
    log,
    proofs,
    stored: (ids) => bus.publish('devices.changed', { ids }),
    plansReported: (ids) => bus.publish('plans.reported', { ids }),
    settingsReported: (ids) => bus.publish('settings.reported', { ids }),
    newcomer: newcomers.take,
    refused: journal.refused,
    ...(config.mqttUrl === null ? {} : { line: lineJournal.status }),
    meter: watch.meters.ingest,
  });
  // Stopped after the broker, which waits for the messages in work.
  running.add('ingest', () => ingest.stop());
  running.add('journal', () => journal.settled());
  running.add('lines', () => lineJournal.settled());
  const witness = (event: LinkEvent) => {
    journal.witness(event);
    lineJournal.witness(event);
    newcomers.witness(event);
  };
  const broker = await startBroker({
    config,
    log,
    db,
    clock,
    signal,
    leases,
    witness,
  });
  running.add('broker', () => broker.stop());
  running.add('watched lines', journal.start());
  running.add('lines written', lineJournal.start());
  running.add('newcomers', newcomers.start(broker));
  running.add('receiving', await ingest.start(broker));
  running.add('credentials', watchCredentials({ broker, bus, db, log }));
  if (broker.kind === 'external')
    running.add(
      'accounts left',
      leases.every('accounts left', hourMs, () => takeAwayLeft({ broker, db, clock, log })),
    );
  const lines = createLines({
    wires,
    db,
    bus,
    clock: watch.jobs.named('lines'),
    log,
    process,
    host: config.mqttHost,
    hear: ingest.takeHeard,
    witness,
    leaseMs: config.leaseSeconds * 1000,
  });
  running.add('doors', await lines.start());
  const loopback = ['0.0.0.0', '::'].includes(config.mqttHost) ? '127.0.0.1' : config.mqttHost;
  /** Where a device on this machine finds the broker; without credentials. */
  const address =
    'port' in broker
      ? `mqtt://${loopback.includes(':') ? `[${loopback}]` : loopback}:${String(broker.port)}`
      : withoutCredentials(config.mqttUrl ?? '');
  return {
    ingest,
    broker,
    link: linkBy(broker, { lines, process }),
    address,
    provision: unlessDry(provisionOn(broker), Promise.resolve()),
    wires: wires.map(({ name }) => name),
    devicesFind: brokerAddress(broker, config),
  };
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/$/, '');
}
