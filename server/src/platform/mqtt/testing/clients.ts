import mqtt, { type MqttClient } from 'mqtt';
import { afterEach } from 'vitest';
import { createLog } from '../../log.ts';
import type { TopicRights } from '../broker.ts';
import { holdAlone } from '../../../testing/alone.ts';

/** Clients of a broker, ended after each test. Call it at the top of a test file. */
export function brokerClients() {
  const log = createLog('silent');
  const slots = { count: 1, retired: [], hold: holdAlone };
  const rightsOf = (id: number): TopicRights => ({
    publish: [`t/v1/d/${id}/readings`, `t/v1/d/${id}/status`, `t/v1/d/${id}/children/+/readings`],
    subscribe: [`t/v1/d/${id}/commands`, `t/v1/d/${id}/children/+/commands`],
  });
  const account = (id: number) => ({
    clientId: `dev-${id}`,
    username: `dev-${id}`,
    password: `secret-${id}`,
    rights: rightsOf(id),
  });

  /** Messages in the order they came; `take()` waits for the next one. */
  function inbox<T>() {
    const kept: T[] = [];
    const waiting: ((item: T) => void)[] = [];
    return {
      put: (item: T) => {
        const next = waiting.shift();
        if (next) next(item);
        else kept.push(item);
      },
      take: () =>
        new Promise<T>((resolve) => {
          const item = kept.shift();
          if (item === undefined) waiting.push(resolve);
          else resolve(item);
        }),
      kept,
    };
  }

  const open: MqttClient[] = [];
  /** `prepare` sees the client before anything can have come. */
  async function device(
    url: string,
    id: number,
    options: mqtt.IClientOptions = {},
    prepare: (client: MqttClient) => unknown = () => undefined,
  ): Promise<MqttClient> {
    const client = mqtt.connect(url, {
      clientId: `dev-${id}`,
      username: `dev-${id}`,
      password: `secret-${id}`,
      reconnectPeriod: 0,
      ...options,
    });
    open.push(client);
    prepare(client);
    client.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve());
      client.once('error', reject);
      client.once('close', () => reject(new Error('closed')));
    });
    return client;
  }
  const granted = async (client: MqttClient, topic: string) =>
    (await client.subscribeAsync(topic, { qos: 1 }).catch(() => [{ qos: 128 }]))[0]?.qos;
  const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));

  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.endAsync(true).catch(() => undefined)));
  });

  return { log, slots, rightsOf, account, inbox, open, device, granted, closed };
}
