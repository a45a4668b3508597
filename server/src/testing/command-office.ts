import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import {
  commandsRoutes,
  createCommandFeature,
  createDispatcher,
  createLimits,
  createProofs,
  type CommandFeatureParts,
  type Dispatcher,
  type DispatcherParts,
} from '../light/commands/index.ts';
import { createIngest, type Ingest } from '../ingest/index.ts';
import { createDeviceAccess, linkBy } from '../wires/link/index.ts';
import { startEmbeddedBroker, type Broker, type EmbeddedBroker } from '../platform/mqtt/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/index.ts';
import type { Binding } from '../platform/http/index.ts';
import { testApp, type CallOptions } from './app.ts';
import { testClock } from './clock.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice, listen, type GivenDevice } from './devices.ts';
import { writtenLog } from './written-log.ts';

export interface SeenItem {
  readonly deviceId: number;
  readonly state: string;
  readonly error: string | null;
  readonly until: string | null;
  readonly proof: unknown;
  readonly verification: unknown;
  readonly reading: { values: unknown } | null;
  readonly sentAt: string | null;
  readonly acknowledgedAt: string | null;
  readonly canary: boolean;
}
export interface SeenCommand {
  readonly id: number;
  readonly state: string;
  readonly lane: string;
  readonly states: Readonly<Record<string, number>>;
  readonly finished: boolean;
  readonly total: number;
  readonly items: readonly SeenItem[];
  readonly recordsTotal: number;
  readonly limits: unknown;
  readonly until: string | null;
  readonly halted: unknown;
  readonly cancelled: unknown;
  readonly canary: unknown;
  readonly verified: unknown;
  readonly retryOf: number | null;
  readonly approval: {
    readonly outcome: string;
    readonly digest: string;
    readonly expiresAt: string;
    readonly hindrance: string | null;
    readonly decision: unknown;
  } | null;
}
export interface Asked {
  readonly id: number;
  readonly total: number;
  readonly state: string;
  readonly code?: number;
  readonly fieldErrors?: unknown;
}

/**
 * Commands with everything behind them: broker, ingest, dispatcher, and a clock that stands still. Call it at the top
 * of a test file.
 */
export async function commandOffice(
  start: number,
  {
    alsoRoutes,
    ...of
  }: Pick<CommandFeatureParts, 'steps'> & {
    readonly alsoRoutes?: (parts: { readonly db: Db; readonly clock: Clock }) => Binding[];
  } = {},
) {
  const clock = testClock(new Date(start));
  const { log, lines } = writtenLog();
  let broker!: EmbeddedBroker;
  let ingest!: Ingest;
  let dispatcher!: Dispatcher;
  /** Another process: its own dispatcher on the same database, perhaps with another broker. */
  let another!: (broker?: Pick<Broker, 'publish' | 'problem'>, parts?: Partial<DispatcherParts>) => Dispatcher;
  const app = await testApp({
    clock,
    log,
    routes: async ({ db, bus }) => {
      broker = await startEmbeddedBroker({
        host: '127.0.0.1',
        port: 0,
        tlsPort: null,
        tls: null,
        log,
        authenticate: createDeviceAccess({ db }),
      });
      const limits = createLimits({ db, clock, bus });
      another = (elsewhere = broker, parts = {}) =>
        createDispatcher({ db, clock, bus, link: linkBy(elsewhere), log, limits, ...of, ...parts });
      dispatcher = another();
      ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
      await ingest.start(broker);
      return [
        ...commandsRoutes(createCommandFeature({ db, clock, bus, limits, queued: () => undefined, ...of })),
        ...(alsoRoutes?.({ db, clock }) ?? []),
      ];
    },
  });
  const { db, call } = app;
  beforeAll(() => givenArea(db));
  afterAll(async () => {
    await ingest.stop();
    await broker.stop();
  });

  const now = () => clock.now().getTime();
  const detail = async (id: number, query = '') => (await call<SeenCommand>(`/api/v1/commands/${id}${query}`)).body;

  /** A lamp played by hand with a plain client. */
  async function lamp(device: GivenDevice = {}) {
    const id = await givenDevice(db, device);
    const client: MqttClient = await connectDevice(
      `mqtt://127.0.0.1:${broker.port}`,
      id,
      await givenCredentials(db, id),
    );
    const heard = listen(client);
    await client.subscribeAsync(topicOf({ kind: 'commands', deviceId: id, viaId: null }), { qos: 1 });
    return {
      id,
      heard,
      ...voice(id, (kind, payload) =>
        client.publishAsync(topicOf({ kind, deviceId: id, viaId: null }), payload, { qos: 1 }),
      ),
    };
  }

  /** What a lamp says, by whatever way. */
  const voice = (id: number, say: (kind: 'acks' | 'readings', payload: Buffer) => Promise<unknown>) => ({
    accept: (commandId: unknown, executedAt = now()) =>
      say('acks', encode({ commandId: String(commandId), accepted: true, executedAt: timeText(executedAt) })),
    refuse: (commandId: unknown, error: string) =>
      say('acks', encode({ commandId: String(commandId), accepted: false, error })),
    report: (level: number, relay: boolean, at = now()) =>
      say(
        'readings',
        encode({
          sentAt: timeText(now()),
          readings: [{ at: timeText(at), values: { level, relay, power: level, voltage: 226 } }],
        }),
      ),
  });

  /** A lamp without a line of its own: what it says goes straight to the ingest. */
  async function quietLamp(device: GivenDevice = {}) {
    const id = await givenDevice(db, device);
    return {
      id,
      ...voice(id, (kind, payload) =>
        ingest.take({
          topic: topicOf({ kind, deviceId: id, viaId: device.parentId ?? null }),
          username: null,
          payload,
        }),
      ),
    };
  }

  return {
    app,
    db,
    call,
    clock,
    now,
    detail,
    lamp,
    quietLamp,
    logLines: lines,
    get broker() {
      return broker;
    },
    get ingest() {
      return ingest;
    },
    get dispatcher() {
      return dispatcher;
    },
    anotherDispatcher: (elsewhere?: Pick<Broker, 'publish' | 'problem'>, parts?: Partial<DispatcherParts>) =>
      another(elsewhere, parts),
    ask: (body: object, options: Omit<CallOptions, 'body'> = {}) =>
      call<Asked>('/api/v1/commands', { ...options, body }),
    act: <T = Record<string, unknown>>(
      id: number,
      verb: string,
      body: object = {},
      options: Omit<CallOptions, 'body'> = {},
    ) => call<T>(`/api/v1/commands/${id}/${verb}`, { ...options, body }),
    stateOf: async (id: number) => (await detail(id)).items.map((item) => item.state),
    settings: (body: object) => call('/api/v1/command-settings', { method: 'PUT', body }),
  };
}
