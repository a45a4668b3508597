import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { SettingsMessage } from '../../../../../protocols/mqtt-json/messages.ts';
import { clientIdOf } from '../../../../../protocols/mqtt-json/topics.ts';
import { createAgenda } from '../../../../../simulator/fleet/agenda.ts';
import { openConnection } from '../../../../../simulator/fleet/connection.ts';
import { LampPlayer } from '../../../../../simulator/fleet/lamp-player.ts';
import type { Lamp } from '../../../../../simulator/lamp/lamp.ts';
import type { Db } from '../../../platform/db/index.ts';
import { givenCredentials, givenDevice } from '../../../testing/devices.ts';

/** Seconds of keep alive in the CONNECT of MQTT 3.1.1 with which a connection begins. */
function keepAliveIn(packet: Buffer): number {
  let at = 1;
  // The remaining length goes on while the highest bit is set.
  while ((packet[at] ?? 0) > 127) at += 1;
  // Name of the protocol with its length, level and flags.
  return packet.readUInt16BE(at + 1 + 6 + 2);
}

/** A way to the broker on this port that sees what keep alive each connection begins with. */
async function keepAlivesTo(port: number) {
  const seen: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((device) => {
    const broker = connect(port, '127.0.0.1');
    device.once('data', (packet: Buffer) => seen.push(keepAliveIn(packet)));
    for (const socket of [device, broker]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        device.destroy();
        broker.destroy();
      });
    }
    device.pipe(broker).pipe(device);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Ends all connections, as a broken line does. */
    breakAll: () => sockets.forEach((socket) => socket.destroy()),
    close: () => void server.close(),
  };
}

interface Sent {
  readonly message: SettingsMessage;
  readonly lampAt: (at: number) => Lamp;
}
interface Where {
  readonly db: Db;
  /** Of the broker. */
  readonly port: number;
  readonly at: number;
}
/** With which keep alive a simulated device comes before it took over a message, and the next time. */
export async function keepAlivesOf({ message, lampAt }: Sent, { db, port, at }: Where): Promise<readonly number[]> {
  const id = await givenDevice(db);
  const name = clientIdOf(id);
  const way = await keepAlivesTo(port);
  // By the clock of the lamp: by another one all would be due at once, without end.
  const agenda = createAgenda(() => at);
  const connection = openConnection({
    ...{ broker: way.url, hasChildren: false, random: () => 0, now: () => at },
    credential: {
      ...{ deviceId: id, code: 'P-1', clientId: name, username: name },
      password: await givenCredentials(db, id),
    },
    ...{ settingsVersion: () => null, ofPlan: () => ({}), heard: () => undefined, ready: () => undefined },
    failed: () => undefined,
  });
  const player = new LampPlayer({
    ...{ address: { deviceId: id, viaId: null }, code: 'P-1', lamp: lampAt(at), agenda },
    ...{ line: connection, random: () => 0.5, now: () => at, silentSince: null, held: false },
  });
  try {
    await expect.poll(() => connection.connected, { timeout: 10_000 }).toBe(true);
    player.adopt(message);
    way.breakAll();
    await expect.poll(() => way.seen.length, { timeout: 10_000 }).toBe(2);
    return way.seen;
  } finally {
    agenda.stop();
    connection.stop();
    way.close();
  }
}
