import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Stop } from '../clock.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import type { Topic, Topics } from './topics.ts';

export interface Bus {
  /** Calls this process's subscribers at once and other processes' within moments. Call it after the commit. */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void;
  subscribe<T extends Topic>(topic: T, receive: (payload: Topics[T]) => void): Stop;
}

export interface RunningBus extends Bus {
  stop(): Promise<void>;
}

const channel = 'lampyris_bus';
// PostgreSQL takes 8000 bytes a notification.
const longestPayload = 7500;

interface Envelope {
  readonly from: string;
  readonly topic: Topic;
  readonly payload: unknown;
}

/**
 * The bus between parts and processes: an emitter here, NOTIFY to the others, over one connection of its own that is opened
 * again when it breaks. Messages published while it is broken reach this process only; receivers treat the bus as a hint.
 */
export async function startBus(connection: pg.ClientConfig, log: Log): Promise<RunningBus> {
  const subscribers = new Map<Topic, Set<(payload: never) => void>>();
  const self = randomUUID();
  const deliver = (topic: Topic, payload: unknown) => {
    for (const receive of subscribers.get(topic) ?? []) {
      try {
        receive(payload as never);
      } catch (thrown) {
        log.error({ err: thrown, topic }, 'a bus subscriber failed');
      }
    }
  };
  const line = new Line(connection, log, (text) => {
    const message = JSON.parse(text) as Envelope;
    if (message.from !== self) deliver(message.topic, message.payload);
  });
  await line.open();
  return {
    publish(topic, payload) {
      deliver(topic, payload);
      for (const part of split(topic, payload)) line.send(JSON.stringify({ from: self, topic, payload: part } satisfies Envelope));
    },
    subscribe(topic, receive) {
      const receivers = subscribers.get(topic) ?? new Set();
      subscribers.set(topic, receivers.add(receive as (payload: never) => void));
      return () => void receivers.delete(receive as (payload: never) => void);
    },
    stop: () => line.close(),
  };
}

/** Long lists of ids travel in several notifications. */
function split(topic: Topic, payload: object): object[] {
  if (JSON.stringify(payload).length <= longestPayload) return [payload];
  const [list] = Object.entries(payload).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  if (!list || list[1].length < 2) throw new Error(`a message on ${topic} is too long for the bus`);
  const [name, items] = list;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].flatMap((half) => split(topic, { ...payload, [name]: half }));
}

/** The connection to PostgreSQL that listens and notifies. */
class Line {
  readonly #connection: pg.ClientConfig;
  readonly #log: Log;
  readonly #receive: (text: string) => void;
  #client: pg.Client | undefined;
  #closed = false;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(connection: pg.ClientConfig, log: Log, receive: (text: string) => void) {
    this.#connection = connection;
    this.#log = log;
    this.#receive = receive;
  }

  async open(): Promise<void> {
    const client = new pg.Client({ ...this.#connection, application_name: 'lampyris bus', keepAlive: true });
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    this.#client = client;
    client.once('end', () => void this.#reopen());
  }

  send(text: string): void {
    const client = this.#client;
    if (!client) return;
    this.#sent = this.#sent
      .then(() => client.query('SELECT pg_notify($1, $2)', [channel, text]))
      .catch((thrown: unknown) => this.#log.debug({ reason: reasonOf(thrown) }, 'a bus message did not reach other processes'));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sent;
    await this.#client?.end().catch(() => undefined);
  }

  async #reopen(): Promise<void> {
    this.#client = undefined;
    while (!this.#closed) {
      try {
        await this.open();
        return;
      } catch (thrown) {
        this.#log.debug({ reason: reasonOf(thrown) }, 'the bus is not connected');
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }
}
