import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Stop } from '../clock.ts';
import { currentDryRun } from '../dry-run.ts';
import type { Log } from '../log.ts';
import { Line } from './line.ts';
import type { Topic, Topics } from './topics.ts';

export interface Bus {
  /**
   * Calls this process's subscribers at once, and those of other processes within moments. Call it after the commit.
   * In a dry run it says nothing.
   */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void;
  subscribe<T extends Topic>(topic: T, receive: (payload: Topics[T]) => void): Stop;
}

export interface RunningBus extends Bus {
  stop(): Promise<void>;
}

// PostgreSQL takes 8000 bytes a notification.
const longestPayload = 7500;

interface Envelope {
  readonly from: string;
  readonly topic: Topic;
  readonly payload: unknown;
}

/**
 * The bus between parts and processes: an emitter here, NOTIFY to the others, over one connection of its own that is
 * reopened when it breaks. Subscribers treat the bus as a hint: messages during a break may be missing, and
 * `bus.resumed` reports it, here and in the other processes.
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
  const send = (topic: Topic, payload: object) =>
    line.send(JSON.stringify({ from: self, topic, payload } satisfies Envelope));
  const line = new Line(connection, log, {
    receive(text) {
      const message = JSON.parse(text) as Envelope;
      if (message.from !== self) deliver(message.topic, message.payload);
    },
    resumed() {
      deliver('bus.resumed', {});
      send('bus.resumed', {});
    },
    overflowed: () => send('bus.resumed', {}),
  });
  await line.open();
  return {
    publish(topic, payload) {
      if (currentDryRun()) return;
      deliver(topic, payload);
      for (const part of split(topic, payload)) send(topic, part);
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
  if (Buffer.byteLength(JSON.stringify(payload)) <= longestPayload) return [payload];
  const [list] = Object.entries(payload).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  if (!list || list[1].length < 2) throw new Error(`a message on ${topic} is too long for the bus`);
  const [name, items] = list;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].flatMap((half) => split(topic, { ...payload, [name]: half }));
}
