import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openConnection } from './connection.ts';

test('the keep alive that a device was told is that of its next connection', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  /** The keep alive of the next CONNECT packet, and the line it came by. */
  const connected = async (): Promise<[number, Socket]> => {
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [packet] = (await once(socket, 'data')) as [Buffer];
    // After the name and the level of the protocol and the flags.
    return [packet.readUInt16BE(packet.indexOf('MQTT') + 6), socket];
  };
  const first = connected();
  const connection = openConnection({
    broker: `mqtt://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    credential: { deviceId: 1, code: 'P-1', clientId: 'lampyris-1', username: 'lampyris-1', password: 'x' },
    hasChildren: false,
    random: () => 0,
    now: Date.now,
    settingsVersion: () => null,
    ofPlan: () => ({}),
    heard: () => undefined,
    ready: () => undefined,
    failed: () => undefined,
  });
  const [usual, socket] = await first;
  expect(usual).toBe(150);
  connection.keepAlive(300);
  const second = connected();
  socket.destroy();
  const [told, line] = await second;
  expect(told).toBe(300);
  connection.stop();
  line.destroy();
  server.close();
});
