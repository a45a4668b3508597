import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { generate, parser, type Packet } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { Receiver } from './receiver.ts';

const version = { protocolVersion: 5 } as const;

/** A broker that answers as it is told, packet by packet, to the one who connects. */
async function scriptedBroker(answer: (packet: Packet, say: (packet: object) => void) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const incoming = parser({ ...version });
    incoming.on('packet', (packet: Packet) =>
      answer(packet, (said) => socket.write(generate(said as Packet, { ...version }))),
    );
    socket.on('data', (chunk) => incoming.parse(chunk));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: new URL(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`), stop };
}

test('a retired slot whose broker stands still is not taken for empty: its session ends when the broker has said that this was all', async () => {
  const told: string[] = [];
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<void>();
  // What is left comes one by one, each only when the silence before it has been questioned.
  const left = ['one', 'two'];
  const broker = await scriptedBroker((packet, say) => {
    if (packet.cmd === 'connect') {
      told.push(packet.clean === true ? 'connect anew' : 'connect');
      say({ cmd: 'connack', reasonCode: 0, sessionPresent: packet.clean !== true });
    }
    if (packet.cmd === 'unsubscribe') say({ cmd: 'unsuback', messageId: packet.messageId, granted: [0] });
    if (packet.cmd === 'pingreq') {
      const payload = left.shift();
      if (payload !== undefined)
        say({
          cmd: 'publish',
          topic: 't/1/readings',
          payload,
          qos: 1,
          messageId: 10 + left.length,
          dup: false,
          retain: false,
        });
      say({ cmd: 'pingresp' });
    }
    if (packet.cmd !== 'disconnect') return;
    told.push(`disconnect ${packet.properties?.sessionExpiryInterval}`);
    forget();
  });
  const receiver = new Receiver({
    url: broker.url,
    clientId: 'lampyris-ingest-2',
    filters: [],
    unwanted: ['t/+/readings'],
    retired: true,
    quietMs: 20,
    log: createLog('silent'),
    held: {
      name: 'ingest/2',
      token: 1,
      signal: new AbortController().signal,
      isMine: () => true,
      giveBack: () => undefined,
      fence: () => Promise.resolve(),
    },
    handler: ({ payload }) => Promise.resolve(void told.push(payload.toString())),
  });
  receiver.start();
  await forgotten;
  expect(told).toEqual(['connect', 'one', 'two', 'disconnect 0']);
  await receiver.stop();
  broker.stop();
});
