import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { Duplex } from 'node:stream';
import mqtt from 'mqtt';
import { generate } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from './embedded.ts';
import { Intake } from './intake.ts';

const connections = 20;
const each = 100;
const payload = Buffer.alloc(1000, 0x20);
const messagesInWork = 50;
/**
 * A connection hands over at once what has come of it, less than two chunks of 64 KiB: so much more may be in work when
 * it becomes too much.
 */
const oneChunk = Math.ceil((2 * 65_536) / payload.length);

it('while the database is away only so much is in work, whoever sends; what was not read is taken afterwards, all of it', async () => {
  let inWork = 0;
  let most = 0;
  let handled = 0;
  const { promise: back, resolve: comesBack } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log: createLog('silent'),
    limits: { messagesInWork },
    authenticate: ({ username }) => Promise.resolve({ publish: [`t/${username}`], subscribe: [] }),
  });
  broker.onMessage(async () => {
    inWork += 1;
    most = Math.max(most, inWork);
    if (inWork >= messagesInWork) isFull();
    await back;
    inWork -= 1;
    handled += 1;
  });
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
        clientId: `d${index}`,
        username: `d${index}`,
        password: 'x',
        reconnectPeriod: 0,
      }),
    ),
  );
  const published = clients.flatMap((client, index) =>
    Array.from({ length: each }, () => client.publishAsync(`t/d${index}`, payload, { qos: 1 })),
  );
  await full;
  // Everything else has long been sent when a newcomer's connection is through.
  await expect(
    mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
      clientId: 'late',
      username: 'late',
      password: 'x',
      reconnectPeriod: 0,
      connectTimeout: 300,
    }),
  ).rejects.toThrow();
  expect(inWork).toBeLessThanOrEqual(messagesInWork + oneChunk);
  comesBack();
  await Promise.all(published);
  expect(handled).toBe(connections * each);
  expect(most).toBeLessThanOrEqual(messagesInWork + oneChunk);
  await Promise.all(clients.map((client) => client.endAsync(true)));
  await broker.stop();
});

it('what sockets hand over beside that is bounded too: each leaves the network alone, and who makes it too much has to come again', async () => {
  let refused = 0;
  const intake = new Intake({ messages: 1, bytes: 1000, bytesAhead: 100 }, () => {
    refused += 1;
  });
  const sockets = Array.from(
    { length: 3 },
    () => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }),
  );
  const [first, second, third] = sockets as [Duplex, Duplex, Duplex];
  for (const socket of sockets) intake.guard(socket);
  const bytes = (count: number) => Buffer.alloc(count);
  expect(first.push(bytes(40))).toBe(true);
  expect(first.read()).toHaveLength(40);
  intake.begin(10);
  expect([first.push(bytes(40)), second.push(bytes(50)), first.read(), refused]).toEqual([false, false, null, 0]);
  third.push(bytes(20));
  expect([third.destroyed, refused]).toEqual([true, 1]);
  await once(third, 'close');
  // Its bytes count no more; and what was read counts no more either.
  const heard = once(first, 'readable');
  intake.end(10);
  await heard;
  expect(first.read()).toHaveLength(40);
  expect([first.push(bytes(45)), refused]).toEqual([true, 1]);
});

describe('a device that has to rest and comes again', () => {
  const heard: string[] = [];
  let broker: EmbeddedBroker;
  let restMs = 10_000;
  beforeAll(async () => {
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: null,
      tls: null,
      log: createLog('silent'),
      authenticate: ({ username }) => Promise.resolve({ publish: [`t/${username}`], subscribe: [] }),
    });
    broker.onMessage(({ username, payload: said, slow }) => {
      heard.push(`${username} ${said.toString()}`);
      slow?.(restMs);
      return Promise.resolve();
    });
  });
  afterAll(() => broker.stop());
  const device = (name: string) =>
    mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
      clientId: name,
      username: name,
      password: 'x',
      reconnectPeriod: 0,
      keepalive: 10,
    });
  const publish = async (client: mqtt.MqttClient, name: string, said: string) =>
    client.publishAsync(`t/${name}`, said, { qos: 1 });
  const comesAgain = async (name: string) => {
    const client = await device(name);
    await publish(client, name, 'first');
    await client.endAsync(true);
  };

  it('is let in and rests on; others are heard beside it', async () => {
    await comesAgain('loud');
    const again = await device('loud');
    const second = publish(again, 'loud', 'second');
    const quiet = await device('quiet');
    await publish(quiet, 'quiet', 'first');
    await second;
    expect(heard).toEqual(['loud first', 'quiet first', 'loud second']);
    await Promise.all([again.endAsync(true), quiet.endAsync(true)]);
  });

  it('is heard as soon as the timer of its rest has fired, however far the other clock is by then', async () => {
    restMs = 1000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => {
      restMs = 10_000;
      clock.mockRestore();
    });
    await comesAgain('early');
    const again = await device('early');
    await publish(again, 'early', 'second');
    expect(heard.filter((said) => said.startsWith('early'))).toEqual(['early first', 'early second']);
    await again.endAsync(true);
  });

  it('says nothing with its sign-in either: the connection ends, and nothing is acknowledged', async () => {
    await comesAgain('hasty');
    const socket = connectTcp(broker.port, '127.0.0.1').on('error', () => undefined);
    const answers: Buffer[] = [];
    socket.on('data', (chunk) => answers.push(chunk));
    socket.write(
      Buffer.concat([
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: 'hasty',
          username: 'hasty',
          password: Buffer.from('x'),
          keepalive: 10,
        }),
        generate({
          cmd: 'publish',
          topic: 't/hasty',
          payload: 'second',
          qos: 1,
          messageId: 7,
          dup: false,
          retain: false,
        }),
      ]),
    );
    await once(socket, 'close');
    expect(heard.filter((said) => said.startsWith('hasty'))).toEqual(['hasty first']);
    expect(Buffer.concat(answers)[0]).toBe(0x20);
    expect(Buffer.concat(answers)).toHaveLength(4);
  });
});
