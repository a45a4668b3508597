import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';

interface Member {
  readonly id: number;
  readonly password: string;
}
interface Order {
  readonly commandId: string;
  readonly expiresAt: string;
  readonly args: { readonly level?: number };
}

/**
 * What a device was told, how long after the order's end (milliseconds; negative: in time), and whether it obeyed: not
 * after that end.
 */
export interface Heard {
  readonly deviceId: number;
  readonly commandId: number;
  readonly lateMs: number;
  readonly obeyed: boolean;
}

/** Devices that go on sending whatever happens: what the broker did not acknowledge they send again. */
export interface Fleet {
  /**
   * Acknowledged readings, `device/number`: the counter of energy says which one it is, whatever becomes of its time.
   */
  readonly acknowledged: Set<string>;
  /** Everything that was ever sent, likewise. */
  readonly sent: Set<string>;
  readonly heard: Heard[];
  /** Waits until so many further readings are acknowledged. */
  further(count: number): Promise<void>;
  /** Every device sends so many readings more at once, whatever is under way; returns which. */
  more(each?: number): string[];
  /** Waits until nothing has been acknowledged for a second. */
  still(): Promise<void>;
  /** Sends nothing new, and waits until everything that was sent is acknowledged. */
  quiet(): Promise<void>;
  /** Sends on. */
  resume(): void;
  stop(): Promise<void>;
}

/** Connects the devices; each has one reading under way at a time, and answers commands. */
export async function startFleet({
  port,
  members,
  pauseMs = 5,
}: {
  readonly port: number;
  readonly members: readonly Member[];
  readonly pauseMs?: number;
}): Promise<Fleet> {
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const last = new Map<number, { at: number; energy: number }>();
  let stopped = false;
  let paused = false;
  let underWay = 0;
  const told = () => waiting.forEach((check) => check());
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });

  // Every second one has a session: a broker keeps for it what it is told while it is away.
  function connect({ id, password }: Member): MqttClient {
    const name = clientIdOf(id);
    const client = mqtt.connect({
      host: '127.0.0.1',
      port,
      protocol: 'mqtt',
      clientId: name,
      username: name,
      password,
      clean: id % 2 === 0,
      reconnectPeriod: 200,
      connectTimeout: 5000,
      resubscribe: true,
      reconnectOnConnackError: true,
    });
    client.on('error', () => undefined);
    client.on(
      'message',
      (_topic, payload) => void obey(client, id, JSON.parse(payload.toString()) as Order).catch(() => undefined),
    );
    client.subscribe(`lampyris/v1/devices/${id}/commands`, { qos: 1 });
    return client;
  }

  async function obey(client: MqttClient, id: number, order: Order): Promise<void> {
    const now = new Date().toISOString();
    const lateMs = Date.now() - Date.parse(order.expiresAt);
    const obeyed = lateMs <= 0;
    heard.push({ deviceId: id, commandId: Number(order.commandId), lateMs, obeyed });
    told();
    if (!obeyed) return;
    await client.publishAsync(
      `lampyris/v1/devices/${id}/acks`,
      JSON.stringify({ commandId: order.commandId, accepted: true, executedAt: now }),
      { qos: 1 },
    );
    await report(client, id, { level: order.args.level ?? 100, relay: true, power: order.args.level ?? 100 });
  }

  /** The next reading of a device: a number of its own, and a time that no other one of it has. */
  function next(id: number): { key: string; at: number; energy: number } {
    const before = last.get(id) ?? { at: 0, energy: 0 };
    const one = { at: Math.max(Date.now(), before.at + 1), energy: before.energy + 1 };
    last.set(id, one);
    return { key: `${id}/${one.energy}`, ...one };
  }

  function report(client: MqttClient, id: number, values: object): Promise<void> {
    const one = next(id);
    sent.add(one.key);
    return send(client, id, one, values);
  }

  async function send(
    client: MqttClient,
    id: number,
    { key, at, energy }: ReturnType<typeof next>,
    values: object,
  ): Promise<void> {
    underWay += 1;
    // A connection that breaks may take the message with it: the same reading is sent until it is acknowledged.
    for (let acked = false; !acked && !stopped;) {
      const message = {
        sentAt: new Date().toISOString(),
        readings: [{ at: new Date(at).toISOString(), values: { ...values, energy } }],
      };
      acked = await client.publishAsync(`lampyris/v1/devices/${id}/readings`, JSON.stringify(message), { qos: 1 }).then(
        () => true,
        () => false,
      );
      if (!acked) await sleep(50);
    }
    underWay -= 1;
    if (stopped) return;
    acknowledged.add(key);
    told();
  }

  const clients = members.map((member) => ({ member, client: connect(member) }));
  const loops = clients.map(async ({ member, client }) => {
    while (!stopped) {
      if (paused || !client.connected) await sleep(20);
      else await report(client, member.id, { power: 50, voltage: 230 }).catch(() => undefined);
      await sleep(pauseMs);
    }
  });
  return {
    acknowledged,
    sent,
    heard,
    further(count) {
      const goal = acknowledged.size + count;
      return until(() => acknowledged.size >= goal);
    },
    more: (each = 1) =>
      clients.flatMap(({ member: { id }, client }) =>
        Array.from({ length: each }, () => {
          const one = next(id);
          sent.add(one.key);
          void send(client, id, one, { power: 50 });
          return one.key;
        }),
      ),
    async still() {
      for (let before = -1; before !== acknowledged.size;) {
        before = acknowledged.size;
        await sleep(1000);
      }
    },
    async quiet() {
      paused = true;
      await until(() => underWay === 0);
    },
    resume() {
      paused = false;
    },
    async stop() {
      stopped = true;
      await Promise.race([
        Promise.all([...clients.map(({ client }) => client.endAsync(true).catch(() => undefined)), ...loops]),
        sleep(1500),
      ]);
    },
  };
}
